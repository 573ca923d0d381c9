/** Reads what is stored in ClickHouse, to compare it with what should be. */
import { DAY_MS } from '../../events/time/instant.ts'
import { type ColumnEvent, decodeEvent, EVENT_EXPRESSIONS } from './column-event.ts'
import type { ColumnStore } from './connect.ts'

/** Events of a project and a UTC day: how many, and a sum over their uuids. */
export type DaySum = {
  readonly projectId: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly count: number
  /**
   * The halves of the uuids as unsigned numbers, each half added up modulo 2^64, as
   * `<first>-<second>`. Any store can add them up, in any order.
   */
  readonly uuidSum: string
}

/** Sums of a month, by project and day. @param pin only of blocks up to this one. */
export async function sumDays(
  store: ColumnStore,
  month: string,
  pin?: number,
): Promise<readonly DaySum[]> {
  const rows = await store.rows(
    `select project_id, day, toString(count()),
      toString(sum(bitShiftRight(toUInt128(uuid), 64)::UInt64)) || '-' ||
      toString(sum(toUInt128(uuid)::UInt64))
    from ${store.database}.events
    where month = {month: String} and block <= {pin: UInt64}
    group by project_id, day order by project_id, day`,
    { month, pin: pin ?? Number.MAX_SAFE_INTEGER },
  )
  return rows.map(([projectId, day, count, uuidSum]) => ({
    projectId: Number(projectId),
    day: new Date(Number(day) * DAY_MS).toISOString().slice(0, 10),
    count: Number(count),
    uuidSum: String(uuidSum),
  }))
}

/** The events of a block, in order of project, time and uuid. */
export async function* readBlock(
  store: ColumnStore,
  month: string,
  number: number,
): AsyncGenerator<ColumnEvent, void> {
  const rows = store.stream(
    `select ${EVENT_EXPRESSIONS.join(', ')} from ${store.database}.events
    where month = {month: String} and block = {number: UInt64}
    order by project_id, timestamp_us, uuid`,
    { month, number },
  )
  for await (const row of rows) yield decodeEvent(row)
}

/** Numbers of the blocks of a month that have rows. */
export async function listBlocks(store: ColumnStore, month: string): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>()
  const rows = store.stream(
    `select distinct toString(block) from ${store.database}.events where month = {month: String}`,
    { month },
  )
  for await (const [number] of rows) numbers.add(Number(number))
  return numbers
}

/** Uuids of a project and a day, of a range in the order of their texts. */
export type UuidRange = {
  readonly month: string
  readonly project: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Behind this one, up to that one; empty is no bound. */
  readonly after: string
  readonly last: string
}

/** As often as they are there. */
export async function readUuids(store: ColumnStore, range: UuidRange): Promise<readonly string[]> {
  const { month, project, day, after, last } = range
  const rows = await store.rows(
    `select toString(uuid) as text from ${store.database}.events
    where month = {month: String} and project_id = {project: Int32} and day = {day: Int32}
      and text > {after: String} and ({last: String} = '' or text <= {last: String})`,
    { month, project, day: daysOf(day), after, last },
  )
  return rows.map(([uuid]) => String(uuid))
}

/** Events of a project and a day. */
export type KeyedDay = {
  readonly project: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly uuids: readonly string[]
}

/** Those that are there, each once. */
export async function readEvents(
  store: ColumnStore,
  month: string,
  { project, day, uuids }: KeyedDay,
): Promise<readonly ColumnEvent[]> {
  const rows = await store.rows(
    `select ${EVENT_EXPRESSIONS.join(', ')} from ${store.database}.events
    where month = {month: String} and project_id = {project: Int32} and day = {day: Int32}
      and uuid in (arrayMap(u -> toUUID(u), splitByChar(',', {uuids: String})))
    limit 1 by uuid`,
    { month, project, day: daysOf(day), uuids: uuids.join(',') },
  )
  return rows.map(decodeEvent)
}

/** Days since 1970 of a day `YYYY-MM-DD`. */
export function daysOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}
