import type { OrganizationId, UserId } from '../core/ids.ts'
import type { Db } from './db.ts'

/** 1 member, 8 administrator, 15 owner. */
export type Level = 1 | 8 | 15

/** @returns undefined when the slug is taken: try another one. */
export async function insertOrganization(
  db: Db,
  organization: { id: OrganizationId; name: string; slug: string },
): Promise<OrganizationId | undefined> {
  const [row] = await db<{ id: OrganizationId }[]>`
    insert into organizations (id, name, slug)
    values (${organization.id}, ${organization.name}, ${organization.slug})
    on conflict (slug) do nothing
    returning id`
  return row?.id
}

/** Keeps the organization, and who owns it, as they are until the transaction ends. */
export async function lockOrganization(
  db: Db,
  id: OrganizationId,
): Promise<{ hasOwner: boolean } | undefined> {
  const [row] = await db<{ hasOwner: boolean }[]>`
    select exists (
      select from memberships m where m.organization_id = o.id and m.level = 15
    ) as "hasOwner"
    from organizations o where o.id = ${id} for update`
  return row
}

export async function insertMembership(
  db: Db,
  membership: { id: string; organization: OrganizationId; user: UserId; level: Level },
): Promise<void> {
  await db`
    insert into memberships (id, organization_id, user_id, level)
    values (${membership.id}, ${membership.organization}, ${membership.user}, ${membership.level})`
}

/** The user's level in an organization; `null` for an outsider, undefined when there is none. */
export async function findOrganizationLevel(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<{ level: Level | null } | undefined> {
  const [row] = await db<{ level: Level | null }[]>`
    select m.level from organizations o
    left join memberships m on m.organization_id = o.id and m.user_id = ${user}
    where o.id = ${organization}`
  return row
}
