/** Events of a snapshot that ClickHouse does not have yet: the outbox has them. */
import { waitingEvents } from '../event-copy/compare-days.ts'
import { type EventKey, keyText } from '../events-clickhouse/block-reader.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'
import type { Db } from '../pool/db.ts'

/** Takes what it gives out of `missing`, which is by `keyText`. */
export async function* waitingOf(
  tx: Db,
  month: string,
  missing: Map<string, EventKey>,
): AsyncGenerator<ColumnEvent, void> {
  for await (const event of waitingEvents(tx, month)) {
    const { projectId, timestamp, uuid } = event
    const key = keyText({ projectId, day: timestamp.slice(0, 10), uuid })
    if (!missing.delete(key)) continue
    yield { ...event, properties: Buffer.from(event.properties).toString() }
  }
}
