/** Events of a snapshot that ClickHouse does not have yet: the outbox has them. */
import type { Member } from '../event-copy/blocks.ts'
import { eventsOfMembers } from '../event-copy/members.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'
import type { Db } from '../pool/db.ts'
import { type LedgerKey, nameOf } from './ledger-keys.ts'

/** Some at a time. Takes what it gives out of `missing`, which is by `nameOf`. */
export async function* waitingOf(
  tx: Db,
  month: string,
  missing: Map<string, LedgerKey>,
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
