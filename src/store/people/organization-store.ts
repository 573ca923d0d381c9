/** Rows of organizations and of their members. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** 1 member, 8 administrator, 15 owner. */
export type Level = 1 | 8 | 15

/** The fields of an organization that its administrators may write. */
export type OrganizationSettings = {
  readonly name: string
  readonly isMemberJoinEmailEnabled: boolean
}

/** @returns undefined when the slug is taken: try another one. */
export async function insertOrganization(
  db: Db,
  organization: OrganizationSettings & { id: OrganizationId; slug: string },
): Promise<OrganizationId | undefined> {
  const { id, name, slug, isMemberJoinEmailEnabled } = organization
  const [row] = await db<{ id: OrganizationId }[]>`
    insert into organizations (id, name, slug, is_member_join_email_enabled)
    values (${id}, ${name}, ${slug}, ${isMemberJoinEmailEnabled})
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

export async function insertOrganizationMembership(
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
): Promise<{ level: Level | null; pluginsAccessLevel: number } | undefined> {
  const [row] = await db<{ level: Level | null; pluginsAccessLevel: number }[]>`
    select m.level, o.plugins_access_level as "pluginsAccessLevel" from organizations o
    left join memberships m on m.organization_id = o.id and m.user_id = ${user}
    where o.id = ${organization}`
  return row
}

/**
 * @param level 0 none, 3 configure, 6 install, 9 install for all organizations.
 * @returns its name and the level that it had; undefined when there is none.
 */
export async function setPluginsAccessLevel(
  tx: Db,
  id: OrganizationId,
  level: number,
): Promise<{ name: string; before: number } | undefined> {
  const [row] = await tx<{ name: string; before: number }[]>`
    update organizations o set plugins_access_level = ${level}, updated_at = now()
    from (select plugins_access_level from organizations where id = ${id} for update) was
    where o.id = ${id} returning o.name, was.plugins_access_level as before`
  return row
}

/** @returns when it was updated, which moves also when the settings are those that it has. */
export async function updateOrganization(
  tx: Db,
  id: OrganizationId,
  { name, isMemberJoinEmailEnabled }: OrganizationSettings,
): Promise<{ updatedAt: string } | undefined> {
  const [row] = await tx<{ updatedAt: string }[]>`
    update organizations
    set name = ${name}, is_member_join_email_enabled = ${isMemberJoinEmailEnabled},
      updated_at = now()
    where id = ${id}
    returning
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt"`
  return row
}

/**
 * Deletes an organization with its memberships, plugins and invites. Call `deleteProjectsOf` first.
 */
export async function deleteOrganization(tx: Db, id: OrganizationId): Promise<void> {
  await tx`delete from organizations where id = ${id}`
}

export async function hasSeveralOrganizations(db: Db): Promise<boolean> {
  return (await db`select from organizations limit 2`).length === 2
}

/** True when one of the addresses, in whatever case, is that of a member. */
export async function hasOrganizationMemberAmong(
  db: Db,
  organization: OrganizationId,
  emails: readonly string[],
): Promise<boolean> {
  const [row] = await db<{ exists: boolean }[]>`
    select exists (
      select from unnest(${[...emails]}::text[]) as asked (email)
      join users u on lower(u.email) = lower(asked.email)
      join memberships m on m.user_id = u.id and m.organization_id = ${organization}
    ) as exists`
  return row?.exists === true
}
