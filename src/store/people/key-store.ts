/** Rows of personal keys, as authentication reads them. */
import { AppError } from '../../core/code.ts'
import { type ProjectId, type Revision, revision, type UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import type { Db } from '../../postgres/db.ts'
import { unavailableDetail } from '../../wire/details.ts'

/** A personal key with its active user. */
export type StoredKey = {
  readonly keyId: string
  readonly userId: UserId
  readonly isStaff: boolean
  readonly scopes: readonly string[]
  readonly scopedProjects: readonly number[]
  readonly scopedOrganizations: readonly string[]
  /** Seconds since the last recorded use; null when there was none. */
  readonly usedSecondsAgo: number | null
  /** ISO 8601, microseconds, `Z`; null for a key that does not expire. */
  readonly expiresAt: string | null
  /** Time until it expires, by the clock of the database. */
  readonly expiresInMs: number | null
}

/** Restrictions of a key, each empty if there is none; both apply. */
export type KeyRestrictions = Pick<StoredKey, 'scopedProjects' | 'scopedOrganizations'>

export type NewKey = {
  readonly id: string
  readonly user: UserId
  readonly label: string
  readonly digest: Buffer
  readonly mask: string
}

/** @returns undefined for an unknown or expired key and for the key of an inactive user. */
export async function findKey(db: Db, digest: Buffer): Promise<StoredKey | undefined> {
  const [row] = await db<StoredKey[]>`
    select k.id as "keyId", u.id as "userId", u.is_staff as "isStaff", k.scopes,
      k.scoped_projects as "scopedProjects", k.scoped_organizations as "scopedOrganizations",
      extract(epoch from now() - k.last_used_at)::float8 as "usedSecondsAgo",
      to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "expiresAt",
      extract(epoch from k.expires_at - now())::float8 * 1000 as "expiresInMs"
    from personal_api_keys k join users u on u.id = k.user_id and u.is_active
    where k.key_sha256 = ${digest} and (k.expires_at is null or k.expires_at > now())`
  return row
}

/** @throws {PostgresError} 23505 when the value exists already. */
export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db`
    insert into personal_api_keys (id, user_id, label, key_sha256, mask_value)
    values (${key.id}, ${key.user}, ${key.label}, ${key.digest}, ${key.mask})`
}

/** Records a use, once an hour at most for all callers. */
export async function touchKey(db: Db, keyId: string): Promise<void> {
  await db`
    update personal_api_keys set last_used_at = now()
    where id = ${keyId}
      and (last_used_at is null or last_used_at < now() - interval '1 hour')`
}

export type KeyLookup = {
  readonly token: string
  /** SHA-256 of the token in hexadecimal. */
  readonly digest: string
  /** 0 when the request names none, -1 when it names none that can be. */
  readonly projectId: number
}

export type ResolvedProject = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly anonymizeIps: boolean
  readonly apiToken: string
  readonly hasFlags: boolean
  readonly hasPlugins: boolean
  readonly capturePerformance: boolean
  /** Null unless the project opted in. */
  readonly sessionRecording: StoredRecording | null
}

export type StoredRecording = {
  readonly consoleLog: boolean
  /** Domains as they were written. */
  readonly domains: Json
}

/** Scopes of public routes that a personal key lacks; a project key lacks none. */
export type LackedScopes = { readonly eventWrite: boolean; readonly featureFlagRead: boolean }

