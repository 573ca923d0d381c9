/** Reads what is stored in ClickHouse, to compare it with what should be. */
import { assert } from '../core/code.ts'
import { REPLICA_REMOVAL_KEYS } from '../core/limits/limits-replica.ts'
import { DAY_MS } from '../events/time/instant.ts'
import { type ColumnEvent, decodeEvent, EVENT_EXPRESSIONS } from './column-event.ts'
import type { ColumnStore } from './connect.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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

/** Sums of a month, by project and day. @param snapshotBlock only of blocks up to this one. */
export async function sumDays(
  store: ColumnStore,
  month: string,
  snapshotBlock?: number,
): Promise<readonly DaySum[]> {
  const rows = await store.rows(
    `select project_id, day, toString(count()),
      toString(sum(bitShiftRight(toUInt128(uuid), 64)::UInt64)) || '-' ||
      toString(sum(toUInt128(uuid)::UInt64))
    from ${store.database}.events
    where month = {month: String} and block <= {snapshotBlock: UInt64}
    group by project_id, day order by project_id, day`,
    { month, snapshotBlock: snapshotBlock ?? Number.MAX_SAFE_INTEGER },
  )
  return rows.map(([projectId, day, count, uuidSum]) => ({
    projectId: Number(projectId),
    day: dayOf(day),
    count: Number(count),
    uuidSum: String(uuidSum),
  }))
}

/** Number of rows of each block of a month, from a number on; blocks without rows are left out. */
export async function countBlocks(
  store: ColumnStore,
  month: string,
  from = 0,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  const rows = store.stream(
    `select toString(block), toString(count()) from ${store.database}.events
    where month = {month: String} and block >= {from: UInt64} group by block`,
    { month, from },
  )
  for await (const [block, count] of rows) counts.set(Number(block), Number(count))
  return counts
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

/** Uuids, each as often as ClickHouse has it. */
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

/** Key of an event: its project, its UTC day as `YYYY-MM-DD`, and its uuid in lower case. */
export type EventKey = {
  readonly projectId: number
  readonly day: string
  readonly uuid: string
}

/** Keys that ClickHouse has among the given ones, each in the form of `keyText`. */
export async function readKeys(
  store: ColumnStore,
  month: string,
  keys: readonly EventKey[],
): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  for (let from = 0; from < keys.length; from += REPLICA_REMOVAL_KEYS) {
    const some = keys.slice(from, from + REPLICA_REMOVAL_KEYS).map(({ projectId, day, uuid }) => {
      assert(Number.isSafeInteger(projectId) && UUID.test(uuid), 'a key names no event')
      return `(${projectId}, ${daysOf(day)}, '${uuid}')`
    })
    const rows = await store.rows(
      `select project_id, day, toString(uuid) from ${store.database}.events
      where month = {month: String} and (project_id, day, uuid) in (${some.join(', ')})`,
      { month },
    )
    for (const [projectId, day, uuid] of rows) {
      there.add(keyText({ projectId: Number(projectId), day: dayOf(day), uuid: String(uuid) }))
    }
  }
  return there
}

export function keyText({ projectId, day, uuid }: EventKey): string {
  return `${projectId} ${day} ${uuid}`
}

/** Events of a project and a day. */
export type KeyedDay = {
  readonly project: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly uuids: readonly string[]
}

/** Streams the events that ClickHouse has among the given ones, each once. */
export async function* readEvents(
  store: ColumnStore,
  month: string,
  { project, day, uuids }: KeyedDay,
): AsyncGenerator<ColumnEvent, void> {
  const rows = store.stream(
    `select ${EVENT_EXPRESSIONS.join(', ')} from ${store.database}.events
    where month = {month: String} and project_id = {project: Int32} and day = {day: Int32}
      and uuid in (select toUUID(arrayJoin(splitByChar(',', {uuids: String}))))
    limit 1 by uuid`,
    { month, project, day: daysOf(day), uuids: uuids.join(',') },
  )
  for await (const row of rows) yield decodeEvent(row)
}

/** Days since 1970 of a day `YYYY-MM-DD`. */
export function daysOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function dayOf(days: unknown): string {
  return new Date(Number(days) * DAY_MS).toISOString().slice(0, 10)
}
