/** The members of an organization, as others of it see them. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { Level } from './organization-store.ts'
import { type UserSummary, userSummary } from './user-store.ts'

/** A user in an organization. */
export type StoredMember = {
  /** Id of the membership. */
  readonly id: string
  readonly user: UserSummary
  readonly level: Level
  readonly isActive: boolean
  readonly isEmailConfirmed: boolean
  /** ISO 8601, microseconds, `Z`. */
  readonly joinedAt: string
  readonly updatedAt: string
}

/** Id of the user, or a UUID: of the user or of the membership. */
export type MemberReference = { readonly userId: number } | { readonly uuid: string }

/** The highest level first, then who joined first. */
export async function listMembers(
  db: Db,
  organization: OrganizationId,
  page: { limit: number; offset: number },
): Promise<StoredMember[]> {
  return await db<StoredMember[]>`
    select ${memberColumns(db)} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization}
    order by m.level desc, m.joined_at, m.id limit ${page.limit} offset ${page.offset}`
}

export async function countMembers(db: Db, organization: OrganizationId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from memberships where organization_id = ${organization}`
  return row?.count ?? 0
}

export async function findMember(
  db: Db,
  organization: OrganizationId,
  reference: MemberReference,
): Promise<StoredMember | undefined> {
  const named =
    'uuid' in reference
      ? db`(u.uuid = ${reference.uuid} or m.id = ${reference.uuid})`
      : db`u.id = ${reference.userId}`
  const [row] = await db<StoredMember[]>`
    select ${memberColumns(db)} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and ${named}`
  return row
}

export async function findOwner(
  db: Db,
  organization: OrganizationId,
): Promise<StoredMember | undefined> {
  const [row] = await db<StoredMember[]>`
    select ${memberColumns(db)} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and m.level = 15`
  return row
}

/** The owner of the oldest organization whose owner is active. Ids are in the order of their age. */
export async function findFirstOwner(db: Db): Promise<UserId | undefined> {
  const [row] = await db<{ id: UserId }[]>`
    select u.id from memberships m join users u on u.id = m.user_id and u.is_active
    where m.level = 15 order by m.organization_id limit 1`
  return row?.id
}

/** @throws {PostgresError} 23505 on `memberships_one_owner` when there would be two owners. */
export async function updateMemberLevel(tx: Db, membership: string, level: Level): Promise<void> {
  await tx`update memberships set level = ${level}, updated_at = now() where id = ${membership}`
}

export async function deleteMember(tx: Db, membership: string): Promise<void> {
  await tx`delete from memberships where id = ${membership}`
}

/** Lists the organizations of a user. */
export async function listOrganizationsOf(db: Db, user: UserId): Promise<OrganizationId[]> {
  const rows = await db<{ id: OrganizationId }[]>`
    select organization_id as id from memberships where user_id = ${user}
    order by joined_at, organization_id`
  return rows.map(({ id }) => id)
}

function memberColumns(db: Db) {
  return db`
    m.id, m.level, ${userSummary(db)} as "user", u.is_active as "isActive",
    lower(u.confirmed_email) is not distinct from lower(u.email) as "isEmailConfirmed",
    to_char(m.joined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "joinedAt",
    to_char(coalesce(m.updated_at, m.joined_at) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt"`
}
