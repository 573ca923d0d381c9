/** Brings the events of a project from Postgres to ClickHouse, with the persons of now. */
import { insertBlock } from '../../../src/clickhouse/block.ts'
import type { ColumnEvent } from '../../../src/clickhouse/column-event.ts'
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { type OwnedId, sendIds } from '../../../src/clickhouse/distinct-ids.ts'
import { clickhouseInsights } from '../../../src/event-store/clickhouse/insights/clickhouse-insights.ts'
import { monthOf } from '../../../src/events/time/partition-month.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { EventsElsewhere } from '../insights/check.ts'

/** Questions read the events of `store`. */
export function inColumns(store: ColumnStore): EventsElsewhere {
  const copy = copier(store)
  return { openEvents: clickhouseInsights({ store }), copy }
}

function copier(store: ColumnStore): EventsElsewhere['copy'] {
  let blocks = 0
  return async (sql, project) => {
    const months = new Map<string, ColumnEvent[]>()
    for (const event of await eventsOf(sql, project)) {
      const month = monthOf(event.timestamp)
      months.set(month, [...(months.get(month) ?? []), event])
    }
    for (const events of months.values()) {
      blocks += 1
      await insertBlock(store, { number: blocks, events })
    }
    await sendIds(store, await idsOf(sql, project), String(blocks + 1))
  }
}

export async function idsOf(sql: Sql, project: number): Promise<readonly OwnedId[]> {
  return await sql<OwnedId[]>`
    select project_id as "projectId", distinct_id as "distinctId", person_id::text as "personId"
    from distinct_ids where project_id = ${project}`
}

/** @param day of UTC, `YYYY-MM-DD`; all days without one. */
export async function eventsOf(
  sql: Sql,
  project: number,
  day?: string,
): Promise<readonly ColumnEvent[]> {
  const instant = (column: string) =>
    sql.unsafe(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
  return await sql<ColumnEvent[]>`
    select e.project_id as "projectId", e.uuid::text, e.event, e.distinct_id as "distinctId",
      ${instant('e.timestamp')} as timestamp, e.properties::text,
      e.elements_chain as "elementsChain", ${instant('e.created_at')} as "createdAt"
    from events e
    where e.project_id = ${project} and (${day ?? null}::date is null or e.day = ${day ?? null})`
}
