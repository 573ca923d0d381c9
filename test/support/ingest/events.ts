/** Events for tests of the ingest path. */
import { v4 as uuidv4 } from 'uuid'
import { createPartitions, partitionOf } from '../../../src/event-store/months/partitions.ts'
import type { Sql } from '../../../src/postgres/connect.ts'

export type TestEvent = {
  readonly uuid?: string
  readonly event?: string
  readonly distinctId?: string
  /** ISO 8601 with `Z`. */
  readonly timestamp: string
  readonly properties?: object
  readonly elementsChain?: string
}

/** Stores events with their partitions and counters, past the writer. Answers their uuids. */
export async function putEvents(
  sql: Sql,
  project: number,
  events: readonly TestEvent[],
): Promise<string[]> {
  const rows = events.map((each) => ({
    uuid: each.uuid ?? uuidv4(),
    event: each.event ?? 'e',
    distinct_id: each.distinctId ?? 'd',
    timestamp: each.timestamp,
    properties: each.properties ?? {},
    elements_chain: each.elementsChain ?? '',
  }))
  const partitions = rows.map(({ timestamp }) => partitionOf(timestamp))
  await createPartitions(sql, [...new Map(partitions.map((each) => [each.name, each])).values()])
  await sql`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as i (
        uuid uuid, event text, distinct_id text, timestamp timestamptz, properties jsonb,
        elements_chain text)
    ), written as (
      insert into events
        (project_id, day, uuid, timestamp, event, distinct_id, properties, elements_chain)
      select ${project}, (timestamp at time zone 'UTC')::date, uuid, timestamp, event, distinct_id,
        properties, elements_chain
      from input returning event, day
    )
    insert into event_counts (project_id, event, day, slot, count)
    select ${project}, event, day, 0, count(*) from written group by event, day
    on conflict (project_id, event, day, slot)
    do update set count = event_counts.count + excluded.count`
  return rows.map(({ uuid }) => uuid)
}

/** Stores a person that owns these distinct ids; answers its number and UUID. */
export async function putPerson(
  sql: Sql,
  project: number,
  person: { distinctIds: readonly string[]; properties?: object; isIdentified?: boolean },
): Promise<{ id: string; uuid: string }> {
  const uuid = uuidv4()
  const [row] = await sql<{ id: string }[]>`
    insert into persons (project_id, uuid, properties, is_identified, created_at)
    values (${project}, ${uuid}, ${JSON.stringify(person.properties ?? {})}::text::jsonb,
      ${person.isIdentified ?? false}, now())
    returning id::text as id`
  if (row === undefined) throw new Error('no person was stored')
  await sql`
    insert into distinct_ids (project_id, distinct_id, person_id)
    select ${project}, d, ${row.id}::text::bigint
    from unnest(${[...person.distinctIds]}::text[]) as d`
  return { id: row.id, uuid }
}
