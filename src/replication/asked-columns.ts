/**
 * Properties with columns of their own in ClickHouse: those that questions read often. Workers
 * count the reads; the lease holder creates and drops columns.
 */

import type { ColumnStore } from '../clickhouse/connect.ts'
import {
  addTextColumn,
  dropTextColumn,
  listTextColumns,
} from '../event-store/clickhouse/text-columns.ts'
import type { Db } from '../postgres/db.ts'
import { holds, LeaseLost } from './blocks.ts'
import type { Lease } from './lease.ts'

/** Columns with the text of a property, and queries that must use a property to get one. */
const REPLICA_COLUMNS_MAX = 10
const REPLICA_COLUMN_ASKS_MIN = 20
/** Days in which these queries count, and days without any after which a column is dropped. */
const REPLICA_COLUMN_DAYS = 7
const REPLICA_COLUMN_DROP_DAYS = 14
/** Characters of a property that may have one, and properties that a worker counts at a time. */
const REPLICA_COLUMN_KEY_CHARS_MAX = 200
const REPLICA_COLUMN_KEYS_MAX = 200

/** Counts in memory which properties statements read, up to a number of them. */
export class AskedKeys {
  #counts = new Map<string, number>()

  add(keys: readonly string[]): void {
    for (const key of keys) {
      const isKnown = this.#counts.has(key)
      if (key.length > REPLICA_COLUMN_KEY_CHARS_MAX) continue
      if (!isKnown && this.#counts.size >= REPLICA_COLUMN_KEYS_MAX) continue
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    }
  }

  /** Adds the counts to those of all workers. Lost counts cost only speed. */
  async flush(db: Db): Promise<void> {
    const counts = [...this.#counts]
    this.#counts = new Map()
    if (counts.length === 0) return
    const asked = JSON.stringify(counts.map(([key, count]) => ({ key, count })))
    await db`
      insert into event_key_asks as a (key, day, count)
      select key, current_date, count
      from json_to_recordset(${asked}::text::json) as asked (key text, count bigint) order by key
      on conflict (key, day) do update set count = a.count + excluded.count`
  }
}

/** @returns the properties with columns, as Postgres knows them: statements may name only these. */
export async function listColumns(db: Db): Promise<readonly string[]> {
  const rows = await db<{ key: string }[]>`select key from event_text_columns order by key`
  return rows.map(({ key }) => key)
}

/**
 * Creates one column that is read often, or drops one that is read no more. Postgres lists a column
 * after it is created and until it is dropped, so no statement names a missing one.
 * @throws {LeaseLost} @throws {ColumnError}
 */
export async function tendColumns(db: Db, store: ColumnStore, lease: Lease): Promise<void> {
  await db`delete from event_key_asks where day < current_date - ${REPLICA_COLUMN_DROP_DAYS}::integer`
  const there = await listTextColumns(store)
  const asked = await db<{ key: string; recent: number }[]>`
    select key, coalesce(sum(count) filter (
      where day > current_date - ${REPLICA_COLUMN_DAYS}::integer), 0)::float8 as recent
    from event_key_asks group by key order by recent desc, key`
  const idle = there.find((key) => !asked.some((each) => each.key === key))
  const kept = there.filter((key) => key !== idle)
  if (idle !== undefined) {
    await say(db, lease, kept)
    await dropTextColumn(store, idle)
  }
  const wanted = asked
    .filter(({ recent }) => recent >= REPLICA_COLUMN_ASKS_MIN)
    .find(({ key }) => !kept.includes(key))
  const isMade = wanted !== undefined && kept.length < REPLICA_COLUMNS_MAX
  if (isMade) await addTextColumn(store, wanted.key)
  await say(db, lease, isMade ? [...kept, wanted.key] : kept)
}

async function say(db: Db, lease: Lease, keys: readonly string[]): Promise<void> {
  const [row] = await db<{ isHeld: boolean }[]>`
    with listed as (
      select key from json_array_elements_text(${JSON.stringify(keys)}::text::json) as key
      where ${holds(db, lease)}
    ), gone as (
      delete from event_text_columns c
      where ${holds(db, lease)} and not exists (select from listed l where l.key = c.key)
    ), added as (
      insert into event_text_columns (key) select key from listed on conflict do nothing
    )
    select ${holds(db, lease)} as "isHeld"`
  if (row?.isHeld !== true) throw new LeaseLost('the lease has ended')
}
