/**
 * Compares the replica with `events`, or with the key index where only ClickHouse holds a month, by
 * project and day: number of events, and a sum over their uuids. Events that are still in the
 * outbox are subtracted, so both may change meanwhile.
 */
import { countBlocks, type DaySum, sumDays } from '../clickhouse/block-reader.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import type { NewColumnEvent } from '../clickhouse/row-binary.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { committedAt, type OutboxRow } from './blocks.ts'
import { tableOfMonth, withMonth } from './month-table.ts'
import { eventsOfRows } from './outbox-rows.ts'

export type DayDifference = {
  readonly projectId: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Events that ClickHouse should have, and those that it has. */
  readonly wanted: number
  readonly found: number
}

export type MonthComparison = {
  readonly events: number
  /** Differences in the order of project and day. */
  readonly differences: readonly DayDifference[]
  /** Blocks that were stored and of which no row is there; only looked for when days differ. */
  readonly missingBlocks: readonly number[]
}

type Sum = { count: number; high: bigint; low: bigint }

/** Sums that Postgres has of a month, read in one snapshot. */
export type MonthSnapshot = {
  readonly sums: ReadonlyMap<string, Sum>
  /** Blocks up to this one are done. */
  readonly snapshotBlock: number
  /** True for a month of the key index: Postgres does not have the events that ClickHouse lacks. */
  readonly isKeyIndex: boolean
}

/**
 * Compares a month. A difference may be temporary, when events are being removed from ClickHouse:
 * compare again before you rely on it.
 */
export async function compareMonth(
  sql: Sql,
  store: ColumnStore,
  month: string,
): Promise<MonthComparison> {
  const snapshot = await withMonth(sql, month, (tx) => readSnapshot(tx, month))
  const found = await sumDays(store, month, snapshot.snapshotBlock)
  const differences = differencesOf(snapshot.sums, found)
  const events = [...snapshot.sums.values()].reduce((all, { count }) => all + count, 0)
  const missingBlocks =
    differences.length === 0 ? [] : await missingOf(sql, store, month, snapshot.snapshotBlock)
  return { events, differences, missingBlocks }
}

/**
 * Reads what ClickHouse should have of a month. Call in a transaction with one snapshot, as of
 * `withMonth`.
 */
export async function readSnapshot(tx: Db, month: string): Promise<MonthSnapshot> {
  const [row] = await tx<{ snapshotBlock: number }[]>`
    select (coalesce(
      (select min(number) - 1 from event_blocks where done_at is null), last_block
    ))::float8 as "snapshotBlock" from event_shipper`
  const snapshotBlock = row?.snapshotBlock ?? 0
  const table = await tableOfMonth(tx, month)
  const sums = table === undefined ? new Map<string, Sum>() : await sumTable(tx, table.name)
  for await (const { projectId, timestamp, uuid } of waitingEvents(tx, month)) {
    add(sums, `${projectId} ${timestamp.slice(0, 10)}`, minusOne(uuid))
  }
  return { sums, snapshotBlock, isKeyIndex: table?.isKeyIndex === true }
}

/**
 * Streams events of a month that are in the outbox and in no finished block, as ClickHouse gets
 * them. The newest come first: a key has two events if it was removed and stored anew meanwhile.
 */
export async function* waitingEvents(tx: Db, month: string): AsyncGenerator<NewColumnEvent, void> {
  const ids = await tx<{ id: bigint }[]>`
    select id from event_outbox where month = ${month} and block is null and removal is null
    union all
    select o.id from event_blocks b join event_outbox o on o.block = b.number
    where b.done_at is null and o.month = ${month} and o.removal is null
    order by id desc`
  for (const { id } of ids) {
    const members = await tx<Omit<OutboxRow, 'id' | 'removal'>[]>`
      select payload, skipped, text_bytes::float8 as "textBytes", ${committedAt(tx)} as "committedAt"
      from event_outbox where id = ${id}`
    yield* await eventsOfRows(members)
  }
}

async function sumTable(tx: Db, table: string): Promise<Map<string, Sum>> {
  const half = (from: number) =>
    tx.unsafe(`('x' || encode(substring(uuid_send(uuid) from ${from} for 8), 'hex'))
      ::bit(64)::bigint`)
  const rows = await tx<{ key: string; count: number; high: string; low: string }[]>`
    select project_id || ' ' || day as key, count(*)::float8 as count,
      sum(${half(1)})::text as high, sum(${half(9)})::text as low
    from ${tx(table)} group by project_id, day order by project_id, day`
  return new Map(
    rows.map(({ key, count, high, low }) => [key, { count, high: BigInt(high), low: BigInt(low) }]),
  )
}

function minusOne(uuid: string): Sum {
  const hex = uuid.replaceAll('-', '')
  const high = BigInt(`0x${hex.slice(0, 16)}`)
  const low = BigInt(`0x${hex.slice(16)}`)
  return { count: -1, high: -high, low: -low }
}

function add(sums: Map<string, Sum>, key: string, { count, high, low }: Sum): void {
  const sum = sums.get(key) ?? { count: 0, high: 0n, low: 0n }
  sums.set(key, { count: sum.count + count, high: sum.high + high, low: sum.low + low })
}

export function differencesOf(
  wanted: ReadonlyMap<string, Sum>,
  found: readonly DaySum[],
): readonly DayDifference[] {
  const others = new Map(found.map((sum) => [`${sum.projectId} ${sum.day}`, sum]))
  const differences: DayDifference[] = []
  for (const key of new Set([...wanted.keys(), ...others.keys()])) {
    const { count, high, low } = wanted.get(key) ?? { count: 0, high: 0n, low: 0n }
    const other = others.get(key)
    const text = `${BigInt.asUintN(64, high)}-${BigInt.asUintN(64, low)}`
    if (count === (other?.count ?? 0) && text === (other?.uuidSum ?? '0-0')) continue
    const [projectId = '', day = ''] = key.split(' ')
    const place = { projectId: Number(projectId), day }
    differences.push({ ...place, wanted: count, found: other?.count ?? 0 })
  }
  return differences.sort((a, b) => a.projectId - b.projectId || (a.day < b.day ? -1 : 1))
}

async function missingOf(
  sql: Sql,
  store: ColumnStore,
  month: string,
  snapshotBlock: number,
): Promise<readonly number[]> {
  const there = await countBlocks(store, month)
  const blocks = await sql<{ number: number }[]>`
    select number::float8 as number from event_blocks
    where month = ${month} and rows > 0 and number <= ${String(snapshotBlock)}::text::bigint
    order by event_blocks.number`
  return blocks.map(({ number }) => number).filter((number) => !there.has(number))
}
