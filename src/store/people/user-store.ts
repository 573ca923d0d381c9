/** Rows of users, and who made or changed a row of another table. */
import type { OrganizationId, ProjectId, UserId } from '../../core/ids.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { EMAIL_TOKEN_HOURS } from '../../core/limits/limits.ts'
import { type Db, jsonText } from '../../postgres/db.ts'

export type NewUser = {
  readonly uuid: string
  readonly distinctId: string
  readonly email: string
  readonly firstName: string
  readonly isStaff: boolean
  /** See `src/access/password.ts`; null for who has none. */
  readonly passwordHash: string | null
  readonly emailOptIn: boolean
  readonly isEmailConfirmed: boolean
}

/** The fields of a user that the user may write, staff one of them. */
export type UserSettings = {
  readonly firstName: string
  readonly email: string
  readonly emailOptIn: boolean
  readonly anonymizeData: boolean
  readonly toolbarMode: string
  readonly notificationSettings: JsonObject
  readonly eventsColumnConfig: Json
  readonly isStaff: boolean
}

export type StoredUser = UserSettings & {
  readonly id: UserId
  readonly uuid: string
  readonly distinctId: string
  readonly isActive: boolean
  /** The user has shown that the address is theirs, or the operator has said so. */
  readonly isEmailConfirmed: boolean
  /** Requested address that is not confirmed yet. */
  readonly pendingEmail: string | null
  /** True if there is a hash, which no answer of a call contains. */
  readonly hasPassword: boolean
  /** ISO 8601, microseconds, `Z`. */
  readonly dateJoined: string
}

/** The current place of a user: as stored, and as it should be. */
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

/**
 * Whether the user with this address, in whatever case, is a member of an organization; undefined
 * when no user has the address.
 */
export async function findEmailRelation(
  db: Db,
  email: string,
  organization: OrganizationId,
): Promise<'member' | 'outsider' | undefined> {
  const [row] = await db<{ isMember: boolean }[]>`
    select exists (
      select from memberships m where m.user_id = u.id and m.organization_id = ${organization}
    ) as "isMember"
    from users u where lower(u.email) = lower(${email})`
  if (row === undefined) return undefined
  return row.isMember ? 'member' : 'outsider'
}

/** @throws {PostgresError} 23505 on `users_email` when the address is taken, in whatever case. */
export async function insertUser(db: Db, user: NewUser): Promise<UserId> {
  const [row] = await db<{ id: UserId }[]>`
    insert into users (
      uuid, distinct_id, email, first_name, is_staff, password_hash, email_opt_in,
      confirmed_email
    ) values (
      ${user.uuid}, ${user.distinctId}, ${user.email}, ${user.firstName}, ${user.isStaff},
      ${user.passwordHash}, ${user.emailOptIn}, ${user.isEmailConfirmed ? user.email : null}
    ) returning id`
  if (row === undefined) throw new Error('insert into users answered no row')
  return row.id
}

export async function findUser(db: Db, id: UserId): Promise<StoredUser | undefined> {
  const [row] = await db<StoredUser[]>`select ${userColumns(db)} from users u where u.id = ${id}`
  return row
}

/** As `findUser`, and lets one transaction at a time change the user; held until it ends. */
export async function lockUser(tx: Db, id: UserId): Promise<StoredUser | undefined> {
  // Not `for update`: rows that refer to the user, such as audit entries, must not wait for it.
  const [row] = await tx<StoredUser[]>`
    select ${userColumns(tx)} from users u where u.id = ${id} for no key update`
  return row
}

export async function updateUserActive(tx: Db, id: UserId, isActive: boolean): Promise<void> {
  await tx`update users set is_active = ${isActive} where id = ${id}`
}

/** @param uuid in its usual form. */
export async function findUserId(db: Db, uuid: string): Promise<UserId | undefined> {
  const [row] = await db<{ id: UserId }[]>`select id from users where uuid = ${uuid}`
  return row?.id
}

export async function findUserIdByEmail(db: Db, email: string): Promise<UserId | undefined> {
  const [row] = await db<{ id: UserId }[]>`
    select id from users where lower(email) = lower(${email})`
  return row?.id
}

/** All users of the instance, by id. */
export async function listUsers(
  db: Db,
  page: { limit: number; offset: number },
): Promise<StoredUser[]> {
  return await db<StoredUser[]>`
    select ${userColumns(db)} from users u order by u.id limit ${page.limit} offset ${page.offset}`
}

