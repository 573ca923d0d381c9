/** The monthly partitions of events: their names, how they are made, and who holds a month. */

import { END_YEAR, FIRST_YEAR, monthOf } from '../../events/time/partition-month.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'

const MONTHS_AHEAD = 2
/** Any number that no other advisory lock of the product uses. */
const PARTITION_LOCK = 7_305_110_001

export type Partition = { readonly name: string; readonly from: string; readonly to: string }

/**
 * Home of a month's events: `events`, or `event_ledger` for their keys, which then has a partition
 * for the month. The partition of `events` is empty then, and refuses inserts.
 */
export type MonthHome = 'events' | 'keys'

/** Homes by names of partitions of `events`. */
export type MonthHomes = ReadonlyMap<string, MonthHome>

/** The partition of a day, `YYYY-MM-…`; years 0001 to 9999. */
export function partitionOf(day: string): Partition {
  const name = `events_${monthOf(day)}`
  if (name === 'events_old') return { name, from: 'minvalue', to: `'${FIRST_YEAR}-01-01'` }
  if (name === 'events_far') return { name, from: `'${END_YEAR}-01-01'`, to: 'maxvalue' }
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7))
  const two = (value: number) => String(value).padStart(2, '0')
  const next = month === 12 ? `${year + 1}-01` : `${year}-${two(month + 1)}`
  return { name, from: `'${year}-${two(month)}-01'`, to: `'${next}-01'` }
}

/** The partition of a month in the form of `monthOf`. */
export function partitionOfMonth(month: string): Partition {
  if (month === 'old') return partitionOf('1999-12')
  if (month === 'far') return partitionOf('2100-01')
  return partitionOf(`${month.slice(1, 5)}-${month.slice(6)}`)
}

/** `events_y2026m11` in the key index. */
export function keyIndexPartition(name: string): string {
  return `event_ledger${name.slice('events'.length)}`
}

/** Makes the partitions of this month and the next two, and the old one. For start and daily. */
export async function ensurePartitions(sql: Sql, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  const days = ['1999-12-31']
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    days.push(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString())
  }
  await createPartitions(sql, days.map(partitionOf))
}

/**
 * Makes those that are missing; safe beside other workers that make the same. A table is made
 * first and attached then: `create table … partition of` would lock out every reader and writer.
 * @returns where all of them are written.
 */
export async function createPartitions(
  sql: Sql,
  partitions: readonly Partition[],
): Promise<MonthHomes> {
  const homes = await homesOf(sql, partitions)
  if (homes.size === partitions.length) return homes
  const missing = partitions.filter(({ name }) => !homes.has(name))
  return await sql.begin(async (tx) => {
    await attachPartitions(tx, missing, await homeOfNewMonths(tx))
    return await homesOf(tx, partitions)
  })
}

/** The same within a transaction of the caller's. */
export async function attachPartitions(
  tx: Db,
  partitions: readonly Partition[],
  home: MonthHome = 'events',
): Promise<void> {
  await lockPartitions(tx)
  const existing = await homesOf(tx, partitions)
  for (const partition of partitions) {
    if (existing.has(partition.name)) continue
    const { name, from, to } = partition
    const table = tx(name)
    await tx`create table ${table}
      (like events including defaults including constraints including storage)`
    await tx`alter table events attach partition ${table}
      for values from (${tx.unsafe(from)}) to (${tx.unsafe(to)})`
    if (home === 'keys') {
      await makeKeyIndex(tx, partition)
      await attachKeyIndex(tx, partition)
    }
  }
}

/** Locks partitions until the transaction ends: none is created, and no month moves. */
export async function lockPartitions(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PARTITION_LOCK})`
}

/** Under the lock, or a month could be made as nobody wants it any more. */
async function homeOfNewMonths(tx: Db): Promise<MonthHome> {
  await lockPartitions(tx)
  const [row] = await tx<{ isAlone: boolean }[]>`
    select exists (select from event_keeper where id and keeps = 'clickhouse') as "isAlone"`
  return row?.isAlone === true ? 'keys' : 'events'
}

/** Makes the table of a month of the key index, which is not part of it yet. */
export async function makeKeyIndex(tx: Db, { name }: Partition): Promise<void> {
  await tx`create table ${tx(keyIndexPartition(name))} (like event_ledger including all)`
}

/** Attaches a key index partition: once the transaction ends, events of the month are written into it. */
export async function attachKeyIndex(tx: Db, { name, from, to }: Partition): Promise<void> {
  await tx`alter table event_ledger attach partition ${tx(keyIndexPartition(name))}
    for values from (${tx.unsafe(from)}) to (${tx.unsafe(to)})`
  await tx`create trigger of_ledger before insert on ${tx(name)}
    for each row execute function refuse_event_of_ledger()`
}

/** Homes of the partitions that exist. */
async function homesOf(db: Db, partitions: readonly Partition[]): Promise<MonthHomes> {
  const names = partitions.map(({ name }) => name)
  const found = await db<{ name: string; home: MonthHome }[]>`
    select c.relname as name, case when exists (
        select from pg_inherits l join pg_class t on t.oid = l.inhrelid
        where l.inhparent = 'event_ledger'::regclass
          and t.relname = 'event_ledger' || substring(c.relname from 7)
      ) then 'keys' else 'events' end as home
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname = any (${names}::text[])`
  return new Map(found.map(({ name, home }) => [name, home]))
}
