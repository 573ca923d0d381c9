/** Changes of a user's address, which the user must confirm. */
import { v7 as uuidv7 } from 'uuid'
import { emailTaken, invalid, refuseTaken } from '../../access/errors.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import { throttled } from '../../access/throttle.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { confirmMail } from '../../mail/mail-templates.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { countOfDay } from '../../store/people/daily-count-store.ts'
import { insertMails } from '../../store/people/mail-outbox-store.ts'
import {
  findUserIdByEmail,
  lockUser,
  lockUserByEmailToken,
  type PendingEmail,
  type StoredUser,
  savePendingEmail,
  setConfirmedEmail,
} from '../../store/people/user-store.ts'
import type { ManagementSettings } from '../settings.ts'
import { auditEverywhere, auditUserItem } from './user-changes.ts'

/** Mails a day, in UTC, that one user may have sent to addresses that they ask for. */
export const EMAIL_CHANGES_PER_DAY_MAX = 10

/** The form of tokens that `randomText` makes. */
const TOKEN = /^[0-9A-Za-z]{43}$/
const NOTHING_PENDING: PendingEmail = { email: null, tokenSha256: null }

/** An address to confirm, the withdrawal of a pending one, or neither. */
export type AddressChange =
  | { readonly kind: 'ask'; readonly email: string }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'none' }

/**
 * Decides how to treat the address that a user has sent. The user's own address, in whatever case,
 * withdraws a pending change; while it is unconfirmed, it is itself the address to confirm.
 */
export function addressChange(user: StoredUser, given: string | undefined): AddressChange {
  if (given === undefined) return { kind: 'none' }
  const isOwn = given.toLowerCase() === user.email.toLowerCase()
  if (!isOwn || !user.isEmailConfirmed) return { kind: 'ask', email: given }
  return user.pendingEmail === null ? { kind: 'none' } : { kind: 'withdraw' }
}

/**
 * Stores the address that the user wants, and sends a token there. Without mail the operator may
 * confirm it.
 * @throws {AppError} `invalid_argument` when another user has the address, `resource_exhausted`
 * over the mails of a day.
 */
export async function changeAddress(
  tx: Db,
  mail: ManagementSettings['mail'],
  by: { readonly principal: Principal; readonly organizationId: OrganizationId | null },
  user: StoredUser,
  change: AddressChange,
): Promise<void> {
  if (change.kind === 'none') return
  const { principal, organizationId } = by
  const email = change.kind === 'ask' ? change.email : null
  if (email === null) await savePendingEmail(tx, user.id, NOTHING_PENDING)
  else await ask(tx, mail, user, email)
  const after = { ...user, pendingEmail: email }
  const activity = email === null ? 'email_withdrawn' : 'email_asked'
  const audited = { activity, before: user, after }
  await auditUserItem(tx, { principal, access: { organizationId } }, audited)
}

async function ask(
  tx: Db,
  mail: ManagementSettings['mail'],
  { id }: StoredUser,
  email: string,
): Promise<void> {
  const holder = await findUserIdByEmail(tx, email)
  if (holder !== undefined && holder !== id) throw emailTaken()
  if (mail === undefined) {
    await savePendingEmail(tx, id, { email, tokenSha256: null })
    return
  }
  const name = `addresses of user ${id}`
  const restS = await countOfDay(tx, name, 1, EMAIL_CHANGES_PER_DAY_MAX)
  if (restS !== undefined) throw throttled(restS * 1_000)
  const token = randomText()
  await savePendingEmail(tx, id, { email, tokenSha256: keyDigest(token) })
  const text = confirmMail({ link: `${mail.publicUrl}/verify_email/${token}` })
  await insertMails(tx, [{ id: uuidv7(), recipient: email, replyTo: null, ...text }])
}

/**
 * Gives a user the address that a token was sent to, and uses the token up.
 * @returns the address.
 * @throws {AppError} `invalid_argument` for an unknown or used token, and when another user has the
 * address meanwhile.
 */
export async function confirmByToken(sql: Sql, token: string): Promise<string> {
  const written = sql.begin(async (tx) => {
    const known = TOKEN.test(token) ? await lockUserByEmailToken(tx, keyDigest(token)) : undefined
    const before = known === undefined ? undefined : await lockUser(tx, known)
    const email = before?.pendingEmail ?? null
    if (before === undefined || email === null) {
      throw invalid('This link is not valid, or not any more.', 'token')
    }
    await setConfirmedEmail(tx, before.id, email)
    await auditConfirmed(tx, before, email)
    return email
  })
  return await refuseTaken(written, 'users_email', emailTaken)
}

/** Confirms an address for the operator: the given one, else the pending, else the current one. */
export async function confirmByOperator(sql: Sql, user: StoredUser, given: string): Promise<void> {
  const written = sql.begin(async (tx) => {
    const before = (await lockUser(tx, user.id)) ?? user
    const email = given || (before.pendingEmail ?? before.email)
    await setConfirmedEmail(tx, before.id, email)
    await auditConfirmed(tx, before, email)
  })
  await refuseTaken(written, 'users_email', emailTaken)
}

/** Audit entry without a key: the owner of the mailbox, or the operator, has confirmed it. */
async function auditConfirmed(tx: Db, before: StoredUser, email: string): Promise<void> {
  const after = { ...before, email, isEmailConfirmed: true, pendingEmail: null }
  const change = { activity: 'email_confirmed', before, after }
  await auditEverywhere(tx, auditUserItem, null, before.id, change)
}
