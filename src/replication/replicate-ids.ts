/**
 * Replicates to ClickHouse which person owns each distinct id. Triggers record changed ids in the
 * transaction that changes them; the lease holder reads their current owners and sends them.
 * Sending twice, or late, does no harm: the highest version of an id counts, and versions only
 * grow.
 */

import type { ColumnStore } from '../clickhouse/connect.ts'
import {
  forgetGone,
  forgetIds,
  type IdSum,
  type OwnedId,
  sendIds,
  sumIds,
} from '../clickhouse/distinct-ids.ts'
import { PERSONS } from '../event-store/outbox/gaps.ts'
import { intArray } from '../postgres/columns.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { holds, LeaseLost } from './blocks.ts'
import type { MonthComparison } from './compare-days.ts'
import type { Lease } from './lease.ts'

/** Distinct ids in one statement to ClickHouse. */
export const REPLICA_IDS_ROWS = 20_000

export type IdDeps = {
  readonly sql: Sql
  readonly store: ColumnStore
  readonly lease: Lease
}

/**
 * Sends the owners of some changed ids.
 * @returns false when none had.
 * @throws {LeaseLost} @throws {ColumnError}
 */
export async function sendChangedIds({ sql, store, lease }: IdDeps): Promise<boolean> {
  const changes = await sql<{ id: bigint }[]>`
    select id from distinct_id_changes order by id limit ${REPLICA_IDS_ROWS}`
  if (changes.length === 0) return false
  // A subquery, because Postgres reads the text of an array in a condition again for each row.
  const ids = sql`(select unnest(${intArray(changes.map(({ id }) => id))}::text::bigint[]))`
  const version = await takeVersion(sql, lease)
  // Read after the version is taken, so that a later version has newer owners.
  const owned = await sql<OwnedId[]>`
    select c.project_id as "projectId", c.distinct_id as "distinctId",
      coalesce(d.person_id, 0)::text as "personId"
    from (
      select distinct project_id, distinct_id from distinct_id_changes
      where id in ${ids}
    ) c left join distinct_ids d on d.project_id = c.project_id and d.distinct_id = c.distinct_id`
  await sendIds(store, owned, version)
  const { count } = await sql`
    delete from distinct_id_changes
    where id in ${ids} and ${holds(sql, lease)}`
  if (count === 0) throw new LeaseLost('the lease has ended')
  return true
}

/**
 * Drops changes beyond a bound, and has all distinct ids sent once ClickHouse answers. A fill in
 * progress must start again.
 * @returns whether there were too many. @throws {LeaseLost}
 */
export async function boundChanges(db: Db, lease: Lease, max: number): Promise<boolean> {
  const [found] = await db<{ waiting: number }[]>`
    select coalesce(max(id) - min(id) + 1, 0)::float8 as waiting from distinct_id_changes`
  if (found === undefined || found.waiting <= max) return false
  const [row] = await db<{ isHeld: boolean }[]>`
    with gone as (delete from distinct_id_changes where ${holds(db, lease)}), marked as (
      insert into event_gaps (month, reason, asked)
      select ${PERSONS}, 'too many changes waited', true where ${holds(db, lease)}
      on conflict (month) do update set asked = true, marked_at = now()
    )
    select ${holds(db, lease)} as "isHeld"`
  if (row?.isHeld !== true) throw new LeaseLost('the lease has ended')
  return true
}

/** Progress of a fill of all distinct ids. It ends with the lease: the next holder starts again. */
export type IdBackfill = { project: number; distinctId: string }

/** Begins to send all distinct ids, and makes ClickHouse forget earlier ones. */
export async function beginIdBackfill({ sql, store, lease }: IdDeps): Promise<IdBackfill> {
  await forgetIds(store, await takeVersion(sql, lease))
  return { project: 0, distinctId: '' }
}

/** @returns false at the end, when the gap has been deleted. @throws {LeaseLost} */
export async function backfillSomeIds(
  { sql, store, lease }: IdDeps,
  fill: IdBackfill,
): Promise<boolean> {
  const version = await takeVersion(sql, lease)
  const owned = await sql<OwnedId[]>`
    select project_id as "projectId", distinct_id as "distinctId", person_id::text as "personId"
    from distinct_ids
    where (project_id, distinct_id) > (${fill.project}::integer, ${fill.distinctId}::text)
    order by project_id, distinct_id limit ${REPLICA_IDS_ROWS}`
  await sendIds(store, owned, version)
  const last = owned.at(-1)
  if (last !== undefined && owned.length === REPLICA_IDS_ROWS) {
    fill.project = last.projectId
    fill.distinctId = last.distinctId
    return true
  }
  const [row] = await sql<{ isHeld: boolean }[]>`
    with gone as (delete from event_gaps where month = ${PERSONS} and ${holds(sql, lease)})
    select ${holds(sql, lease)} as "isHeld"`
  if (row?.isHeld !== true) throw new LeaseLost('the lease has ended')
  return false
}

/** Forgets ids that have had no person for this long. */
export async function forgetOldIds({ sql, store }: IdDeps, ageMs: number): Promise<void> {
  const [row] = await sql<{ version: string }[]>`
    select (extract(epoch from clock_timestamp()) * 1000000
      - ${ageMs * 1_000}::bigint)::bigint::text as version`
  if (row !== undefined) await forgetGone(store, row.version)
}

/**
 * Compares the distinct ids of each project: their number, and the sum of their persons' numbers.
 * Projects whose ids are changing are left out.
 */
export async function comparePersons(sql: Sql, store: ColumnStore): Promise<MonthComparison> {
  const wanted = await sql<IdSum[]>`
    select project_id as "projectId", count(*)::float8 as count, sum(person_id)::text as "personSum"
    from distinct_ids group by project_id order by project_id`
  const found = new Map((await sumIds(store)).map((sum) => [sum.projectId, sum]))
  const changing = await sql<{ projectId: number }[]>`
    select distinct project_id as "projectId" from distinct_id_changes`
  const moving = new Set(changing.map(({ projectId }) => projectId))
  const all = new Map(wanted.map((sum) => [sum.projectId, sum]))
  const differences = [...new Set([...all.keys(), ...found.keys()])]
    .filter((project) => !moving.has(project) && !isSame(all.get(project), found.get(project)))
    .map((projectId) => ({
      projectId,
      day: '',
      wanted: all.get(projectId)?.count ?? 0,
      found: found.get(projectId)?.count ?? 0,
    }))
  const events = wanted.reduce((sum, { count }) => sum + count, 0)
  return { events, differences, missingBlocks: [] }
}

function isSame(one: IdSum | undefined, other: IdSum | undefined): boolean {
  return one?.count === other?.count && one?.personSum === other?.personSum
}

/** @throws {LeaseLost} */
async function takeVersion(db: Db, lease: Lease): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    update event_shipper set ids_version = greatest(
      ids_version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
    where lease = ${lease.number}
    returning ids_version::text as version`
  if (row === undefined) throw new LeaseLost('the lease has ended')
  return row.version
}