export async function countUsers(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::integer as count from users`
  return row?.count ?? 0
}

function userColumns(db: Db) {
  return db`
    u.id, u.uuid, u.distinct_id as "distinctId", u.first_name as "firstName", u.email,
    u.email_opt_in as "emailOptIn", u.anonymize_data as "anonymizeData",
    u.toolbar_mode as "toolbarMode", u.notification_settings as "notificationSettings",
    u.events_column_config as "eventsColumnConfig", u.is_staff as "isStaff",
    u.is_active as "isActive",
    lower(u.confirmed_email) is not distinct from lower(u.email) as "isEmailConfirmed",
    u.pending_email as "pendingEmail",
    u.password_hash is not null as "hasPassword",
    to_char(u.date_joined at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "dateJoined"`
}

/** Notes that the address is the user's, while it is the one that the user has. */
export async function confirmEmail(tx: Db, id: UserId, email: string): Promise<void> {
  await tx`
    update users set confirmed_email = email
    where id = ${id} and lower(email) = lower(${email})`
}

/** Null and null when the user asks for no address. */
export type PendingEmail = {
  readonly email: string | null
  /** SHA-256 of the token that went there; null where no mail is sent. */
  readonly tokenSha256: Buffer | null
}

/** Notes what the user asks for now, in place of what they asked for before. */
export async function savePendingEmail(
  tx: Db,
  id: UserId,
  { email, tokenSha256 }: PendingEmail,
): Promise<void> {
  await tx`
    update users set pending_email = ${email}, pending_email_sha256 = ${tokenSha256},
      pending_email_at = case when ${email}::text is not null then now() end
    where id = ${id}`
}

/**
 * Finds the active user with this token, if it is not too old; locked until the transaction ends.
 */
export async function lockUserByEmailToken(tx: Db, digest: Buffer): Promise<UserId | undefined> {
  const [row] = await tx<{ id: UserId }[]>`
    select id from users
    where pending_email_sha256 = ${digest} and is_active
      and pending_email_at > now() - make_interval(hours => ${EMAIL_TOKEN_HOURS})
    for no key update`
  return row?.id
}

/**
 * Gives the user an address that is known to be theirs; what they have asked for is done with.
 * @throws {PostgresError} 23505 on `users_email` when the address is taken, in whatever case.
 */
export async function setConfirmedEmail(tx: Db, id: UserId, email: string): Promise<void> {
  await tx`
    update users set email = ${email}, confirmed_email = ${email}, pending_email = null,
      pending_email_sha256 = null, pending_email_at = null
    where id = ${id}`
}

/**
 * Writes every writable field: the caller holds the row's lock and has merged the change in.
 * @throws {PostgresError} 23505 on `users_email` when the address is taken, in whatever case.
 */
export async function updateUser(tx: Db, id: UserId, s: UserSettings): Promise<void> {
  await tx`
    update users set
      first_name = ${s.firstName}, email = ${s.email}, email_opt_in = ${s.emailOptIn},
      anonymize_data = ${s.anonymizeData}, toolbar_mode = ${s.toolbarMode},
      notification_settings = ${jsonText(s.notificationSettings)}::text::json,
      events_column_config = ${jsonText(s.eventsColumnConfig)}::text::json,
      is_staff = ${s.isStaff}
    where id = ${id}`
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

/** Saves the current place. Waits for a concurrent removal of it, and saves null then. */
export async function saveCurrentPlace(
  db: Db,
  user: UserId,
  organization: OrganizationId | null,
  project: ProjectId | null,
): Promise<void> {
  await db`
    update users set
      current_organization_id = (
        select o.id from organizations o where o.id = ${organization} for key share
      ),
      current_project_id = (select p.id from projects p where p.id = ${project} for key share)
    where id = ${user}`
}

/** Key of `pg_advisory_xact_lock`: any number that nothing else here locks. */
const BOOTSTRAP_LOCK = '7386502317730146'

/** Lets one transaction at a time make the first user; held until it ends. */
export async function lockBootstrap(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::text::bigint)`
}

/** User who made or changed something. */
export type UserSummary = {
  readonly id: UserId
  readonly uuid: string
  readonly distinctId: string
  readonly firstName: string
  readonly email: string
}

/** A column of `UserSummary`, null once the user is gone: `users` is left-joined as `u`. */
export function userSummary(db: Db) {
  return db`
    case when u.id is not null then json_build_object(
      'id', u.id, 'uuid', u.uuid, 'distinctId', u.distinct_id, 'firstName', u.first_name,
      'email', u.email
    ) end`
}
