/** Rules of personal keys, for their owners and for others who manage them. */
import { invalid } from '../../access/errors.ts'
import { keyDigest, makePersonalKey, maskKey } from '../../access/keys.ts'
import type { Clock } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import {
  countPersonalKeys,
  type KeySettings,
  type KeyTrace,
  type PersonalKey,
} from '../../store/people/personal-key-store.ts'
import { echo } from '../../wire/details.ts'
import { auditorOf } from '../audit.ts'
import { toPersonalApiKey } from './personal-api-key-message.ts'

/** Personal keys of one user; keys that an operator makes are not limited. */
export const PERSONAL_KEYS_MAX = 10

/** The form of ids that `randomText` makes. */
export const KEY_ID = /^[0-9A-Za-z]{1,64}$/

/** @throws {AppError} `invalid_argument` of `scopes`. */
export function requireKnown(known: ReadonlySet<string>, { scopes }: KeySettings): void {
  if (scopes.length === 0) throw invalid('A key needs at least one scope.', 'scopes')
  const unknown = scopes.find((scope) => !known.has(scope))
  if (unknown !== undefined) throw invalid(`"${echo(unknown)}" is not a known scope.`, 'scopes')
}

/** @throws {AppError} `invalid_argument` of `expires_at`. */
export function requireFuture(
  clock: Pick<Clock, 'now'>,
  { expiresAt }: Pick<KeySettings, 'expiresAt'>,
): void {
  if (expiresAt === null || Date.parse(expiresAt) > clock.now()) return
  throw invalid('The moment has passed.', 'expires_at')
}

/** Call it under the lock of the user. @throws {AppError} `invalid_argument` at the bound. */
export async function requireRoom(tx: Db, user: UserId): Promise<void> {
  if ((await countPersonalKeys(tx, user)) < PERSONAL_KEYS_MAX) return
  const detail = `A user has at most ${PERSONAL_KEYS_MAX} personal API keys: delete one first.`
  throw invalid(detail, null)
}

/** A new value, shown once, with the trace that stays. */
export function makeValue(): { value: string; trace: KeyTrace } {
  const value = makePersonalKey()
  return { value, trace: { digest: keyDigest(value), mask: maskKey(value) } }
}

export const auditKey = auditorOf<PersonalKey>({
  scope: 'PersonalApiKey',
  type: 'sluice.v1.PersonalApiKey',
  idOf: ({ id }) => id,
  nameOf: ({ label }) => label,
  show: (key) => toPersonalApiKey(key),
})
