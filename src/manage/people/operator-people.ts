/** The operator's calls about users and keys; `src/rpc/operator` guards them. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import type { CreateKeyRequest__Output } from '../../../proto/gen/sluice/v1/CreateKeyRequest.ts'
import type { UserDetails } from '../../../proto/gen/sluice/v1/UserDetails.ts'
import type { UserKey } from '../../../proto/gen/sluice/v1/UserKey.ts'
import { rowId, rowUuid } from '../../access/access.ts'
import { found, invalid, notFound } from '../../access/errors.ts'
import { EVERY_SCOPE, knownScopes, UNRESTRICTED } from '../../access/key-limits.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import { type UserId, userId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { listOrganizationMemberships } from '../../store/people/organization-membership-store.ts'
import {
  insertPersonalKey,
  type KeySettings,
  listPersonalKeys,
  lockAnyKey,
  type PersonalKey,
} from '../../store/people/personal-key-store.ts'
import { findUser, findUserId, findUserIdByEmail, lockUser } from '../../store/people/user-store.ts'
import { methods } from '../../wire/proto/proto.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { FORMATS } from '../../wire/validation/formats.ts'
import { confirmByOperator } from './email-change.ts'
import { auditKey, makeValue, requireFuture, requireKnown, requireRoom } from './key-rules.ts'
import { expiryOf, KEY_DEFAULTS } from './personal-api-key-message.ts'
import { auditEverywhere, revokeKey, setActive } from './user-changes.ts'

type OperatorPeople = Pick<
  ServiceHandlers<AdminServiceDefinition>,
  'ShowUser' | 'DisableUser' | 'EnableUser' | 'CreateKey' | 'RevokeKey' | 'ConfirmEmail'
>

const KEY_LABEL = 'Made by the operator'
const LABEL_LENGTH_MAX = 40

export function createOperatorPeople({
  sql,
  feed,
  clock,
}: {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly clock: Pick<Clock, 'now'>
}): OperatorPeople {
  const scopes = knownScopes(methods())

  /** Publishes the change: gateways and workers remember keys. */
  const change = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const result = await sql.begin(work)
    feed.publish({ kind: 'keys' })
    return result
  }
  const turn = async (user: string, isActive: boolean) => {
    const id = await userOf(sql, user)
    await change((tx) => setActive(tx, null, id, isActive))
    return await detailsOf(sql, id)
  }

  return {
    ShowUser: async ({ user }) => await detailsOf(sql, await userOf(sql, user)),
    DisableUser: ({ user }) => turn(user, false),
    EnableUser: ({ user }) => turn(user, true),

    async CreateKey(request) {
      const id = await userOf(sql, request.user)
      const settings = settingsOf(request)
      requireKnown(scopes, settings)
      requireFuture(clock, settings)
      const { value, trace } = makeValue()
      const key = await change(async (tx) => {
        found(await lockUser(tx, id))
        await requireRoom(tx, id)
        const made = await insertPersonalKey(tx, { id: randomText(), user: id, ...trace }, settings)
        await auditEverywhere(tx, auditKey, null, id, { before: null, after: made })
        return made
      })
      return { key: toUserKey(key), personal_api_key: value }
    },

    async RevokeKey({ key: named }) {
      const id = named.trim()
      const key = await change(async (tx) => {
        const known = await lockAnyKey(tx, { id, digest: keyDigest(id) })
        if (known === undefined) throw notFound('There is no such key.')
        await revokeKey(tx, null, known)
        return known
      })
      return await detailsOf(sql, key.userId)
    },

    async ConfirmEmail(request) {
      const id = await userOf(sql, request.user)
      const given = request.email.trim()
      const refused = given === '' ? undefined : FORMATS['email']?.(given)
      if (refused !== undefined) throw invalid(refused.detail, 'email', refused.code)
      await confirmByOperator(sql, found(await findUser(sql, id)), given)
      return await detailsOf(sql, id)
    },
  }
}

/** @throws {AppError} `invalid_argument` of the label or of the expiry. */
function settingsOf(request: CreateKeyRequest__Output): KeySettings {
  const label = request.label.trim() || KEY_LABEL
  if (Array.from(label).length > LABEL_LENGTH_MAX) {
    throw invalid(`Ensure this field has no more than ${LABEL_LENGTH_MAX} characters.`, 'label')
  }
  return {
    ...KEY_DEFAULTS,
    label,
    scopes: request.scopes.length === 0 ? [EVERY_SCOPE] : [...new Set(request.scopes)],
    expiresAt: expiryOf(request.expires_at.trim() || null),
  }
}

/** By id, UUID or address. @throws {AppError} `not_found`. */
export async function userOf(db: Db, text: string): Promise<UserId> {
  const named = text.trim()
  const uuid = rowUuid(named)
  const number = rowId(named)
  const id =
    uuid !== undefined
      ? await findUserId(db, uuid)
      : number !== undefined
        ? userId(number)
        : await findUserIdByEmail(db, named)
  const user = id === undefined ? undefined : await findUser(db, id)
  if (user === undefined) throw notFound('There is no such user.')
  return user.id
}

async function detailsOf(db: Db, id: UserId): Promise<UserDetails> {
  const [stored, memberships, keys] = await Promise.all([
    findUser(db, id),
    listOrganizationMemberships(db, id, UNRESTRICTED),
    listPersonalKeys(db, id),
  ])
  const user = found(stored)
  return {
    user_id: user.id,
    user_uuid: user.uuid,
    email: user.email,
    first_name: user.firstName,
    is_active: user.isActive,
    is_staff: user.isStaff,
    is_email_verified: user.isEmailConfirmed,
    ...(user.pendingEmail === null ? {} : { pending_email: user.pendingEmail }),
    date_joined: user.dateJoined,
    organizations: memberships.map(({ id: uuid, name, level }) => ({ id: uuid, name, level })),
    personal_api_keys: keys.map(toUserKey),
  }
}

function toUserKey(key: PersonalKey): UserKey {
  return {
    id: key.id,
    label: key.label,
    mask_value: key.mask,
    scopes: [...key.scopes],
    created_at: key.createdAt,
    ...(key.lastUsedAt === null ? {} : { last_used_at: key.lastUsedAt }),
    ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt }),
  }
}
