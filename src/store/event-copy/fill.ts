/**
 * Makes a month of the copy whole: brings what `events` has and ClickHouse lacks, and removes what
 * `events` does not have. Only by the holder of the lease while no block is open, so that nothing
 * else changes ClickHouse meanwhile. What is found is recorded as blocks of its own, in the
 * transaction that found it, and shipped like any other.
 */
import {
  COPY_BLOCK_TEXT_BYTES,
  COPY_FILL_PAYLOAD_ROWS,
  COPY_FILL_ROWS,
} from '../../core/limits/limits-columns.ts'
import { daysOf, readUuids, sumDays } from '../events-clickhouse/block-reader.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import type { Removal } from '../events-clickhouse/removal.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'
import { failureCode } from '../pool/failures.ts'
import { SERIALIZATION_FAILURE } from '../pool/sqlstate.ts'
import { ASKED, insertRecorded, REFUSES, takeNumbers } from './blocks.ts'
import {
  type DayDifference,
  differencesOf,
  hasMonth,
  readSnapshot,
  waitingEvents,
} from './compare-days.ts'
import type { Lease } from './lease.ts'
import { type PackedEvent, packEvents } from './payload.ts'

export type FillDeps = {
  readonly sql: Sql
  readonly store: ColumnStore
  readonly lease: Lease
}

/** How far the fill of a month is. It is forgotten with the lease, and begins anew then. */
export type Fill = {
  readonly month: string
  /** Days that differ and were not looked at, the next one first. */
  readonly left: DayDifference[]
  /** The uuid up to which the first of them was looked at. */
  after: string
  /** What the month lacked when the pass began. */
  readonly lacking: string
  /** Passes before it that began with the same. */
  readonly idlePasses: number
}

/** A difference may pass by itself: of events that wait together with their removal. */
const IDLE_PASSES_MAX = 5

/** Asks for months to be filled; all that are marked when none is given. */
export async function askForFill(sql: Sql, months: readonly string[]): Promise<readonly string[]> {
  return await sql.begin(async (tx) => {
    const given = months.join(',')
    await tx`
      insert into event_gaps (month, reason, asked)
      select month, ${ASKED}, true from unnest(string_to_array(${given}, ',')) as month
      on conflict (month) do update set asked = true, reason = ${ASKED}`
    if (months.length === 0) await tx`update event_gaps set asked = true`
    const rows = await tx<{ month: string }[]>`
      select month from event_gaps where asked order by month`
    return rows.map(({ month }) => month)
  })
}

/** The newest month that is to be filled. */
export async function nextGap(db: Db): Promise<string | undefined> {
  const [row] = await db<{ month: string }[]>`
    select month from event_gaps where asked order by month desc limit 1`
  return row?.month
}

/**
 * Begins a pass: finds the days that differ. Without any the month is whole, and its mark goes.
 * @param before the pass that has ended: a mark that it could not help stays, and is not asked for.
 */
export async function beginFill(
  { sql, store }: FillDeps,
  month: string,
  before: Fill | undefined,
): Promise<Fill | undefined> {
  const { sums } = await sql.begin('isolation level repeatable read', (tx) =>
    readSnapshot(tx, month),
  )
  const left = [...differencesOf(sums, await sumDays(store, month))]
  if (left.length === 0) {
    await sql`delete from event_gaps where month = ${month}`
    return undefined
  }
  // What a pass brings and ClickHouse refuses is lacking again in the next one.
  const lacking = left.map((day) => `${day.projectId} ${day.day} ${day.wanted - day.found}`).join()
  const idlePasses = before?.lacking === lacking ? before.idlePasses + 1 : 0
  if (idlePasses > IDLE_PASSES_MAX) {
    await sql`
      update event_gaps set asked = false, reason = ${REFUSES}
      where month = ${month}`
    return undefined
  }
  return { month, left, after: '', lacking, idlePasses }
}

/** One range of one day. May be cut off anywhere: nothing or all of it is recorded. */
export async function fillSome(deps: FillDeps, fill: Fill): Promise<void> {
  const [day] = fill.left
  if (day === undefined) return
  try {
    const after = await deps.sql.begin('isolation level repeatable read', (tx) =>
      fillRange(tx, deps, { month: fill.month, day, after: fill.after }),
    )
    fill.after = after ?? ''
    if (after === undefined) fill.left.shift()
  } catch (error) {
    // Some of them were deleted meanwhile: the next turn sees that.
    if (failureCode(error) !== SERIALIZATION_FAILURE) throw error
  }
}

type Range = { readonly month: string; readonly day: DayDifference; readonly after: string }

