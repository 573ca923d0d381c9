/** Rows of links that sign a user in once. */
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** Minutes in which a login link signs its user in. */
const LOGIN_LINK_MINUTES = 15
/** Days that an expired login link is kept, so that its user is told why it fails. */
const LOGIN_LINK_KEPT_DAYS = 1

/** Result of trying a link. */
export type TriedLink =
  | { readonly kind: 'valid'; readonly userId: UserId }
  | { readonly kind: 'used' | 'old' | 'unknown' }

/** Uses a link up: of several tries at once one is valid. */
export async function useLoginLink(tx: Db, digest: Buffer): Promise<TriedLink> {
  const [used] = await tx<{ userId: UserId }[]>`
    update login_links set used_at = now()
    where token_sha256 = ${digest} and used_at is null and expires_at > now()
    returning user_id as "userId"`
  if (used !== undefined) return { kind: 'valid', userId: used.userId }
  const [known] = await tx<{ isUsed: boolean }[]>`
    select used_at is not null as "isUsed" from login_links where token_sha256 = ${digest}`
  if (known === undefined) return { kind: 'unknown' }
  return { kind: known.isUsed ? 'used' : 'old' }
}

/**
 * Adds a link of a user, whose lock the caller holds. Deletes links of all users that ended long
 * ago.
 * @returns when it ends: ISO 8601, microseconds, `Z`.
 */
export async function insertLoginLink(tx: Db, digest: Buffer, user: UserId): Promise<string> {
  await tx`
    delete from login_links
    where expires_at < now() - make_interval(days => ${LOGIN_LINK_KEPT_DAYS})`
  const [row] = await tx<{ expiresAt: string }[]>`
    insert into login_links (token_sha256, user_id, expires_at)
    values (${digest}, ${user}, now() + make_interval(mins => ${LOGIN_LINK_MINUTES}))
    returning to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      as "expiresAt"`
  if (row === undefined) throw new Error('insert into login_links answered no row')
  return row.expiresAt
}

/** All of a user: none of them signs in any more. */
export async function deleteLoginLinksOf(tx: Db, user: UserId): Promise<void> {
  await tx`delete from login_links where user_id = ${user}`
}
