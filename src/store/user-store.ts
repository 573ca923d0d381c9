import type { OrganizationId, ProjectId, UserId } from '../core/ids.ts'
import type { Db } from './db.ts'

export type NewUser = {
  readonly uuid: string
  readonly distinctId: string
  readonly email: string
  readonly firstName: string
  readonly isStaff: boolean
}

/** Where a user is at work: as stored, and as it should be. */
export type CurrentPlace = {
  readonly storedOrganizationId: OrganizationId | null
  readonly storedProjectId: ProjectId | null
  readonly organizationId: OrganizationId | null
  readonly projectId: ProjectId | null
}

export async function anyUserExists(db: Db): Promise<boolean> {
  const [row] = await db<{ exists: boolean }[]>`select exists (select from users) as exists`
  return row?.exists === true
}

export async function emailIsTaken(db: Db, email: string): Promise<boolean> {
  const [row] = await db<{ exists: boolean }[]>`
    select exists (select from users where lower(email) = lower(${email})) as exists`
  return row?.exists === true
}

/** @throws {PostgresError} 23505 on `users_email` when the address is taken, in whatever case. */
export async function insertUser(db: Db, user: NewUser): Promise<UserId> {
  const [row] = await db<{ id: UserId }[]>`
    insert into users (uuid, distinct_id, email, first_name, is_staff)
    values (${user.uuid}, ${user.distinctId}, ${user.email}, ${user.firstName}, ${user.isStaff})
    returning id`
  if (row === undefined) throw new Error('insert into users answered no row')
  return row.id
}

/**
 * The stored place beside the one that holds: the stored organization while the user is a member,
 * else the first joined; the stored project while it is visible there, else the first visible one.
 */
export async function findCurrentPlace(db: Db, user: UserId): Promise<CurrentPlace | undefined> {
  const [row] = await db<CurrentPlace[]>`
    select u.current_organization_id as "storedOrganizationId",
      u.current_project_id as "storedProjectId",
      o.id as "organizationId", p.id as "projectId"
    from users u
    left join lateral (
      select m.organization_id as id, m.level from memberships m where m.user_id = u.id
      order by (m.organization_id is not distinct from u.current_organization_id) desc,
        m.joined_at, m.organization_id
      limit 1
    ) o on true
    left join lateral (
      select p.id from projects p
      where p.organization_id = o.id and (not p.access_control or o.level > 1)
      order by (p.id is not distinct from u.current_project_id) desc, p.id
      limit 1
    ) p on true
    where u.id = ${user}`
  return row
}

export async function saveCurrentPlace(
  db: Db,
  user: UserId,
  organization: OrganizationId | null,
  project: ProjectId | null,
): Promise<void> {
  await db`
    update users set current_organization_id = ${organization}, current_project_id = ${project}
    where id = ${user}`
}

/** Of `pg_advisory_xact_lock`: any number that nothing else here locks. */
const BOOTSTRAP_LOCK = '7386502317730146'

/** Lets one transaction at a time make the first user; held until it ends. */
export async function lockBootstrap(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::text::bigint)`
}
