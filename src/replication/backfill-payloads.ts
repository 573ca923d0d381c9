/**
 * Fills a month of the key index from payloads that are still kept, a few blocks per turn, the
 * newest first: the newest payload counts for an event that was removed and stored anew. The key
 * index decides which events are wanted.
 */

import { countBlocks, type EventKey, keyText, readKeys } from '../clickhouse/block-reader.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import { REPLICA_BLOCK_TEXT_BYTES, REPLICA_FILL_ROWS } from '../core/limits/limits-replica.ts'
import type { Log } from '../core/log.ts'
import type { PackedEvent } from '../event-store/outbox/payload.ts'
import { intArray } from '../postgres/columns.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { readOutboxRows, recordEvents, takeNumbers } from './blocks.ts'
import { waitingEvents } from './compare-days.ts'
import type { Lease } from './lease.ts'
import { tableOfMonth, withMonth } from './month-table.ts'
import { columnEventOf, eventsOfRow } from './outbox-rows.ts'

export type BackfillDeps = {
  readonly sql: Sql
  readonly store: ColumnStore
  readonly lease: Lease
  readonly log: Log
}

/** A block that was shipped and whose payloads are kept. */
export type PayloadBlock = {
  readonly number: number
  /** Rows of its payloads, and their bytes before compression. */
  readonly rows: number
  readonly bytes: number
}

/** Blocks of a month of which ClickHouse has fewer rows than were shipped, the newest first. */
export async function listPayloadBlocks(
  sql: Sql,
  store: ColumnStore,
  month: string,
): Promise<PayloadBlock[]> {
  const kept = await sql<PayloadBlock[]>`
    select b.number::float8 as number, sum(o.rows)::float8 as rows,
      sum(o.text_bytes)::float8 as bytes
    from event_blocks b join event_outbox o on o.block = b.number
    where b.month = ${month} and b.rows > 0 and b.done_at is not null and o.removal is null
    group by b.number order by b.number desc`
  const oldest = kept.at(-1)
  if (oldest === undefined) return []
  const there = await countBlocks(store, month, oldest.number)
  return kept.filter(({ number, rows }) => (there.get(number) ?? 0) < rows)
}

type Sweep = {
  readonly month: string
  /** Days that differ: project and day. */
  readonly days: ReadonlySet<string>
  readonly payloads: PayloadBlock[]
}

/**
 * Runs one turn: the next blocks, as many as fit into one. May be interrupted anywhere, as
 * `backfillSome`.
 * @throws errors of a transaction with one snapshot, when an event is deleted meanwhile.
 */
export async function backfillFromPayloads(
  { sql, store, lease }: BackfillDeps,
  { month, days, payloads }: Sweep,
): Promise<void> {
  const blocks = nextBlocks(payloads)
  await withMonth(sql, month, async (tx) => {
    const found = await eventsOfBlocks(tx, blocks, days)
    const keys = [...found.values()].map(keyOf)
    const there = await readKeys(store, month, keys)
    const wanted = await holdKeys(
      tx,
      month,
      keys.filter((key) => !there.has(keyText(key))),
    )
    if (wanted.size === 0) return
    for await (const event of waitingEvents(tx, month)) wanted.delete(keyText(keyOf(event)))
    const events = [...found].flatMap(([key, event]) => (wanted.has(key) ? [event] : []))
    if (events.length === 0) return
    const number = await takeNumbers(tx, lease, 1)
    await recordEvents(tx, lease, { month, number }, events)
  })
  payloads.splice(0, blocks.length)
}

function nextBlocks(payloads: readonly PayloadBlock[]): readonly PayloadBlock[] {
  let [rows, bytes] = [0, 0]
  return payloads.filter((block, place) => {
    rows += block.rows
    bytes += block.bytes
    return place === 0 || (rows <= REPLICA_FILL_ROWS && bytes <= REPLICA_BLOCK_TEXT_BYTES)
  })
}

/** Events of days that differ, by their keys, the newest of each. */
async function eventsOfBlocks(
  tx: Db,
  blocks: readonly PayloadBlock[],
  days: ReadonlySet<string>,
): Promise<ReadonlyMap<string, PackedEvent>> {
  const found = new Map<string, PackedEvent>()
  for (const { number } of blocks) {
    for (const member of await readOutboxRows(tx, number)) {
      for (const { event } of await eventsOfRow(member)) {
        const key = keyOf(event)
        const name = keyText(key)
        if (!days.has(`${key.projectId} ${key.day}`) || found.has(name)) continue
        const properties = Buffer.from(event.properties).toString()
        found.set(name, { ...columnEventOf(event, member.committedAt), properties })
      }
    }
  }
  return found
}

function keyOf(event: {
  readonly projectId: number
  readonly timestamp: string
  readonly uuid: string
}): EventKey {
  const { projectId, timestamp, uuid } = event
  return { projectId, day: timestamp.slice(0, 10), uuid: uuid.toLowerCase() }
}

/**
 * Keys that the key index has among the given ones. They cannot be deleted before the transaction
 * ends, so that a removal goes into a later block.
 */
export async function holdKeys(
  tx: Db,
  month: string,
  keys: readonly EventKey[],
): Promise<Set<string>> {
  const table = await tableOfMonth(tx, month)
  if (keys.length === 0 || table?.isKeyIndex !== true) return new Set()
  const held = await tx<EventKey[]>`
    select l.project_id as "projectId", l.day::text as day, l.uuid::text as uuid
    from ${tx(table.name)} l join (
      select unnest(${intArray(keys.map((key) => key.projectId))}::text::int[]) as project_id,
        unnest(string_to_array(${keys.map((key) => key.day).join(',')}, ',')::date[]) as day,
        unnest(string_to_array(${keys.map((key) => key.uuid).join(',')}, ',')::uuid[]) as uuid
    ) k on k.project_id = l.project_id and k.day = l.day and k.uuid = l.uuid
    for key share of l`
  return new Set(held.map(keyText))
}
