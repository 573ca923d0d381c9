/** Names that the events of a project go by, and those of their properties, for choosing from. */
import type { ProjectId } from '../../../core/ids.ts'
import type { PropertySample } from '../../../events/ports.ts'
import { limitStatements } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import { failureCode } from '../../../postgres/failures.ts'
import { QUERY_CANCELED } from '../../../postgres/sqlstate.ts'

export type EventNameUsage = {
  readonly name: string
  /** Event lists that asked for this name in the last 30 days. */
  readonly queries: number
  /** Events in the last 30 days. */
  readonly volume: number
}

/** Most used first: by volume, then by name. One walk of `event_definitions_list`. */
export async function listEventNames(
  db: Db,
  project: ProjectId,
  namesMax: number,
): Promise<EventNameUsage[]> {
  return await db<EventNameUsage[]>`
    select name, query_usage_30_day::float8 as queries, volume_30_day::float8 as volume
    from event_definitions where project_id = ${project}
    order by volume_30_day desc nulls last, name limit ${namesMax}`
}

/**
 * Names of the properties of a project's newest events, those of most events first. No table holds
 * the names: an upsert of every property of every event would cost capture more than it is worth.
 * @returns none when the time-out cuts it.
 */
export async function samplePropertyNames(
  sql: Sql,
  project: ProjectId,
  sample: PropertySample,
  timeoutMs: number,
): Promise<readonly string[]> {
  try {
    const rows = await sql.begin('read only', async (tx) => {
      await limitStatements(tx, timeoutMs)
      return await selectPropertyNames(tx, project, sample)
    })
    return rows.map(({ name }) => name)
  } catch (error) {
    if (failureCode(error) === QUERY_CANCELED) return []
    throw error
  }
}

async function selectPropertyNames(
  tx: Db,
  project: ProjectId,
  { events, bytes, nameLengthMax, namesMax }: PropertySample,
): Promise<{ name: string }[]> {
  return await tx<{ name: string }[]>`
    select key as name from (
      select properties, row_number() over newest as place,
        sum(pg_column_size(properties)) over newest as bytes
      from (
        select timestamp, uuid, properties from events where project_id = ${project}
        order by timestamp desc, uuid limit ${events}
      ) e
      window newest as (order by timestamp desc, uuid rows unbounded preceding)
    ) e
    cross join lateral jsonb_object_keys(
      case when jsonb_typeof(properties) = 'object' then properties else '{}' end
    ) as key
    where (e.place = 1 or e.bytes <= ${bytes}) and char_length(key) <= ${nameLengthMax}
    group by key order by count(*) desc, key limit ${namesMax}`
}
