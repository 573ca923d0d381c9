/** The same events in Postgres and in ClickHouse. */

import { insertBlock } from '../../../src/clickhouse/block.ts'
import type { ColumnEvent } from '../../../src/clickhouse/column-event.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import type { PostgresIngestStore } from '../../../src/event-store/postgres/flush/ingest-store.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { monthOf } from '../../../src/events/time/partition-month.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { rowOf } from '../ingest/ingest-store.ts'
import { jsonbText } from './jsonb-text.ts'

export type BothStores = {
  readonly sql: Sql
  readonly postgres: PostgresIngestStore
  readonly columns: ColumnStore
}

/** Events as they are in Postgres, in order of their uuids. */
async function eventsInPostgres(
  sql: Sql,
  project: ProjectId,
  uuids?: readonly string[],
): Promise<ColumnEvent[]> {
  const instant = (column: string) =>
    sql.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  const named = uuids === undefined ? sql`` : sql`and uuid = any (${[...uuids]}::uuid[])`
  return await sql<ColumnEvent[]>`
    select project_id as "projectId", uuid::text, event, distinct_id as "distinctId",
      ${instant('timestamp')} as timestamp, properties::text,
      elements_chain as "elementsChain", ${instant('created_at')} as "createdAt"
    from events where project_id = ${project} ${named} order by uuid`
}

/** Events as ClickHouse is given them: what Postgres holds, but properties as `jsonbText` writes. */
function columnEventsOf(
  project: ProjectId,
  events: readonly IngestEvent[],
  stored: readonly ColumnEvent[],
): ColumnEvent[] {
  const createdAt = new Map(stored.map((event) => [event.uuid, event.createdAt]))
  return events.map(({ uuid, event, distinctId, timestamp, elementsChain, properties }) => {
    const text = jsonbText(properties)
    if (!text.ok) throw new Error(text.error)
    const texts = { uuid, event, distinctId, timestamp, elementsChain, properties: text.value }
    return { projectId: Number(project), ...texts, createdAt: createdAt.get(uuid) ?? '' }
  })
}

/** The block of each month that events are stored in. */
export type Blocks = ReadonlyMap<string, number>

/**
 * Stores events in both.
 * @param firstBlock its number and those after it are used for no other block.
 */
export async function storeInBoth(
  { sql, postgres, columns }: BothStores,
  project: ProjectId,
  events: readonly IngestEvent[],
  firstBlock: number,
): Promise<{ readonly stored: readonly ColumnEvent[]; readonly blocks: Blocks }> {
  await postgres.flush(
    0,
    events.map((event) => rowOf(project, event)),
  )
  const uuids = events.map(({ uuid }) => uuid)
  const stored = await eventsInPostgres(sql, project, uuids)
  const blocks = await insertByMonth(columns, columnEventsOf(project, events, stored), firstBlock)
  return { stored, blocks }
}

/** Copies the events of a project, and tells how many blocks that took. */
export async function copyToColumns(
  { sql, columns }: Pick<BothStores, 'sql' | 'columns'>,
  project: ProjectId,
  firstBlock: number,
): Promise<number> {
  const stored = await eventsInPostgres(sql, project)
  return (await insertByMonth(columns, stored, firstBlock)).size
}

async function insertByMonth(
  columns: ColumnStore,
  events: readonly ColumnEvent[],
  firstBlock: number,
): Promise<Blocks> {
  const months = new Map<string, ColumnEvent[]>()
  for (const event of events) {
    const month = monthOf(event.timestamp)
    months.set(month, [...(months.get(month) ?? []), event])
  }
  const blocks = new Map<string, number>()
  for (const [month, members] of months) {
    const number = firstBlock + blocks.size
    await insertBlock(columns, { number, events: members })
    blocks.set(month, number)
  }
  return blocks
}
