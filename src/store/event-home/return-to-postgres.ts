/**
 * Brings the events of a month back from ClickHouse into `events`. Most are brought while captures
 * continue; the rest while writers of the month are locked out, and then `events` has exactly those
 * in the ledger. After an interruption it resumes from what `events` has.
 */

import { projectId } from '../../core/ids.ts'
import {
  COMPARE_AGAIN_MS,
  MONTH_LAST_EVENTS_MAX,
  MONTH_PIECE_EVENTS,
  MONTH_TRIES,
} from '../../core/limits/limits-columns.ts'
import { LOSS_ACCEPTED } from '../event-copy/blocks.ts'
import { countChange, OTHER_SLOT } from '../events/change-counts.ts'
import { type EventKey, keyText, readEvents } from '../events-clickhouse/block-reader.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'
import { detachLedger } from '../ingest/partitions.ts'
import { intArray, toColumns } from '../pool/columns.ts'
import type { Db } from '../pool/db.ts'
import { failureCode } from '../pool/failures.ts'
import { LOCK_NOT_AVAILABLE } from '../pool/sqlstate.ts'
import { isLossAccepted } from './accept-loss.ts'
import { listLedgerMonths } from './ledger.ts'
import { behindKey, byDay, keyColumns } from './ledger-keys.ts'
import { type Locked, type MoveDeps, refused, tablesOf, withLocked } from './months.ts'
import { inPieces } from './pieces.ts'
import { storedAnew, waitingOf } from './waiting-events.ts'

/** More events were stored meanwhile than may be brought while writers wait. */
class NotYet extends Error {}

/**
 * @returns how many events the month has; undefined when it is in Postgres already.
 * @throws {AppError} `failed_precondition` when ClickHouse lacks events of it, or when readers and
 * writers of the month do not let go of it.
 */
export async function returnToPostgres(deps: MoveDeps, month: string): Promise<number | undefined> {
  const { sql, clock } = deps
  if (!(await listLedgerMonths(sql)).includes(month)) return undefined
  const locked: Locked = { table: tablesOf(month).ledger, parent: 'access exclusive' }
  for (let tries = 1; ; tries++) {
    await bringMost(deps, month)
    try {
      return await withLocked(sql, locked, (tx) => bringRest(tx, deps, month))
    } catch (error) {
      const isPassing = error instanceof NotYet || failureCode(error) === LOCK_NOT_AVAILABLE
      if (!isPassing) throw error
      if (tries === MONTH_TRIES) {
        throw refused(`${month} is in use, or more comes than is brought back. Try again.`)
      }
      await clock.sleep(COMPARE_AGAIN_MS)
    }
  }
}

/**
 * Makes one pass over the ledger in its order, one piece per transaction. Events that are still in
 * the outbox, or were stored anew, are left to `bringRest`.
 *
 * The keys of a piece are rewritten unchanged, so that a concurrent deletion of one of them fails,
 * starts again, and finds the event in `events` too. Otherwise it would miss the event there, and
 * take an event that is stored under that key later for it.
 */
async function bringMost({ sql, store }: MoveDeps, month: string): Promise<void> {
  let after: EventKey | undefined
  for (;;) {
    const from = after
    const last = await sql.begin(async (tx) => {
      const keys = await listAbsent(tx, month, from, MONTH_PIECE_EVENTS)
      const held = await holdAnew(tx, month, keys)
      const isAnew = await storedAnew(tx, month)
      const settled = held.filter((key) => !isAnew(key))
      for (const day of byDay(settled)) await bring(tx, month, readEvents(store, month, day))
      return keys.at(-1)
    })
    if (last === undefined) return
    after = last
  }
}

/** @returns those that have not been deleted meanwhile. */
async function holdAnew(
  tx: Db,
  month: string,
  keys: readonly EventKey[],
): Promise<readonly EventKey[]> {
  const held: EventKey[] = []
  for (const { project, day, uuids } of byDay(keys)) {
    const rows = await tx<EventKey[]>`
      update ${tx(tablesOf(month).ledger)} l set day = l.day
      where l.project_id = ${project} and l.day = ${day}::text::date and l.uuid in (
        select unnest(string_to_array(${uuids.join(',')}, ',')::uuid[]))
      returning ${keyColumns(tx)}`
    held.push(...rows)
  }
  return held
}

async function bring(tx: Db, month: string, events: AsyncIterable<ColumnEvent>): Promise<void> {
  for await (const piece of inPieces(events)) await insertEvents(tx, month, piece)
}

/**
 * Brings the last events while writers of the month are locked out. Events that ClickHouse does not
 * have yet are in the outbox. The shipper is not waited for, as it may wait for the lock.
 */
