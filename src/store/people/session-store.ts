/** Rows of sessions: who is signed in. */
import type { UserId } from '../../core/ids.ts'
import { SESSION_DAYS } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'

/** Minutes in which a login link signs its user in. */
const LOGIN_LINK_MINUTES = 15
/** Days that an expired login link is kept, so that its user is told why it fails. */
const LOGIN_LINK_KEPT_DAYS = 1

/** Days after which a session ends that is not used. */
const SESSION_IDLE_DAYS = 7
/** Sessions of one user: a further one ends the one that was used the longest ago. */
const SESSIONS_MAX = 50

/** A session that lasts, with its active user and the limits of the key that it was made from. */
export type StoredSession = {
  readonly sessionId: string
  readonly userId: UserId
  readonly isStaff: boolean
  readonly keyId: string | null
  readonly scopes: readonly string[]
  readonly scopedProjects: readonly number[]
  readonly scopedOrganizations: readonly string[]
  /** Seconds since the last recorded use. */
  readonly usedSecondsAgo: number
  /** End of the key: ISO 8601, microseconds, `Z`. */
  readonly expiresAt: string | null
  /** Time until the session or its key ends, by the clock of the database. */
  readonly expiresInMs: number
  /** End of the session unless it is used: ISO 8601, microseconds, `Z`. */
  readonly endsAt: string
}

export type NewSession = {
  readonly digest: Buffer
  /** UUID. */
  readonly id: string
  readonly user: UserId
  readonly keyId: string | null
  readonly agent: string
}

/** @returns undefined for one that is unknown or has ended, and for that of an inactive user. */
export async function findSession(db: Db, digest: Buffer): Promise<StoredSession | undefined> {
  const [row] = await db<StoredSession[]>`
    select s.id as "sessionId", u.id as "userId", u.is_staff as "isStaff", s.key_id as "keyId",
      coalesce(k.scopes, '{*}') as scopes,
      coalesce(k.scoped_projects, '{}') as "scopedProjects",
      coalesce(k.scoped_organizations, '{}') as "scopedOrganizations",
      extract(epoch from now() - s.last_seen_at)::float8 as "usedSecondsAgo",
      to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "expiresAt",
      extract(epoch from least(${endOf(db)}, k.expires_at) - now())::float8 * 1000
        as "expiresInMs",
      to_char(
        least(${endOf(db)}, k.expires_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
      ) as "endsAt"
    from sessions s join users u on u.id = s.user_id and u.is_active
    left join personal_api_keys k on k.id = s.key_id
    where s.id_sha256 = ${digest} and ${endOf(db)} > now()
      and (k.expires_at is null or k.expires_at > now())`
  return row
}

/**
 * Adds a session. Deletes ended sessions of all users and, if this user has too many, those unused
 * for the longest time. The caller holds the user's lock.
 */
export async function insertSession(tx: Db, session: NewSession): Promise<void> {
  await tx`delete from sessions s where ${endOf(tx)} <= now()`
  await tx`
    delete from sessions where id_sha256 in (
      select id_sha256 from sessions where user_id = ${session.user}
      order by last_seen_at desc, created_at desc offset ${SESSIONS_MAX - 1}
    )`
  await tx`
    insert into sessions (id_sha256, id, user_id, key_id, expires_at, agent)
    values (${session.digest}, ${session.id}, ${session.user}, ${session.keyId},
      now() + make_interval(days => ${SESSION_DAYS}), ${session.agent})`
}

/** Records a use, every five minutes at most for all callers. */
export async function touchSession(db: Db, id: string): Promise<void> {
  await db`
    update sessions set last_seen_at = now()
    where id = ${id} and last_seen_at < now() - interval '5 minutes'`
}

/** @returns whether the user had such a session. */
export async function deleteSession(tx: Db, user: UserId, id: string): Promise<boolean> {
  const rows = await tx`delete from sessions where user_id = ${user} and id = ${id} returning id`
  return rows.length > 0
}

/** A session as its user is shown it. Times are ISO 8601, microseconds, `Z`. */
export type ListedSession = {
  readonly id: string
  readonly agent: string
  readonly keyId: string | null
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly endsAt: string
}

/** Lists the sessions of a user that have not ended, the last used first. */
export async function listSessions(db: Db, user: UserId): Promise<ListedSession[]> {
  return await db<ListedSession[]>`
    select s.id, s.agent, s.key_id as "keyId", ${timeText(db, db`s.created_at`)} as "createdAt",
      ${timeText(db, db`s.last_seen_at`)} as "lastSeenAt",
      ${timeText(db, db`least(${endOf(db)}, k.expires_at)`)} as "endsAt"
    from sessions s left join personal_api_keys k on k.id = s.key_id
    where s.user_id = ${user} and ${endOf(db)} > now()
      and (k.expires_at is null or k.expires_at > now())
    order by s.last_seen_at desc, s.id desc limit ${SESSIONS_MAX}`
}

function timeText(db: Db, time: ReturnType<typeof endOf>) {
  return db`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** All of a user but one. @param kept undefined keeps none. */
export async function deleteOtherSessions(
  tx: Db,
  user: UserId,
  kept: string | undefined,
): Promise<void> {
  await tx`
    delete from sessions where user_id = ${user} and id is distinct from ${kept ?? null}::uuid`
}

/** All of a user. */
export async function deleteSessionsOf(tx: Db, user: UserId): Promise<void> {
  await tx`delete from sessions where user_id = ${user}`
}

/** Deletes the sessions that a personal key has made. */
export async function deleteSessionsOfKey(tx: Db, keyId: string): Promise<void> {
  await tx`delete from sessions where key_id = ${keyId}`
}

function endOf(db: Db) {
  return db`
    least(s.expires_at, s.last_seen_at + make_interval(days => ${SESSION_IDLE_DAYS}))`
}

/** Null for a user without a password. */
export async function findPasswordHash(db: Db, user: UserId): Promise<string | null> {
  const [row] = await db<{ hash: string | null }[]>`
    select password_hash as hash from users where id = ${user}`
  return row?.hash ?? null
}

export async function savePasswordHash(tx: Db, user: UserId, hash: string): Promise<void> {
  await tx`update users set password_hash = ${hash} where id = ${user}`
}

/** Fields of a user that signing in with a password needs. */
export type StoredPassword = { readonly userId: UserId; readonly passwordHash: string | null }

/** Finds the password of the active user with this address, ignoring case. */
export async function findPassword(db: Db, email: string): Promise<StoredPassword | undefined> {
  const [row] = await db<StoredPassword[]>`
    select id as "userId", password_hash as "passwordHash" from users
    where lower(email) = lower(${email}) and is_active`
  return row
}

/** Result of trying a link. */
type TriedLink =
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
