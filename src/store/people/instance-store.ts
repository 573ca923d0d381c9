/** Organizations and projects of an instance, for its operator. */
import type { OrganizationId, ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** A project with its organization, or an organization without projects. */
export type InstanceRow = {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly ownerEmail: string | null
  readonly projectId: ProjectId | null
  readonly projectName: string | null
  readonly apiToken: string | null
}

/** The place of a row in the order: its organization, and its project or 0. */
export type InstancePlace = { readonly organization: string; readonly project: number }

/** Rows after a place. Ids of organizations are in the order of their age. */
export async function listInstance(
  db: Db,
  after: InstancePlace | undefined,
  limit: number,
): Promise<InstanceRow[]> {
  const rest =
    after === undefined
      ? db``
      : db`where (o.id, coalesce(p.id, 0)) > (${after.organization}::uuid, ${after.project}::integer)`
  return await db<InstanceRow[]>`
    select o.id as "organizationId", o.name as "organizationName", u.email as "ownerEmail",
      p.id as "projectId", p.name as "projectName", p.api_token as "apiToken"
    from organizations o
    left join projects p on p.organization_id = o.id
    left join memberships m on m.organization_id = o.id and m.level = 15
    left join users u on u.id = m.user_id
    ${rest}
    order by o.id, coalesce(p.id, 0) limit ${limit}`
}

export async function countUsers(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::integer as count from users`
  return row?.count ?? 0
}

/** Values of a first start that the database has; one that was not given is not looked for. */
export async function findPresets(
  db: Db,
  presets: { email: string | null; projectToken: string | null; keyDigest: Buffer | null },
): Promise<{ email: boolean; projectToken: boolean; key: boolean }> {
  const { email, projectToken, keyDigest } = presets
  const [row] = await db<{ email: boolean; projectToken: boolean; key: boolean }[]>`
    select exists (select from users where lower(email) = lower(${email}::text)) as email,
      exists (select from projects where api_token = ${projectToken}::text) as "projectToken",
      exists (select from personal_api_keys where key_sha256 = ${keyDigest}::bytea) as key`
  return row ?? { email: false, projectToken: false, key: false }
}
