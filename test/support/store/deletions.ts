/** Persons, events and deletions of tests, and the work of the worker that deletes. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import { withoutReplica } from '../../../src/event-store/clickhouse/replica/without-replica.ts'
import { createPartitions, partitionOf } from '../../../src/event-store/months/partitions.ts'
import { findPerson } from '../../../src/event-store/postgres/persons/find-person.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { deletePerson } from '../../../src/privacy/delete-person.ts'
import { insertDeletion } from '../../../src/privacy/deletion-store.ts'
import { findKeys } from '../../../src/privacy/find-in-clickhouse.ts'
import type { RunDeletionsDeps } from '../../../src/privacy/run-chunk.ts'
import { CHUNK_BOUNDS, runDeletions } from '../../../src/privacy/run-deletions.ts'
import { askedOfDeletion, selectionOfDeletion } from '../../../src/query/list/deletion-selection.ts'
import { createProject } from '../ingest/ingest-store.ts'
import { testDatabase } from '../servers/database.ts'

export const never = new AbortController().signal

export async function setUpDeletions(t: Test) {
  const db = await testDatabase(t, { connectionsMax: 6 })
  return { db, sql: db.sql, project: await createProject(db.sql) }
}

/** Deletes without pauses between chunks, and calls `onChunk` for each. */
export function hurried(onChunk: () => void | Promise<void> = () => undefined): Clock {
  return {
    ...systemClock,
    async sleep() {
      await onChunk()
    },
  }
}

/** Finds events in ClickHouse as a worker without `EVENTS_URL` does. */
function findWithout(sql: Sql): RunDeletionsDeps['findKeys'] {
  const deps = { sql, columns: withoutReplica(), askedOf: askedOfDeletion }
  return (deletion, walk) => findKeys(deps, deletion, walk)
}

/** Works on running deletions, as the loop of a worker does. */
export async function work(
  sql: Sql,
  signal = never,
  clock = hurried(),
  more: Partial<RunDeletionsDeps> = {},
): Promise<void> {
  const deps: RunDeletionsDeps = {
    sql,
    clock,
    selectionOf: (deletion) => selectionOfDeletion({ sql, clock: systemClock }, deletion),
    findKeys: findWithout(sql),
    isSpillPast: async () => true,
    onPersonDeleted: async () => undefined,
    bounds: CHUNK_BOUNDS,
    shares: new Map(),
    ...more,
  }
  await runDeletions(deps, signal)
}

type Filled = { readonly distinctId: string; readonly day: string; readonly events: number }

/** Events of one distinct id on one day, with their counters. */
export async function fill(sql: Sql, project: ProjectId, { distinctId, day, events }: Filled) {
  await createPartitions(sql, [partitionOf(day)])
  await sql`
    with written as (
      insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
      select ${project}, ${day}::text::date, gen_random_uuid(), ${day}::text::timestamptz, 'e' || n % 3,
        ${distinctId}, jsonb_build_object('n', n)
      from generate_series(1, ${events}::integer) as n returning event, day
    )
    insert into event_counts (project_id, event, day, slot, count)
    select ${project}, event, day, 0, count(*) from written group by event, day
    on conflict (project_id, event, day, slot) do update
    set count = event_counts.count + excluded.count`
}

export async function makePerson(sql: Sql, project: ProjectId, distinctIds: readonly string[]) {
  await sql`
    with made as (
      insert into persons (project_id, uuid, created_at, properties)
      values (${project}, gen_random_uuid(), now(), '{"email": "a@b.c"}') returning id
    ), overridden as (
      insert into flag_hash_key_overrides (project_id, person_id, flag_key, hash_key)
      select ${project}, id, 'f', 'h' from made
    ), cohort as (
      insert into cohorts (project_id, name) values (${project}, 'c') returning id
    ), member as (
      insert into cohort_people select cohort.id, made.id from cohort, made
    )
    insert into distinct_ids select ${project}, unnest(${[...distinctIds]}::text[]), id from made`
}

export async function askForPerson(
  sql: Sql,
  project: ProjectId,
  distinctId: string,
  withEvents = true,
) {
  const person = await findPerson(sql, project, { distinctId })
  if (person === undefined) throw new Error('there is no such person')
  const id = randomUUID()
  const asked = { id, projectId: project, kind: 'person', filters: null, total: null } as const
  const gone = await sql.begin((tx) =>
    deletePerson(tx, person, { ...asked, personUuid: person.uuid, withEvents, askedBy: null }),
  )
  return { id, gone }
}

export async function askFiltered(sql: Sql, project: ProjectId, filters: Record<string, string>) {
  const id = randomUUID()
  await sql.begin((tx) =>
    insertDeletion(tx, {
      id,
      projectId: project,
      kind: 'events',
      filters,
      total: null,
      personUuid: null,
      withEvents: true,
      askedBy: null,
    }),
  )
  return id
}

/** Events by distinct id, as the rows and as the counters have them. */
export async function left(sql: Sql, project: ProjectId) {
  const rows = await sql<{ id: string; events: number }[]>`
    select distinct_id as id, count(*)::int as events from events
    where project_id = ${project} group by 1 order by 1`
  const [row] = await sql<{ counted: number }[]>`
    select coalesce(sum(count), 0)::int as counted from event_counts where project_id = ${project}`
  const events = Object.fromEntries(rows.map((each) => [each.id, each.events]))
  const all = rows.reduce((sum, each) => sum + each.events, 0)
  return { events, isCounted: row?.counted === all }
}
