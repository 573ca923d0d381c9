/**
 * The events of a snapshot that only ClickHouse holds, and what of them is still in the outbox. The
 * ledger of the snapshot says which: what is newer is left out.
 */
import { BACKUP_LEDGER_KEYS, BACKUP_WAITING_MAX } from '../../core/limits/limits-columns.ts'
import type { Member } from '../event-copy/blocks.ts'
import { eventsOfMembers } from '../event-copy/members.ts'
import { isLossAccepted } from '../event-home/accept-loss.ts'
import { byDay, type LedgerKey as Key } from '../event-home/ledger-keys.ts'
import { tablesOf } from '../event-home/months.ts'
import { readEvents } from '../events-clickhouse/block-reader.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import type { Sql } from '../pool/connect.ts'
import type { Db } from '../pool/db.ts'
import { refused } from './backup-format.ts'

type Sources = {
  /** The snapshot. */
  readonly tx: Db
  /** What is there now. */
  readonly sql: Sql
  readonly store: ColumnStore
}

/**
 * Some at a time.
 * @throws {AppError} `failed_precondition` when events of it are nowhere.
 */
export async function* ledgerEvents(
  { tx, sql, store }: Sources,
  month: string,
): AsyncGenerator<readonly ColumnEvent[], void> {
  const missing = new Map<string, Key>()
  let after: Key | undefined
  for (;;) {
    const keys = await listKeys(tx, month, after)
    for (const day of byDay(keys)) {
      const found = await readEvents(store, month, day)
      const there = new Set(found.map(({ uuid }) => uuid))
      for (const uuid of day.uuids) {
        if (there.has(uuid)) continue
        const key = { projectId: day.project, day: day.day, uuid }
        missing.set(nameOf(key), key)
      }
      yield found
    }
    if (missing.size > BACKUP_WAITING_MAX) {
      throw refused(`ClickHouse is behind by more than ${BACKUP_WAITING_MAX} events of ${month}`)
    }
    after = keys.at(-1)
    if (keys.length < BACKUP_LEDGER_KEYS) break
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

/** Takes what it gives out of `missing`. */
async function* waitingOf(
  tx: Db,
  month: string,
  missing: Map<string, Key>,
): AsyncGenerator<readonly ColumnEvent[], void> {
  const ids = await tx<{ id: bigint }[]>`
    select id from event_outbox where month = ${month} and removal is null and (
      block is null or block in (select number from event_blocks where done_at is null)
    ) order by id`
  for (const { id } of ids) {
    const members = await tx<Member[]>`
      select id, removal, payload, skipped, text_bytes::float8 as "textBytes",
        to_char(committed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "committedAt"
      from event_outbox where id = ${id}`
    const events = await eventsOfMembers(members)
    yield events.flatMap((event) => {
      const { projectId, timestamp, uuid } = event
      const name = nameOf({ projectId, day: timestamp.slice(0, 10), uuid })
      if (!missing.delete(name)) return []
      return [{ ...event, properties: Buffer.from(event.properties).toString() }]
    })
  }
}

/** How many of them have not been removed meanwhile. */
async function stillThere(sql: Sql, month: string, keys: readonly Key[]): Promise<number> {
  let count = 0
  for (const { project, day, uuids } of byDay(keys)) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(tablesOf(month).ledger)} l
      where l.project_id = ${project} and l.day = ${day}::text::date and l.uuid in (
        select unnest(string_to_array(${uuids.join(',')}, ',')::uuid[]))`
    count += row?.count ?? 0
  }
  return count
}

async function listKeys(tx: Db, month: string, after: Key | undefined): Promise<readonly Key[]> {
  const behind =
    after === undefined
      ? tx``
      : tx`where (l.project_id, l.day, l.uuid)
          > (${after.projectId}, ${after.day}::text::date, ${after.uuid}::text::uuid)`
  return await tx<Key[]>`
    select l.project_id as "projectId", l.day::text as day, l.uuid::text as uuid
    from ${tx(tablesOf(month).ledger)} l ${behind}
    order by l.project_id, l.day, l.uuid limit ${BACKUP_LEDGER_KEYS}`
}

function nameOf({ projectId, day, uuid }: Key): string {
  return `${projectId} ${day} ${uuid}`
}
