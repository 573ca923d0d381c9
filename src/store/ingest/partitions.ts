/** The monthly partitions of the events table: their names, and how they are made. */

import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'

/**
 * Partitions of `events` by the month of an event's UTC day. Days before 2000 share one, and so do
 * days from 2100 on: no client can make more than some 1,200 of them with odd timestamps.
 */
const FIRST_YEAR = 2000
const END_YEAR = 2100
const MONTHS_AHEAD = 2
/** Any number that no other advisory lock of the product uses. */
const PARTITION_LOCK = 7_305_110_001

export type Partition = { readonly name: string; readonly from: string; readonly to: string }

/** The partition of a day, `YYYY-MM-…`; years 0001 to 9999. */
export function partitionOf(day: string): Partition {
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7))
  if (year < FIRST_YEAR) {
    return { name: 'events_old', from: 'minvalue', to: `'${FIRST_YEAR}-01-01'` }
  }
  if (year >= END_YEAR) {
    return { name: 'events_far', from: `'${END_YEAR}-01-01'`, to: 'maxvalue' }
  }
  const two = (value: number) => String(value).padStart(2, '0')
  const next = month === 12 ? `${year + 1}-01` : `${year}-${two(month + 1)}`
  return {
    name: `events_y${year}m${two(month)}`,
    from: `'${year}-${two(month)}-01'`,
    to: `'${next}-01'`,
  }
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
 */
export async function createPartitions(sql: Sql, partitions: readonly Partition[]): Promise<void> {
  const missing = await missingOf(sql, partitions)
  if (missing.length === 0) return
  await sql.begin((tx) => attachPartitions(tx, missing))
}

/** The same within a transaction of the caller's. */
export async function attachPartitions(tx: Db, partitions: readonly Partition[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PARTITION_LOCK})`
  for (const { name, from, to } of await missingOf(tx, partitions)) {
    const table = tx(name)
    await tx`create table ${table}
      (like events including defaults including constraints including storage)`
    await tx`alter table events attach partition ${table}
      for values from (${tx.unsafe(from)}) to (${tx.unsafe(to)})`
  }
}

async function missingOf(db: Db, partitions: readonly Partition[]): Promise<readonly Partition[]> {
  const names = partitions.map(({ name }) => name)
  const found = await db<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname = any (${names}::text[])`
  const existing = new Set(found.map(({ name }) => name))
  return partitions.filter(({ name }) => !existing.has(name))
}
