/** Finds the invite that a caller may accept, and the proof for it. */
import { rowUuid } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { EVERY_SCOPE } from '../../access/key-limits.ts'
import { keyDigest } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import type { Db } from '../../postgres/db.ts'
import {
  findInvite,
  findInviteByToken,
  type StoredInvite,
  type TokenKind,
} from '../../store/people/invite-store.ts'
import { findUser } from '../../store/people/user-store.ts'

export type OpenInvite = {
  readonly invite: StoredInvite
  /** A token of the invite, or the confirmed address of the caller. */
  readonly by: TokenKind | 'address'
}

/** The form of tokens that `randomText` makes. */
const TOKEN = /^[0-9A-Za-z]{43}$/

/**
 * The invite of a token. An id, which is no secret, is enough only for a caller who has the invited
 * address and has confirmed it, with an unrestricted key.
 * @throws {AppError} `not_found`, the same for every reason; `invalid_argument` when it has
 * expired.
 */
export async function openInvite(
  db: Db,
  secret: string,
  caller: Principal | undefined,
): Promise<OpenInvite> {
  const open = found(await find(db, secret, caller))
  if (open.invite.isExpired) {
    throw invalid('This invite has expired. Ask its sender for another one.', null, 'expired')
  }
  return open
}

async function find(
  db: Db,
  secret: string,
  caller: Principal | undefined,
): Promise<OpenInvite | undefined> {
  if (TOKEN.test(secret)) {
    const known = await findInviteByToken(db, keyDigest(secret))
    return known && { invite: known.invite, by: known.token }
  }
  const id = rowUuid(secret)
  if (id === undefined || caller === undefined || !isUnlimited(caller)) return undefined
  const [invite, user] = await Promise.all([findInvite(db, id), findUser(db, caller.userId)])
  if (invite === undefined || user?.isEmailConfirmed !== true) return undefined
  const isInvited = user.email.toLowerCase() === invite.targetEmail.toLowerCase()
  return isInvited ? { invite, by: 'address' } : undefined
}

/** True for a key that holds all that its user may do. */
export function isUnlimited(principal: Principal): boolean {
  const { scopes, scopedProjects, scopedOrganizations } = principal
  return (
    scopes.includes(EVERY_SCOPE) && scopedProjects.length === 0 && scopedOrganizations.length === 0
  )
}
