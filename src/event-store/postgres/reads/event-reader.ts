/** Reads events that are in Postgres. */

import type { ProjectId } from '../../../core/ids.ts'
import type { EventPlace, EventReader, NewestWanted, QueriedEvent } from '../../../events/ports.ts'
import { asksOfPerson, type FilterNode } from '../../../events/trees/filter.ts'
import { readEvents } from '../../../postgres/bounded-reads.ts'
import { textArray } from '../../../postgres/columns.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import { fragment, run } from '../../../postgres/fragment.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { instant } from '../renderer/instants.ts'
import { findEventAnywhere, findEventNear } from './event-find-store.ts'
import { samplePropertyNames } from './event-names-store.ts'
import { readEventPage, withinBudget } from './event-page.ts'
import { readPiece } from './event-piece.ts'
import { readTable } from './event-table.ts'
import { listPropertyValues } from './event-values-store.ts'
import { personOf } from './selection-sql.ts'

/** Postgres has no year 0; events of that year are stored on this day. */
const DAY_MIN = '0001-01-01'

/** @param sql connections for queries alone. */
export function createPostgresEvents(sql: Sql): EventReader {
  return {
    list: (asked, page, { signal, time }) =>
      readEventPage(sql.withSignal(signal), asked, page, time),
    table: (asked, table, { signal, time }) =>
      readTable(sql.withSignal(signal), asked, table, time),
    piece: (asked, place, { signal, time }) =>
      readPiece(sql.withSignal(signal), asked, place, time),
    find: (project, uuid, { signal }) => findEvent(sql.withSignal(signal), project, uuid),
    values: (wanted, { signal, time }) =>
      readEvents(sql.withSignal(signal), async (tx) => {
        const list = () => listPropertyValues(tx, wanted)
        return { value: await withinBudget(tx, time, list, { groups: true }) }
      }),
    propertyNames: (project, sample, { signal, time }) =>
      samplePropertyNames(sql.withSignal(signal), project, sample, time.left()),
    newest: (wanted, { signal, time }) =>
      readEvents(sql.withSignal(signal), async (tx) => ({
        value: await withinBudget(tx, time, () => newestOf(tx, wanted)),
      })),
    matching: (project, places, where, { signal }) =>
      matchingEvents(sql.withSignal(signal), project, places, where),
  }
}

/** One look at the index of distinct ids for each, and partition: its first entry is the newest. */
async function newestOf(
  db: Db,
  { project, distinctIds, before }: NewestWanted,
): Promise<ReadonlyMap<string, string>> {
  const rows = await run<{ id: string; micros: string }>(
    db,
    fragment`select i.id, (extract(epoch from e.timestamp) * 1000000)::bigint::text as micros
      from unnest(${textArray(distinctIds)}) i(id) cross join lateral (
        select timestamp from events
        where project_id = ${String(project)}::integer and distinct_id = i.id
          and timestamp < ${instant(before)}
        order by timestamp desc limit 1
      ) e`,
    false,
  )
  return new Map(rows.map(({ id, micros }) => [id, micros]))
}

/**
 * The uuids of those events of the project that the condition holds for.
 */
async function matchingEvents(
  db: Db,
  project: ProjectId,
  places: readonly EventPlace[],
  where: FilterNode,
): Promise<ReadonlySet<string>> {
  const days = places.map(({ timestamp }) => {
    const day = timestamp.slice(0, DAY_MIN.length)
    return day < DAY_MIN ? DAY_MIN : day
  })
  const ids = places.map(({ id }) => id).join()
  const found = await run<{ uuid: string }>(
    db,
    fragment`select e.uuid from unnest(
        string_to_array(${ids}, ',')::uuid[], string_to_array(${days.join()}, ',')::date[]
      ) k(uuid, day)
      join events e on e.project_id = ${String(project)}::integer
        and e.day = k.day and e.uuid = k.uuid
        and e.day = any(string_to_array(${[...new Set(days)].join()}, ',')::date[])
      ${asksOfPerson(where) ? personOf(project) : fragment``}
      where ${filterSql(where, project)}`,
    false,
  )
  return new Set(found.map(({ uuid }) => uuid))
}

/**
 * Finds an event by its uuid. Events are partitioned by day. A time-ordered uuid tells when it was
 * made, which is nearly always the day of the event. Otherwise every day is tried.
 */
async function findEvent(
  db: Db,
  project: ProjectId,
  uuid: string,
): Promise<QueriedEvent | undefined> {
  const madeAt = madeAtMicros(uuid)
  const near = madeAt === undefined ? undefined : await findEventNear(db, project, uuid, madeAt)
  return near ?? (await findEventAnywhere(db, project, uuid))
}

/** The time in a version 7 uuid; undefined for other versions, and for times no event can have. */
function madeAtMicros(uuid: string): string | undefined {
  const digits = uuid.replaceAll('-', '')
  if (digits[12] !== '7') return undefined
  const ms = Number.parseInt(digits.slice(0, 12), 16)
  // Year 9999. Postgres can count beyond it, but no event is stored there.
  return ms < 253_402_300_800_000 ? String(BigInt(ms) * 1_000n) : undefined
}
