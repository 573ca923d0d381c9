/**
 * The events of a snapshot that only ClickHouse holds, and what of them is still in the outbox. The
 * key index of the snapshot says which: what is newer is left out.
 */

import { type EventKey, type KeyedDay, keyText, readEvents } from '../clickhouse/block-reader.ts'
import type { ColumnEvent } from '../clickhouse/column-event.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { openTombstones } from '../replication/blocks.ts'
import { waitingEvents } from '../replication/compare-days.ts'
import { isLossAccepted } from '../replication/move/accept-loss.ts'
import { tablesOf } from '../replication/move/move-month.ts'
import { refused } from './backup-format.ts'

/** Events that a backup reads from ClickHouse at a time, and that it waits for at most. */
const BACKUP_KEYS = 5_000
const BACKUP_WAITING_MAX = 1_000_000

type Sources = {
  /** The snapshot. */
  readonly tx: Db
  /** Current state, outside of the snapshot. */
  readonly sql: Sql
  readonly store: ColumnStore
}

/** @throws {AppError} `failed_precondition` when events of it are nowhere. */
export async function* clickhouseEvents(
  { tx, sql, store }: Sources,
  month: string,
): AsyncGenerator<ColumnEvent, void> {
  const missing = new Map<string, EventKey>()
  const isAnew = await storedAnew(tx, month)
  let after: EventKey | undefined
  for (;;) {
    const keys = await listKeys(tx, month, after)
    for (const key of keys) missing.set(keyText(key), key)
    for (const day of byDay(keys.filter((key) => !isAnew(key)))) {
      for await (const event of readEvents(store, month, day)) {
        const { projectId, uuid } = event
        missing.delete(keyText({ projectId, day: day.day, uuid }))
        yield event
      }
    }
    if (missing.size > BACKUP_WAITING_MAX) {
      throw refused(`ClickHouse is behind by more than ${BACKUP_WAITING_MAX} events of ${month}`)
    }
    after = keys.at(-1)
    if (keys.length < BACKUP_KEYS) break
  }
  if (missing.size === 0) return
  yield* waitingOf(tx, month, missing)
  const lost = await stillThere(sql, month, [...missing.values()])
  if (lost === 0 || (await isLossAccepted(tx, month))) return
  throw refused(
    `${lost} events of ${month} are neither in ClickHouse nor in the outbox: ` +
      '"sluice events verify" shows the days',
  )
}

/** How many of them have not been removed meanwhile. */
async function stillThere(sql: Sql, month: string, keys: readonly EventKey[]): Promise<number> {
  let count = 0
  for (const { project, day, uuids } of byDay(keys)) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(tablesOf(month).keys)} l
      where l.project_id = ${project} and l.day = ${day}::text::date and l.uuid in (
        select unnest(string_to_array(${uuids.join(',')}, ',')::uuid[]))`
    count += row?.count ?? 0
  }
  return count
}

async function listKeys(
  tx: Db,
  month: string,
  after: EventKey | undefined,
): Promise<readonly EventKey[]> {
  return await tx<EventKey[]>`
    select ${keyColumns(tx)} from ${tx(tablesOf(month).keys)} l where ${behindKey(tx, after)}
    order by l.project_id, l.day, l.uuid limit ${BACKUP_KEYS}`
}

/**
 * Events of a snapshot whose newest content is in the outbox: ClickHouse does not have them yet, or
 * still has an event under their key that was removed.
 */

/**
 * Yields the waiting events among `missing` (by `keyText`) and removes them from it. If several
 * have one key, only the newest is yielded.
 */
async function* waitingOf(
  tx: Db,
  month: string,
  missing: Map<string, EventKey>,
): AsyncGenerator<ColumnEvent, void> {
  for await (const event of waitingEvents(tx, month)) {
    const { projectId, timestamp, uuid } = event
    const key = keyText({ projectId, day: timestamp.slice(0, 10), uuid })
    if (!missing.delete(key)) continue
    yield { ...event, properties: Buffer.from(event.properties).toString() }
  }
}

/**
 * Finds events of the key index that were stored anew since a pending removal: what ClickHouse has
 * under their key is the removed event.
 */
async function storedAnew(tx: Db, month: string): Promise<(key: EventKey) => boolean> {
  const removals = openTombstones(tx, month)
  const [row] = await tx<{ isMonth: boolean }[]>`
    select exists (
      select from ${removals} r where removal->>'kind' = 'month'
    ) as "isMonth"`
  if (row?.isMonth === true) return () => true
  const keys = await tx<EventKey[]>`
    select distinct ${keyColumns(tx)} from ${removals} r
    cross join lateral json_array_elements(r.removal->'keys') k
    join ${tx(tablesOf(month).keys)} l on l.project_id = (r.removal->>'project')::integer
      and l.day = date '1970-01-01' + (k->>0)::integer and l.uuid = (k->>1)::uuid
    where r.removal->>'kind' = 'events'`
  const anew = new Set(keys.map(keyText))
  return (key) => anew.has(keyText(key))
}

/** Groups keys by day, in the order in which the days first occur. */
function byDay(keys: readonly EventKey[]): readonly KeyedDay[] {
  const days = new Map<string, { project: number; day: string; uuids: string[] }>()
  for (const { projectId, day, uuid } of keys) {
    const name = `${projectId} ${day}`
    const of = days.get(name) ?? { project: projectId, day, uuids: [] }
    days.set(name, of)
    of.uuids.push(uuid)
  }
  return [...days.values()]
}

/** Columns of a key, of a table of keys as `l`. */
function keyColumns(db: Db) {
  return db`l.project_id as "projectId", l.day::text as day, l.uuid::text as uuid`
}

/** Condition: keys behind one in their order; undefined is the beginning. */
function behindKey(db: Db, after: EventKey | undefined) {
  if (after === undefined) return db`true`
  return db`(l.project_id, l.day, l.uuid)
    > (${after.projectId}, ${after.day}::text::date, ${after.uuid}::text::uuid)`
}
