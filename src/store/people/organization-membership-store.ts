/** Organizations that a user belongs to, within the restrictions of a key. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { KeyRestrictions } from './key-store.ts'
import type { Level } from './organization-store.ts'

export type OrganizationMembership = {
  readonly id: OrganizationId
  readonly name: string
  readonly slug: string
  readonly level: Level
}

/** An organization, with its membership of one user. */
export type StoredOrganization = OrganizationMembership & {
  readonly pluginsAccessLevel: number
  readonly isMemberJoinEmailEnabled: boolean
  /** Event definitions of all its projects that a user has described or tagged. */
  readonly describedEvents: number
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** All of them, first joined first: the order in which `@current` picks one. */
export async function listOrganizationMemberships(
  db: Db,
  user: UserId,
  restrictions: KeyRestrictions,
): Promise<OrganizationMembership[]> {
  return await db<OrganizationMembership[]>`
    select o.id, o.name, o.slug, m.level
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${user} and ${reached(db, restrictions)}
    order by m.joined_at, o.id`
}

/** Lists organizations in the order of `listOrganizationMemberships`. */
export async function listOrganizations(
  db: Db,
  user: UserId,
  restrictions: KeyRestrictions,
  page: { limit: number; offset: number },
): Promise<StoredOrganization[]> {
  return await db<StoredOrganization[]>`
    select ${organizationColumns(db)}
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${user} and ${reached(db, restrictions)}
    order by m.joined_at, o.id limit ${page.limit} offset ${page.offset}`
}

export async function countOrganizations(
  db: Db,
  user: UserId,
  restrictions: KeyRestrictions,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from memberships m
    where m.user_id = ${user} and ${reached(db, restrictions)}`
  return row?.count ?? 0
}

/** @returns undefined when the user is not in it. */
export async function findOrganization(
  db: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<StoredOrganization | undefined> {
  const [row] = await db<StoredOrganization[]>`
    select ${organizationColumns(db)}
    from memberships m join organizations o on o.id = m.organization_id
    where o.id = ${organization} and m.user_id = ${user}`
  return row
}

/** As `findOrganization`, and locks the organization until the transaction ends. */
export async function lockOwnOrganization(
  tx: Db,
  organization: OrganizationId,
  user: UserId,
): Promise<StoredOrganization | undefined> {
  const [row] = await tx<StoredOrganization[]>`
    select ${organizationColumns(tx)}
    from memberships m join organizations o on o.id = m.organization_id
    where o.id = ${organization} and m.user_id = ${user} for update of o`
  return row
}

function organizationColumns(db: Db) {
  return db`
    o.id, o.name, o.slug, m.level, o.plugins_access_level as "pluginsAccessLevel",
    o.is_member_join_email_enabled as "isMemberJoinEmailEnabled",
    (
      select count(*)::integer from projects p join event_definitions d on d.project_id = p.id
      where p.organization_id = o.id and (d.description <> '' or d.tags <> '{}')
    ) as "describedEvents",
    to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(o.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt"`
}

/** A key restricted to projects reaches the organizations that hold one of them. */
function reached(db: Db, { scopedProjects, scopedOrganizations }: KeyRestrictions) {
  const projects = scopedProjects.map(String)
  const organizations = [...scopedOrganizations]
  return db`
    (${organizations}::text[] = '{}'
      or m.organization_id = any (${organizations}::text[]::uuid[]))
    and (${projects}::text[] = '{}' or exists (
      select from projects p
      where p.organization_id = m.organization_id
        and p.id = any (${projects}::text[]::integer[])
    ))`
}