export type ResolvedKey =
  | {
      readonly kind: 'project'
      readonly project: ResolvedProject
      /** Time until the key expires; null for one that does not. */
      readonly expiresInMs: number | null
      readonly lacks: LackedScopes
      /** A personal key named the project, not the project's own token. */
      readonly isPersonal: boolean
    }
  /** A personal key that reaches no project or several, where the request names none. */
  | { readonly kind: 'undetermined'; readonly expiresInMs: number | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid_personal' }

type ResolvedRow = Omit<ResolvedProject, 'id'> & {
  id: ProjectId | null
  revision: bigint
  isPersonal: boolean
  expiresInMs: number | null
  lacksEventWrite: boolean
  lacksFeatureFlagRead: boolean
}

/**
 * Answers all questions in one statement, in their order. A project token names its project,
 * whatever else the request says. A personal key may be used for the project that the request
 * names, and without one for the only project that the key reaches.
 */
export async function resolveKeys(db: Db, lookups: readonly KeyLookup[]): Promise<ResolvedKey[]> {
  const rows = await db<ResolvedRow[]>`
    select coalesce(p.id, o.id) as id, coalesce(p.revision, o.revision) as revision,
      coalesce(p.anonymize_ips, o.anonymize_ips) as "anonymizeIps",
      coalesce(p.api_token, o.api_token) as "apiToken",
      coalesce(p.capture_performance_opt_in, o.capture_performance_opt_in, false)
        as "capturePerformance",
      case when coalesce(p.session_recording_opt_in, o.session_recording_opt_in)
        then json_build_object(
          'consoleLog',
          coalesce(p.capture_console_log_opt_in, o.capture_console_log_opt_in, false),
          'domains', coalesce(p.recording_domains, o.recording_domains)
        ) end as "sessionRecording",
      k.user_id is not null as "isPersonal",
      extract(epoch from k.expires_at - now())::float8 * 1000 as "expiresInMs",
      exists (
        select from feature_flags f
        where f.project_id = coalesce(p.id, o.id) and f.active and not f.deleted
      ) as "hasFlags",
      exists (
        select from plugin_configs c where c.project_id = coalesce(p.id, o.id) and c.enabled
      ) as "hasPlugins",
      coalesce(not k.scopes && '{*,event:write}', false) as "lacksEventWrite",
      coalesce(not k.scopes && '{*,feature_flag:read,feature_flag:write}', false)
        as "lacksFeatureFlagRead"
    from rows from (
      jsonb_to_recordset(${JSON.stringify(lookups)}::text::jsonb)
        as (token text, digest text, "projectId" integer)
    ) with ordinality as q (token, digest, "projectId", place)
    left join projects p on p.api_token = q.token
    left join lateral (
      select k.* from personal_api_keys k join users u on u.id = k.user_id and u.is_active
      where p.id is null and k.key_sha256 = decode(q.digest, 'hex')
        and (k.expires_at is null or k.expires_at > now())
    ) k on true
    left join lateral (
      -- Two are as many as are too many.
      select min(two.id) as id from (
        select seen.id from memberships m
        join projects seen on seen.organization_id = m.organization_id
        where m.user_id = k.user_id and q."projectId" in (0, seen.id)
          and (not seen.access_control or m.level > 1)
          and (k.scoped_projects = '{}' or seen.id = any(k.scoped_projects))
          and (k.scoped_organizations = '{}' or seen.organization_id = any(k.scoped_organizations))
        limit 2
      ) two having count(*) = 1
    ) reached on true
    left join projects o on o.id = reached.id
    order by q.place`
  // Each question has its row; a key must never seem unknown for want of an answer.
  if (rows.length !== lookups.length) {
    throw new AppError('unavailable', 'no answer about keys', { detail: unavailableDetail })
  }
  return lookups.map((lookup, index) => toResolvedKey(rows[index], lookup.projectId))
}

function toResolvedKey(row: ResolvedRow | undefined, asked: number): ResolvedKey {
  if (row === undefined || row.id === null) {
    if (asked > 0) return { kind: 'invalid_personal' }
    return row?.isPersonal === true
      ? { kind: 'undetermined', expiresInMs: row.expiresInMs }
      : { kind: 'unknown' }
  }
  const { id, isPersonal, expiresInMs, lacksEventWrite, lacksFeatureFlagRead, ...rest } = row
  const project = { ...rest, id, revision: revision(Number(row.revision)) }
  const lacks = { eventWrite: lacksEventWrite, featureFlagRead: lacksFeatureFlagRead }
  return { kind: 'project', project, expiresInMs, lacks, isPersonal }
}
