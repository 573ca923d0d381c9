/**
 * Fills a month of the replica: adds the events that `events` has and ClickHouse lacks, and removes
 * those that `events` does not have. In a month of the key index only events in kept payloads can
 * be added; the rest is lost. Only the lease holder runs it, while no block is open, so that
 * nothing else changes ClickHouse meanwhile. Differences are recorded as blocks of their own, in
 * the transaction that found them, and shipped like any other.
 */

import { daysOf, readEvents, readUuids, sumDays } from '../clickhouse/block-reader.ts'
import {
  REPLICA_BLOCK_TEXT_BYTES,
  REPLICA_FILL_ROWS,
  REPLICA_REMOVAL_KEYS,
} from '../core/limits/limits-replica.ts'
import { ASKED, LOSS_ACCEPTED, LOST, REFUSES } from '../event-store/outbox/gaps.ts'
import type { PackedEvent } from '../event-store/outbox/payload.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { failureCode } from '../postgres/failures.ts'
import { SERIALIZATION_FAILURE } from '../postgres/sqlstate.ts'
import {
  type BackfillDeps,
  backfillFromPayloads,
  holdKeys,
  listPayloadBlocks,
  type PayloadBlock,
} from './backfill-payloads.ts'
import { recordEvents, recordTombstone, takeNumbers } from './blocks.ts'
import { type DayDifference, differencesOf, readSnapshot, waitingEvents } from './compare-days.ts'
import { tableOfMonth, withMonth } from './month-table.ts'

/** Progress of the fill of a month. It ends with the lease: the next holder starts again. */
export type Fill = {
  readonly month: string
  /** Days that differ and are still to be filled, the next one first. */
  readonly left: DayDifference[]
  /** The uuid up to which the first of them is done. */
  after: string
  /** Differences of the month when the pass began, as text. */
  readonly lacking: string
  /** Previous passes that began with the same differences. */
  readonly idlePasses: number
  /** Blocks whose payloads are still to be read; none in a month of `events`. */
  readonly payloads: PayloadBlock[]
  /** Days that differed when the pass began: project and day. */
  readonly days: ReadonlySet<string>
}

/** A difference may vanish by itself: events may wait together with their removal. */
const IDLE_PASSES_MAX = 5

/** Requests fills of months; without any, of all gaps but accepted losses. */
export async function requestBackfill(
  sql: Sql,
  months: readonly string[],
): Promise<readonly string[]> {
  return await sql.begin(async (tx) => {
    const given = months.join(',')
    await tx`
      insert into event_gaps (month, reason, asked)
      select month, ${ASKED}, true from unnest(string_to_array(${given}, ',')) as month
      on conflict (month) do update set asked = true, reason = ${ASKED}`
    // An accepted loss is filled only when it is named: nothing has changed since.
    if (months.length === 0) {
      await tx`update event_gaps set asked = true where reason <> ${LOSS_ACCEPTED}`
    }
    const rows = await tx<{ month: string }[]>`
      select month from event_gaps where asked order by month`
    return rows.map(({ month }) => month)
  })
}

/** Finds the newest month with a requested fill. */
export async function nextBackfill(db: Db): Promise<string | undefined> {
  const [row] = await db<{ month: string }[]>`
    select month from event_gaps where asked order by month desc limit 1`
  return row?.month
}

/**
 * Begins a pass: finds the days that differ. If there are none, the month is whole, and its gap is
 * deleted.
 * @param before the previous pass: a gap that passes cannot fill stays, but is not tried again.
 */
export async function beginBackfill(
  { sql, store, log }: BackfillDeps,
  month: string,
  before: Fill | undefined,
): Promise<Fill | undefined> {
  const { sums, isKeyIndex } = await withMonth(sql, month, (tx) => readSnapshot(tx, month))
  const left = [...differencesOf(sums, await sumDays(store, month))]
  if (left.length === 0) {
    await sql`delete from event_gaps where month = ${month}`
    return undefined
  }
  // An event that a pass adds and ClickHouse refuses is missing again in the next one.
  const lacking = left.map((day) => `${day.projectId} ${day.day} ${day.wanted - day.found}`).join()
  const idlePasses = before?.lacking === lacking ? before.idlePasses + 1 : 0
  if (idlePasses > IDLE_PASSES_MAX) {
    await sql`
      update event_gaps set asked = false, reason = ${isKeyIndex ? LOST : REFUSES}
      where month = ${month}`
    if (isKeyIndex) {
      const events = left.reduce((sum, { wanted, found }) => sum + Math.max(wanted - found, 0), 0)
      log.error('events are lost: ClickHouse lacks them, and nothing else has them', {
        month,
        events,
      })
    }
    return undefined
  }
  const payloads = isKeyIndex ? await listPayloadBlocks(sql, store, month) : []
  const days = new Set(left.map(({ projectId, day }) => `${projectId} ${day}`))
  return { month, left, after: '', lacking, idlePasses, payloads, days }
}

/**
 * Fills from some payloads, or one range of one day. May be interrupted anywhere: all of it is
 * recorded, or nothing.
 */
export async function backfillSome(deps: BackfillDeps, fill: Fill): Promise<void> {
  const [day] = fill.left
  if (day === undefined) return
  const { month, payloads } = fill
  try {
    if (payloads.length > 0) return await backfillFromPayloads(deps, fill)
    const after = await withMonth(deps.sql, month, (tx) =>
      fillRange(tx, deps, { month, day, after: fill.after }),
    )
    fill.after = after ?? ''
    if (after === undefined) fill.left.shift()
  } catch (error) {
    // Some events were deleted meanwhile: the next turn reads the new state.
    if (failureCode(error) !== SERIALIZATION_FAILURE) throw error
  }
}

