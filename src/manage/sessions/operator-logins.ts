/** Links that sign a user in once, which the operator hands out; `src/rpc/operator` guards them. */
import type { AdminServiceDefinition } from '../../../proto/gen/sluice/v1/AdminService.ts'
import { invalid, notFound } from '../../access/errors.ts'
import { keyDigest, randomText } from '../../access/keys.ts'
import type { UserId } from '../../core/ids.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { findFirstOwner, listOrganizationsOf } from '../../store/people/member-store.ts'
import { insertLoginLink } from '../../store/people/session-store.ts'
import { findUserIdByEmail, lockUser, type StoredUser } from '../../store/people/user-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditFacts } from '../audit.ts'

export type MadeLoginLink = {
  readonly email: string
  /** The whole link with its secret, which is known now and never again. */
  readonly url: string
  /** ISO 8601, microseconds, `Z`. */
  readonly expiresAt: string
}

/** Not guarded: `createAdminHandlers` does that. */
export function createOperatorLogins({
  sql,
  siteUrl,
}: {
  readonly sql: Sql
  readonly siteUrl: () => string | undefined
}): Pick<ServiceHandlers<AdminServiceDefinition>, 'CreateLoginLink'> {
  return {
    async CreateLoginLink({ email, url }) {
      const given = url.trim().replace(/\/+$/, '')
      if (given !== '' && !/^https?:\/\/./.test(given)) {
        throw invalid('Must be an http or https address.', 'url')
      }
      const site = given || siteUrl()
      if (site === undefined) {
        const detail = 'This worker serves no pages: name a gateway with --url, or set PUBLIC_URL.'
        throw invalid(detail, 'url')
      }
      const user = await userToSignIn(sql, email.trim())
      const made = await makeLoginLink(sql, { user, site, by: 'operator' })
      return { email: made.email, url: made.url, expires_at: made.expiresAt }
    },
  }
}

/** A link for the operator of a new instance; undefined when no owner could use it. */
export async function firstLoginLink(sql: Sql, site: string): Promise<MadeLoginLink | undefined> {
  const user = await findFirstOwner(sql)
  return user === undefined ? undefined : await makeLoginLink(sql, { user, site, by: 'start' })
}

async function userToSignIn(db: Db, email: string): Promise<UserId> {
  const user = email === '' ? await findFirstOwner(db) : await findUserIdByEmail(db, email)
  if (user !== undefined) return user
  throw notFound(
    email === ''
      ? 'No organization has an active owner: name a user with --email.'
      : 'No user has this e-mail address.',
  )
}

async function makeLoginLink(
  sql: Sql,
  { user: id, site, by }: { user: UserId; site: string; by: 'operator' | 'start' },
): Promise<MadeLoginLink> {
  const token = randomText()
  return await sql.begin(async (tx) => {
    // Deactivation of the user takes the same lock, and deletes existing links.
    const user = await lockUser(tx, id)
    if (user === undefined) throw notFound('There is no such user.')
    if (!user.isActive) {
      throw invalid('This user is deactivated: sluice admin enable-user comes first.', 'email')
    }
    const expiresAt = await insertLoginLink(tx, keyDigest(token), id)
    await auditLink(tx, user, { by, expires_at: expiresAt })
    return { email: user.email, url: `${site}/login#${token}`, expiresAt }
  })
}

/**
 * Entries in each organization of the user; one without a place when there is none. Never the
 * secret.
 */
async function auditLink(
  tx: Db,
  { id, email }: StoredUser,
  facts: { readonly by: string; readonly expires_at: string },
): Promise<void> {
  const joined = await listOrganizationsOf(tx, id)
  for (const organizationId of joined.length === 0 ? [null] : joined) {
    const caller = { principal: null, access: { organizationId } }
    const entry = { scope: 'User', activity: 'login_link_made', itemId: id } as const
    await auditFacts(tx, caller, { ...entry, itemName: email, facts })
  }
}
