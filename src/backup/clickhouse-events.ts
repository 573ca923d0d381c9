/**
 * The events of a snapshot that only ClickHouse holds, and what of them is still in the outbox. The
 * key index of the snapshot says which: what is newer is left out.
 */

import { type EventKey, keyText, readEvents } from '../clickhouse/block-reader.ts'
import type { ColumnEvent } from '../clickhouse/column-event.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { isLossAccepted } from '../replication/move/accept-loss.ts'
import { tablesOf } from '../replication/move/move-month.ts'
import { refused } from './backup-format.ts'
import { behindKey, byDay, keyColumns } from './key-index.ts'
import { storedAnew, waitingOf } from './waiting-events.ts'

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