type Range = { readonly month: string; readonly day: DayDifference; readonly after: string }

/** @returns the uuid up to which it is done; undefined at the end of the day. */
async function fillRange(tx: Db, deps: BackfillDeps, range: Range): Promise<string | undefined> {
  const { month, day, after } = range
  const table = await tableOfMonth(tx, month)
  const uuids = await listUuids(tx, table?.name, range)
  const isEnd = uuids.length < REPLICA_FILL_ROWS
  const last = isEnd ? '' : (uuids.at(-1) ?? '')
  const place = { month, project: day.projectId, day: day.day, after, last }
  const found = sortOut(uuids, await readUuids(deps.store, place))
  if (table?.isKeyIndex === true) {
    await mendRange(tx, deps, range, found)
    return isEnd ? undefined : last
  }
  const { there, surplus, doubled } = found
  const gone = [...surplus, ...doubled]
  const absent = new Set(uuids.filter((uuid) => !there.has(uuid)))
  if (absent.size > 0) {
    for await (const event of waitingEvents(tx, month)) {
      if (event.projectId === day.projectId) absent.delete(event.uuid)
    }
  }
  if (gone.length === 0 && absent.size === 0) return isEnd ? undefined : last
  const events = await recordChange(tx, deps, range, {
    gone,
    events: () => readAbsent(tx, range, [...absent]),
  })
  const isWhole = events.length === absent.size
  const reached = isWhole ? last : (events.at(-1)?.uuid ?? last)
  return isWhole && isEnd ? undefined : reached
}

type Found = {
  /** Wanted, and in ClickHouse once. */
  readonly there: ReadonlySet<string>
  /** In ClickHouse, and not wanted. */
  readonly surplus: readonly string[]
  /** Wanted, and in ClickHouse more than once. */
  readonly doubled: readonly string[]
}

function sortOut(wanted: readonly string[], found: readonly string[]): Found {
  const names = new Set(wanted)
  const there = new Set<string>()
  const surplus = new Set<string>()
  const doubled = new Set<string>()
  for (const uuid of found) {
    if (!names.has(uuid)) surplus.add(uuid)
    else if (there.has(uuid)) doubled.add(uuid)
    there.add(uuid)
  }
  for (const uuid of [...surplus, ...doubled]) there.delete(uuid)
  return { there, surplus: [...surplus], doubled: [...doubled] }
}

/**
 * Mends a range of the key index. Events that ClickHouse has twice may exist nowhere else, so they
 * are recorded before they are removed. The next pass continues beyond the bounds of a block.
 */
async function mendRange(
  tx: Db,
  deps: BackfillDeps,
  range: Range,
  { surplus, doubled }: Found,
): Promise<void> {
  const { month, day } = range
  const uuids = doubled.slice(0, REPLICA_REMOVAL_KEYS)
  const place = { project: day.projectId, day: day.day, uuids }
  const events = uuids.length === 0 ? [] : await withinBlock(readEvents(deps.store, month, place))
  if (surplus.length === 0 && events.length === 0) return
  const keys = events.map(({ uuid }) => ({ projectId: day.projectId, day: day.day, uuid }))
  await holdKeys(tx, month, keys)
  const gone = [...surplus, ...events.map(({ uuid }) => uuid)]
  await recordChange(tx, deps, range, { gone, events: async () => events })
}

/** Takes as many events as fit into a block, at least one. */
async function withinBlock(events: AsyncIterable<PackedEvent>): Promise<readonly PackedEvent[]> {
  const some: PackedEvent[] = []
  let bytes = 0
  for await (const event of events) {
    bytes += Buffer.byteLength(event.properties) + Buffer.byteLength(event.elementsChain) + 100
    if (some.length > 0 && bytes > REPLICA_BLOCK_TEXT_BYTES) break
    some.push(event)
  }
  return some
}

/** Records a block of removals and a block of events. @returns the events of the second one. */
async function recordChange(
  tx: Db,
  { lease }: BackfillDeps,
  { month, day }: Range,
  change: {
    readonly gone: readonly string[]
    readonly events: () => Promise<readonly PackedEvent[]>
  },
): Promise<readonly PackedEvent[]> {
  const number = await takeNumbers(tx, lease, 2)
  if (change.gone.length > 0) {
    const keys = change.gone.map((uuid) => [daysOf(day.day), uuid] as const)
    const removal = { kind: 'events', project: day.projectId, keys } as const
    await recordTombstone(tx, lease, { month, number }, removal)
  }
  const events = await change.events()
  if (events.length > 0) await recordEvents(tx, lease, { month, number: number + 1 }, events)
  return events
}

async function listUuids(
  tx: Db,
  table: string | undefined,
  { day, after }: Range,
): Promise<readonly string[]> {
  if (table === undefined) return []
  const rows = await tx<{ uuid: string }[]>`
    select uuid::text from ${tx(table)} e
    where project_id = ${day.projectId} and day = ${day.day}::text::date
      ${after === '' ? tx`` : tx`and e.uuid > ${after}::text::uuid`}
    order by e.uuid limit ${REPLICA_FILL_ROWS}`
  return rows.map(({ uuid }) => uuid)
}

/**
 * Reads events in the order of their uuids, as many as fit into a block, and protects them from
 * deletion until the transaction ends, so that a removal goes into a later block.
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
    where nth = 1 or bytes <= ${REPLICA_BLOCK_TEXT_BYTES}
    order by uuid`
}
