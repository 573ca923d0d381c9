/** Reads entries of the audit log. */
import type { OrganizationId, ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { Level } from '../people/organization-store.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'
import type { AuditChange } from './audit-store.ts'

export type StoredAuditEntry = {
  readonly id: string
  /** Null once the user is gone, and for what was done without a key. */
  readonly user: UserSummary | null
  readonly keyId: string | null
  readonly activity: string
  readonly scope: string
  readonly itemId: string
  readonly projectId: number | null
  readonly organizationId: string | null
  readonly itemName: string | null
  readonly itemVersion: number | null
  readonly changes: readonly AuditChange[]
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
}

/** Selects the entries of a place that match every field that is given. */
export type AuditSelection = {
  readonly place:
    | { readonly projectId: ProjectId }
    /**
     * Entries of the organization and of its projects, as far as a user of this level sees these.
     */
    | { readonly organizationId: OrganizationId; readonly level: Level }
    /** Entries that concern no organization. */
    | 'instance'
  readonly scope?: string | undefined
  readonly itemId?: string | undefined
  readonly user?: { readonly id: number } | { readonly uuid: string } | undefined
}

export type AuditPage = {
  readonly limit: number
  readonly offset: number
  /** Bytes of the changes as text; one entry alone is always given. */
  readonly bytesMax: number
}

/** Newest first; `too_large` when the entries of the page together exceed its bytes. */
export async function listAuditEntries(
  db: Db,
  selection: AuditSelection,
  page: AuditPage,
): Promise<readonly StoredAuditEntry[] | 'too_large'> {
  const rows = await db<(StoredAuditEntry & { rowsOfPage: number })[]>`
    select e.id, ${userSummary(db)} as "user", e.key_id as "keyId", e.activity, e.scope,
      e.item_id as "itemId", e.project_id as "projectId", e.organization_id as "organizationId",
      e.item_name as "itemName", e.item_version as "itemVersion", e.changes,
      to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
      e.rows::integer as "rowsOfPage"
    from (
      select r.*, count(*) over () as rows, row_number() over newest as place,
        sum(octet_length(r.changes::text)) over newest as bytes
      from (
        select a.id, a.user_id, a.key_id, a.activity, a.scope, a.item_id, a.project_id,
          a.organization_id, a.item_name, a.item_version, a.changes, a.created_at
        from audit_log a where ${selected(db, selection)}
        order by a.created_at desc, a.id desc limit ${page.limit} offset ${page.offset}
      ) r
      window newest as (order by r.created_at desc, r.id desc rows unbounded preceding)
    ) e
    left join users u on u.id = e.user_id
    where e.place = 1 or e.bytes <= ${page.bytesMax}
    order by e.place`
  return rows.length < (rows[0]?.rowsOfPage ?? 0) ? 'too_large' : rows
}

export async function countAuditEntries(db: Db, selection: AuditSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from audit_log a where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { place, scope, itemId, user }: AuditSelection) {
  return db`
    ${placed(db, place)}
    ${scope === undefined ? db`` : db`and a.scope = ${scope}`}
    ${itemId === undefined ? db`` : db`and a.item_id = ${itemId}`}
    ${user === undefined ? db`` : db`and ${madeBy(db, user)}`}`
}

function placed(db: Db, place: AuditSelection['place']) {
  if (place === 'instance') return db`a.organization_id is null and a.project_id is null`
  return 'projectId' in place ? db`a.project_id = ${place.projectId}` : seenIn(db, place)
}

/**
 * Limits a plain member to projects that exist and are not under access control: the access control
 * of a removed project is not known any more.
 */
function seenIn(db: Db, place: { organizationId: OrganizationId; level: Level }) {
  return db`
    a.organization_id = ${place.organizationId} and (
      ${place.level}::integer > 1 or a.project_id is null or exists (
        select from projects p where p.id = a.project_id and not p.access_control
      )
    )`
}

function madeBy(db: Db, user: { id: number } | { uuid: string }) {
  return 'id' in user
    ? db`a.user_id = ${user.id}`
    : db`a.user_id = (select u.id from users u where u.uuid = ${user.uuid})`
}

/** Finds the state of a flag at a version; undefined when no entry kept it. */
export async function findFlagSnapshot(
  db: Db,
  project: ProjectId,
  flag: number,
  version: number,
): Promise<unknown> {
  const [row] = await db<{ snapshot: unknown }[]>`
    select snapshot from audit_log
    where scope = 'FeatureFlag' and item_id = ${String(flag)} and project_id = ${project}
      and item_version = ${version} and snapshot is not null
    order by created_at desc, id desc limit 1`
  return row?.snapshot
}

export type FlagSnapshotAt = {
  readonly id: number
  readonly version: number
  readonly snapshot: unknown
}

/** Lists the state of each flag at a time, including flags that are removed by now. */
export async function listFlagSnapshotsAt(
  db: Db,
  project: ProjectId,
  at: Date,
): Promise<readonly FlagSnapshotAt[]> {
  return await db<FlagSnapshotAt[]>`
    select distinct on (item_id) item_id::integer as id, item_version as version, snapshot
    from audit_log
    where scope = 'FeatureFlag' and project_id = ${project} and snapshot is not null
      and created_at <= ${at}
    order by item_id, created_at desc, id desc`
}
