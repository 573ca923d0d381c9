/** Rows of links that sign a user in once. */
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../pool/db.ts'

/** What became of a link that was tried. */
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
