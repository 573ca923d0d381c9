/** Reads the events of a block back. */
import {
  type ColumnEvent,
  decodeEvent,
  EVENT_EXPRESSIONS,
} from '../../../src/clickhouse/column-event.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'

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
