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

/** Sums of a month, by project and day. */
export async function sumDays(store: ColumnStore, month: string): Promise<readonly DaySum[]> {
  const rows = await store.rows(
    `select project_id, day, toString(count()),
      toString(sum(bitShiftRight(toUInt128(uuid), 64)::UInt64)) || '-' ||
      toString(sum(toUInt128(uuid)::UInt64))
    from ${store.database}.events where month = {month: String}
    group by project_id, day order by project_id, day`,
    { month },
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