/** @returns the uuid up to which it is done; undefined at the end of the day. */
async function fillRange(
  tx: Db,
  { store, lease }: FillDeps,
  range: Range,
): Promise<string | undefined> {
  const { month, day, after } = range
  const uuids = await listUuids(tx, range)
  const isEnd = uuids.length < COPY_FILL_ROWS
  const last = isEnd ? '' : (uuids.at(-1) ?? '')
  const project = day.projectId
  const found = await readUuids(store, { month, project, day: day.day, after, last })
  const { there, surplus } = sortOut(uuids, found)
  const absent = new Set(uuids.filter((uuid) => !there.has(uuid)))
  if (absent.size > 0) {
    for await (const event of waitingEvents(tx, month)) {
      if (event.projectId === project) absent.delete(event.uuid.toLowerCase())
    }
  }
  if (surplus.length === 0 && absent.size === 0) return isEnd ? undefined : last
  const number = await takeNumbers(tx, lease, 2)
  if (surplus.length > 0) {
    const keys = surplus.map((uuid) => [daysOf(day.day), uuid] as const)
    await recordRemoval(tx, lease, { month, number }, { kind: 'events', project, keys })
  }
  const events = await readAbsent(tx, range, [...absent])
  if (events.length > 0) await recordEvents(tx, lease, { month, number: number + 1 }, events)
  const isWhole = events.length === absent.size
  const reached = isWhole ? last : (events.at(-1)?.uuid ?? last)
  return isWhole && isEnd ? undefined : reached
}

/** What is there once and should be; and what should not, or is there more than once. */
function sortOut(wanted: readonly string[], found: readonly string[]) {
  const names = new Set(wanted)
  const there = new Set<string>()
  const surplus = new Set<string>()
  for (const uuid of found) {
    if (!names.has(uuid) || there.has(uuid)) surplus.add(uuid)
    there.add(uuid)
  }
  for (const uuid of surplus) there.delete(uuid)
  return { there, surplus: [...surplus] }
}

async function listUuids(tx: Db, { month, day, after }: Range): Promise<readonly string[]> {
  if (!(await hasMonth(tx, month))) return []
  const rows = await tx<{ uuid: string }[]>`
    select uuid::text from ${tx(`events_${month}`)} e
    where project_id = ${day.projectId} and day = ${day.day}::text::date
      ${after === '' ? tx`` : tx`and e.uuid > ${after}::text::uuid`}
    order by e.uuid limit ${COPY_FILL_ROWS}`
  return rows.map(({ uuid }) => uuid)
}

/**
 * Reads events in the order of their uuids, as far as they fit into a block, and keeps them from
 * being deleted before the transaction ends: the removal then comes into a later block.
 */
async function readAbsent(
  tx: Db,
  { month, day }: Range,
  uuids: readonly string[],
): Promise<readonly PackedEvent[]> {
  if (uuids.length === 0) return []
  const chosen = tx`project_id = ${day.projectId} and day = ${day.day}::text::date
    and e.uuid = any (string_to_array(${uuids.join(',')}, ',')::uuid[])`
  const table = tx(`events_${month}`)
  await tx`select from ${table} e where ${chosen} for key share`
  const instant = (column: string) =>
    tx.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  return await tx<PackedEvent[]>`
    select "projectId", uuid, event, "distinctId", timestamp, properties, "elementsChain",
      "createdAt"
    from (
      select project_id as "projectId", e.uuid::text as uuid, event, distinct_id as "distinctId",
        ${instant('timestamp')} as timestamp, properties::text as properties,
        elements_chain as "elementsChain", ${instant('created_at')} as "createdAt",
        row_number() over (order by e.uuid) as nth,
        sum(octet_length(properties::text) + octet_length(elements_chain) + 100)
          over (order by e.uuid) as bytes
      from ${table} e where ${chosen}
    ) measured
    where nth = 1 or bytes <= ${COPY_BLOCK_TEXT_BYTES}
    order by uuid`
}

type NewBlock = { readonly month: string; readonly number: number }

async function recordRemoval(tx: Db, lease: Lease, block: NewBlock, removal: Removal) {
  await insertRecorded(tx, lease, { ...block, rows: 0 })
  await tx`
    insert into event_outbox (month, removal, block)
    values (${block.month}, ${JSON.stringify(removal)}::text::json,
      ${String(block.number)}::text::bigint)`
}

async function recordEvents(
  tx: Db,
  lease: Lease,
  block: NewBlock,
  events: readonly PackedEvent[],
): Promise<void> {
  await insertRecorded(tx, lease, { ...block, rows: events.length })
  for (let from = 0; from < events.length; from += COPY_FILL_PAYLOAD_ROWS) {
    const some = events.slice(from, from + COPY_FILL_PAYLOAD_ROWS)
    const { bytes, textBytes } = await packEvents(some)
    await tx`
      insert into event_outbox (month, payload, rows, text_bytes, block)
      values (${block.month}, decode(${bytes.toString('base64')}, 'base64'), ${some.length},
        ${String(textBytes)}::text::bigint, ${String(block.number)}::text::bigint)`
  }
}
