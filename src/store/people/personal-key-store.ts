/** Personal keys as their owners manage them; `key-store.ts` is what calls are let in by. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/** Settings of a key that its owner may write. */
export type KeySettings = {
  readonly label: string
  /** `object:read`, `object:write` or `*`. */
  readonly scopes: readonly string[]
  /** Project ids; empty is no restriction. */
  readonly scopedProjects: readonly number[]
  /** Empty is no restriction. */
  readonly scopedOrganizations: readonly OrganizationId[]
  /** ISO 8601, microseconds, `Z`; null for a key that does not expire. */
  readonly expiresAt: string | null
}

/** The trace that a value leaves: it cannot be had back. */
export type KeyTrace = { readonly digest: Buffer; readonly mask: string }

export type PersonalKey = KeySettings & {
  readonly id: string
  readonly userId: UserId
  readonly mask: string
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly lastRolledAt: string | null
}

/** All keys of a user, newest first. */
export async function listPersonalKeys(db: Db, user: UserId): Promise<PersonalKey[]> {
  return await db<PersonalKey[]>`
    select ${keyColumns(db)} from personal_api_keys k
    where k.user_id = ${user} order by k.created_at desc, k.id`
}

export async function countPersonalKeys(db: Db, user: UserId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from personal_api_keys where user_id = ${user}`
  return row?.count ?? 0
}

export async function findPersonalKey(
  db: Db,
  user: UserId,
  id: string,
): Promise<PersonalKey | undefined> {
  const [row] = await db<PersonalKey[]>`
    select ${keyColumns(db)} from personal_api_keys k where k.user_id = ${user} and k.id = ${id}`
  return row
}

/** As `findPersonalKey`, and locks the key until the transaction ends. */
export async function lockPersonalKey(
  tx: Db,
  user: UserId,
  id: string,
): Promise<PersonalKey | undefined> {
  const [row] = await tx<PersonalKey[]>`
    select ${keyColumns(tx)} from personal_api_keys k
    where k.user_id = ${user} and k.id = ${id} for update`
  return row
}

export async function insertPersonalKey(
  tx: Db,
  key: { id: string; user: UserId } & KeyTrace,
  settings: KeySettings,
): Promise<PersonalKey> {
  const { label, scopes, projects, organizations, expiresAt } = bound(settings)
  const [row] = await tx<PersonalKey[]>`
    insert into personal_api_keys as k (
      id, user_id, label, key_sha256, mask_value, scopes, scoped_projects, scoped_organizations,
      expires_at
    ) values (
      ${key.id}, ${key.user}, ${label}, ${key.digest}, ${key.mask}, ${scopes}::text[],
      ${projects}::text[]::integer[], ${organizations}::text[]::uuid[],
      ${expiresAt}::text::timestamptz
    ) returning ${keyColumns(tx)}`
  if (row === undefined) throw new Error('insert into personal_api_keys answered no row')
  return row
}

/** Writes every writable field: the caller holds the row's lock and has merged the change in. */
export async function updatePersonalKey(
  tx: Db,
  id: string,
  settings: KeySettings,
): Promise<PersonalKey | undefined> {
  const { label, scopes, projects, organizations, expiresAt } = bound(settings)
  const [row] = await tx<PersonalKey[]>`
    update personal_api_keys k
    set label = ${label}, scopes = ${scopes}::text[],
      scoped_projects = ${projects}::text[]::integer[],
      scoped_organizations = ${organizations}::text[]::uuid[],
      expires_at = ${expiresAt}::text::timestamptz
    where k.id = ${id} returning ${keyColumns(tx)}`
  return row
}

/** Gives the key another value. */
export async function rollPersonalKey(
  tx: Db,
  id: string,
  { digest, mask }: KeyTrace,
): Promise<PersonalKey | undefined> {
  const [row] = await tx<PersonalKey[]>`
    update personal_api_keys k
    set key_sha256 = ${digest}, mask_value = ${mask}, last_rolled_at = now()
    where k.id = ${id} returning ${keyColumns(tx)}`
  return row
}

/** Keys of a user that reach an organization, newest first. */
export async function listKeysReaching(
  db: Db,
  user: UserId,
  organization: OrganizationId,
): Promise<PersonalKey[]> {
  return await db<PersonalKey[]>`
    select ${keyColumns(db)} from personal_api_keys k
    where k.user_id = ${user} and ${reaches(db, organization)} order by k.created_at desc, k.id`
}

/** A key of a user that reaches an organization, kept as it is until the transaction ends. */
export async function lockKeyReaching(
  tx: Db,
  user: UserId,
  organization: OrganizationId,
  id: string,
): Promise<PersonalKey | undefined> {
  const [row] = await tx<PersonalKey[]>`
    select ${keyColumns(tx)} from personal_api_keys k
    where k.user_id = ${user} and k.id = ${id} and ${reaches(tx, organization)} for update`
  return row
}

/** The key with this id, or with the value that has this digest, of whichever user. */
export async function lockAnyKey(
  tx: Db,
  { id, digest }: { id: string; digest: Buffer },
): Promise<PersonalKey | undefined> {
  const [row] = await tx<PersonalKey[]>`
    select ${keyColumns(tx)} from personal_api_keys k
    where k.id = ${id} or k.key_sha256 = ${digest} for update`
  return row
}

/** A key with a restriction to projects reaches the organizations that hold one of them. */
function reaches(db: Db, organization: OrganizationId) {
  return db`
    (k.scoped_organizations = '{}' or ${organization} = any (k.scoped_organizations))
    and (k.scoped_projects = '{}' or exists (
      select from projects p
      where p.organization_id = ${organization} and p.id = any (k.scoped_projects)
    ))`
}

export async function deletePersonalKey(tx: Db, id: string): Promise<void> {
  await tx`delete from personal_api_keys where id = ${id}`
}

/** Lists as texts: the driver cannot bind one of numbers. */
function bound(settings: KeySettings) {
  const { label, scopes, scopedProjects, scopedOrganizations, expiresAt } = settings
  return {
    label,
    expiresAt,
    scopes: [...scopes],
    projects: scopedProjects.map(String),
    organizations: [...scopedOrganizations],
  }
}

function keyColumns(db: Db) {
  return db`
    k.id, k.user_id as "userId", k.label, k.mask_value as mask, k.scopes,
    k.scoped_projects as "scopedProjects", k.scoped_organizations as "scopedOrganizations",
    to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
    to_char(k.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "lastUsedAt",
    to_char(k.last_rolled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      as "lastRolledAt",
    to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "expiresAt"`
}
