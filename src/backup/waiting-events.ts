/**
 * Events of a snapshot whose newest content is in the outbox: ClickHouse does not have them yet, or
 * still has an event under their key that was removed.
 */

import { type EventKey, keyText } from '../clickhouse/block-reader.ts'
import type { ColumnEvent } from '../clickhouse/column-event.ts'
import type { Db } from '../postgres/db.ts'
import { openTombstones } from '../replication/blocks.ts'
import { waitingEvents } from '../replication/compare-days.ts'
import { tablesOf } from '../replication/move/move-month.ts'
import { keyColumns } from './key-index.ts'

/**
 * Yields the waiting events among `missing` (by `keyText`) and removes them from it. If several
 * have one key, only the newest is yielded.
 */
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

/**
 * Finds events of the key index that were stored anew since a pending removal: what ClickHouse has
 * under their key is the removed event.
 */
export async function storedAnew(tx: Db, month: string): Promise<(key: EventKey) => boolean> {
  const removals = openTombstones(tx, month)
  const [row] = await tx<{ isMonth: boolean }[]>`
    select exists (
      select from ${removals} r where removal->>'kind' = 'month'
    ) as "isMonth"`
  if (row?.isMonth === true) return () => true
  const keys = await tx<EventKey[]>`
    select distinct ${keyColumns(tx)} from ${removals} r
    cross join lateral json_array_elements(r.removal->'keys') k
    join ${tx(tablesOf(month).keys)} l on l.project_id = (r.removal->>'project')::integer
      and l.day = date '1970-01-01' + (k->>0)::integer and l.uuid = (k->>1)::uuid
    where r.removal->>'kind' = 'events'`
  const anew = new Set(keys.map(keyText))
  return (key) => anew.has(keyText(key))
}