async function bringRest(tx: Db, deps: MoveDeps, month: string): Promise<number> {
  const { events, ledger } = tablesOf(month)
  const keys = await listAbsent(tx, month, undefined, MONTH_LAST_EVENTS_MAX + 1)
  if (keys.length > MONTH_LAST_EVENTS_MAX) throw new NotYet()
  const missing = new Map(keys.map((key) => [keyText(key), key]))
  const isAnew = await storedAnew(tx, month)
  for (const day of byDay(keys.filter((key) => !isAnew(key)))) {
    for await (const piece of inPieces(readEvents(deps.store, month, day))) {
      for (const { projectId, uuid } of piece) {
        missing.delete(keyText({ projectId, day: day.day, uuid }))
      }
      await insertEvents(tx, month, piece)
    }
  }
  if (missing.size > 0) await bring(tx, month, waitingOf(tx, month, missing))
  const isLess = missing.size > 0
  if (isLess && !(await isLossAccepted(tx, month))) {
    throw refused(
      `ClickHouse lacks ${missing.size} events of ${month}, which are nowhere else: ` +
        '"sluice events verify" shows the days, "sluice events fill" brings what can be brought.',
    )
  }
  if (isLess) await countAnew(tx, month, [...missing.values()])
  // Events that were removed after they were brought.
  await tx`
    delete from ${tx(events)} e where not exists (
      select from ${tx(ledger)} l
      where l.project_id = e.project_id and l.day = e.day and l.uuid = e.uuid
    )`
  await tx`delete from event_gaps where month = ${month} and reason = ${LOSS_ACCEPTED}`
  const [row] = await tx<{ count: number }[]>`select count(*)::float8 as count from ${tx(events)}`
  await detachLedger(tx, { events, ledger })
  return row?.count ?? 0
}

/** Recounts the days of lost events from the events that exist. */
async function countAnew(tx: Db, month: string, keys: readonly EventKey[]): Promise<void> {
  for (const { project, day } of byDay(keys)) {
    await tx`
      delete from event_counts where project_id = ${project} and day = ${day}::text::date`
    await tx`
      insert into event_counts (project_id, event, day, slot, count)
      select project_id, event, day, ${OTHER_SLOT}, count(*)
      from ${tx(tablesOf(month).events)}
      where project_id = ${project} and day = ${day}::text::date group by 1, 2, 3`
  }
  const projects = [...new Set(keys.map(({ projectId: id }) => projectId(id)))]
  await countChange(tx, projects, 'deletion', OTHER_SLOT)
}

/** Keys of the ledger that `events` lacks, in their order. */
async function listAbsent(
  tx: Db,
  month: string,
  after: EventKey | undefined,
  limit: number,
): Promise<readonly EventKey[]> {
  const { events, ledger } = tablesOf(month)
  return await tx<EventKey[]>`
    select ${keyColumns(tx)} from ${tx(ledger)} l
    where not exists (
      select from ${tx(events)} e
      where e.project_id = l.project_id and e.day = l.day and e.uuid = l.uuid
    ) and ${behindKey(tx, after)}
    order by l.project_id, l.day, l.uuid limit ${limit}`
}

async function insertEvents(tx: Db, month: string, events: readonly ColumnEvent[]): Promise<void> {
  const { texts, separator } = toColumns([
    events.map((event) => event.uuid),
    events.map((event) => event.timestamp),
    events.map((event) => event.event),
    events.map((event) => event.distinctId),
    events.map((event) => event.properties),
    events.map((event) => event.elementsChain),
    events.map((event) => event.createdAt),
  ])
  await tx`set local sluice.brings_month = 'yes'`
  await tx.unsafe(
    `insert into ${tablesOf(month).events} (project_id, day, uuid, timestamp, event, distinct_id,
      properties, elements_chain, created_at)
    select project_id, (timestamp at time zone 'UTC')::date, uuid, timestamp, event, distinct_id,
      properties::jsonb, coalesce(elements_chain, ''), created_at
    from unnest($1::int[], string_to_array($2, $9)::uuid[],
      string_to_array($3, $9)::timestamptz[], string_to_array($4, $9), string_to_array($5, $9),
      string_to_array($6, $9), string_to_array($7, $9), string_to_array($8, $9)::timestamptz[]
    ) as i (project_id, uuid, timestamp, event, distinct_id, properties, elements_chain, created_at)
    on conflict do nothing`,
    [intArray(events.map(({ projectId }) => projectId)), ...texts, separator],
    { prepare: true },
  )
}
