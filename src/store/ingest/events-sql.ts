/**
 * The statement that stores the events of a flush, with the persons and definitions that are new.
 */

import type { ProjectId } from '../../core/ids.ts'
import { type FlushRow, StoreError } from '../../ingest/store-port.ts'
import { type Columns, intArray, toColumns } from '../pool/columns.ts'
import type { Db } from '../pool/db.ts'
import { FLAG_CALL_COLUMNS, FLAG_CALLS, hasFlagCalls } from './flag-calls-sql.ts'
import type { GroupTypes } from './groups-sql.ts'
import { NEAR_MIDNIGHT_HOURS } from './near-midnight.ts'
import { storedProperties, storedTimestamp } from './prepare-flush.ts'

/** Distinct ids that get a person of their own unless they have one by now. */
export type NewDistinctId = {
  readonly projectId: number
  readonly distinctId: string
  readonly personUuid: string
  readonly createdAt: string
}

export type SeenDefinition = { readonly projectId: number; readonly name: string }

export type EventsInput = {
  readonly rows: readonly FlushRow[]
  readonly types: ReadonlyMap<ProjectId, GroupTypes>
  readonly projectIds: readonly number[]
  /** Row of `event_counts` that this writer slot adds to. */
  readonly countSlot: number
  readonly newDistinctIds: readonly NewDistinctId[]
  readonly seenDefinitions: readonly SeenDefinition[]
  /** Projects whose `ingested_event` may still be false. */
  readonly firstProjectIds: readonly number[]
  /** Whether any row must be looked for on the other side of a midnight. */
  readonly isNearMidnight: boolean
}

export type EventsWritten = {
  readonly liveProjectIds: ReadonlySet<number>
  /** Positions of rows that were there already. */
  readonly skipped: readonly number[]
}

/**
 * Rows go in sorted by the unique index: two flushes with the same events then wait for each other
 * instead of deadlocking. The counts are those of the rows really inserted. What was skipped is
 * looked for only when something was; the hashed sub-select (`is not true`) keeps that linear.
 */
const eventsBut = (others: string, returned: string) => `
  with input as materialized (
    select * from unnest(
      $1::int[], string_to_array($2, $8)::uuid[], string_to_array($3, $8)::timestamptz[],
      string_to_array($4, $8), string_to_array($5, $8), string_to_array($6, $8),
      string_to_array($7, $8)
    ) with ordinality
    as i (project_id, uuid, timestamp, event, distinct_id, properties, elements_chain, position)
  ), live as materialized (
    select id from projects where id = any ($9::int[])
  ), written as (
    insert into events
      (project_id, day, uuid, timestamp, event, distinct_id, properties, elements_chain)
    select project_id, (timestamp at time zone 'UTC')::date as day, uuid, timestamp, event,
      distinct_id, properties::jsonb, coalesce(elements_chain, '')
    from input where project_id in (select id from live)${others}
    order by project_id, day, uuid
    on conflict do nothing
    returning project_id, day, uuid, event${returned}
  ), counted as (
    insert into event_counts as c (project_id, event, day, slot, count)
    select project_id, event, day, $10::smallint, count(*) from written
    group by project_id, event, day order by project_id, event, day
    on conflict (project_id, event, day, slot) do update set count = c.count + excluded.count
  )`

/**
 * One look into the unique index for each row near a midnight, none for others. A scalar sub-select
 * stays one: as an anti join it could be planned as a scan of all events.
 */
const STORED_ACROSS_MIDNIGHT = `
      and (
        select true from events e
        where e.project_id = input.project_id and e.uuid = input.uuid and e.day = case
          when extract(hour from input.timestamp at time zone 'UTC') < ${NEAR_MIDNIGHT_HOURS}
          then (input.timestamp at time zone 'UTC')::date - 1
          when extract(hour from input.timestamp at time zone 'UTC') >= ${24 - NEAR_MIDNIGHT_HOURS}
          then (input.timestamp at time zone 'UTC')::date + 1 end
      ) is null`

const PERSONS = `
  , fresh as materialized (
    select i.*, nextval('persons_id_seq') as id from unnest(
      $11::int[], string_to_array($12, $15), string_to_array($13, $15)::uuid[],
      string_to_array($14, $15)::timestamptz[]
    ) as i (project_id, distinct_id, uuid, created_at)
    where project_id in (select id from live) and not exists (
      select 1 from distinct_ids d
      where d.project_id = i.project_id and d.distinct_id = i.distinct_id)
  ), owned as (
    insert into distinct_ids (project_id, distinct_id, person_id)
    select project_id, distinct_id, id from fresh order by project_id, distinct_id
    on conflict do nothing
    returning person_id
  ), born as (
    insert into persons (id, project_id, uuid, created_at)
    select id, project_id, uuid, created_at from fresh
    where (id in (select person_id from owned)) is true
  )`

const SEEN = `
  , seen as (
    insert into event_definitions as d (id, project_id, name)
    select gen_random_uuid(), project_id, name
    from unnest($16::int[], string_to_array($17, $18)) as i (project_id, name)
    where project_id in (select id from live) order by project_id, name
    on conflict (project_id, name) do update set last_seen_at = now()
    where d.last_seen_at < now() - interval '1 second'
  ), first as (
    update projects set ingested_event = true where id = any ($19::int[]) and not ingested_event
  )`

const ANSWER = `
  select
    (select string_agg(id::text, ',') from live) as live,
    case when (select count(*) from written) < (select count(*) from input) then (
      select string_agg((position - 1)::text, ',') from input
      where project_id in (select id from live)
        and ((project_id, (timestamp at time zone 'UTC')::date, uuid)
          in (select project_id, day, uuid from written)) is not true
    ) end as skipped`

/** What is not needed costs its plan all the same: most flushes have new persons at most. */
const statementsOf = (events: string) => ({
  plain: events + ANSWER,
  withPersons: events + PERSONS + ANSWER,
  withAll: events + PERSONS + SEEN + ANSWER,
})
const formsBut = (others: string) => ({
  usual: statementsOf(eventsBut(others, '')),
  withFlagCalls: statementsOf(eventsBut(others, FLAG_CALL_COLUMNS) + FLAG_CALLS),
})
const FORMS = formsBut('')
const NEAR_MIDNIGHT_FORMS = formsBut(STORED_ACROSS_MIDNIGHT)

/** Writes events and what goes with them in one statement, atomic also outside a transaction. */
export async function writeEvents(db: Db, input: EventsInput): Promise<EventsWritten> {
  const [statement, parameters] = statementFor(input)
  const [answer] = await db.unsafe<{ live: string | null; skipped: string | null }[]>(
    statement,
    parameters,
    { prepare: true },
  )
  // Without it every project would seem to be gone, and its events would be refused for good.
  if (answer === undefined) throw new StoreError('unreachable', '', 'no answer to a flush')
  return {
    liveProjectIds: new Set(numbers(answer.live)),
    skipped: numbers(answer.skipped),
  }
}

function statementFor(input: EventsInput): [statement: string, parameters: string[]] {
  const events = eventParameters(input)
  const { usual, withFlagCalls } = input.isNearMidnight ? NEAR_MIDNIGHT_FORMS : FORMS
  const { plain, withPersons, withAll } = hasFlagCalls(input.rows) ? withFlagCalls : usual
  if (input.seenDefinitions.length > 0 || input.firstProjectIds.length > 0) {
    return [withAll, [...events, ...personParameters(input), ...seenParameters(input)]]
  }
  if (input.newDistinctIds.length === 0) return [plain, events]
  return [withPersons, [...events, ...personParameters(input)]]
}

function eventParameters({ rows, types, projectIds, countSlot }: EventsInput): string[] {
  const { texts, separator } = toColumns([
    rows.map(({ event }) => event.uuid),
    rows.map(({ event }) => storedTimestamp(event)),
    rows.map(({ event }) => event.event),
    rows.map(({ event }) => event.distinctId),
    rows.map(({ event, projectId }) => storedProperties(event, types.get(projectId))),
    rows.map(({ event }) => event.elementsChain),
  ])
  const owners = intArray(rows.map((row) => row.projectId))
  return [owners, ...texts, separator, intArray(projectIds), String(countSlot)]
}

function personParameters({ newDistinctIds }: EventsInput): string[] {
  const persons: Columns = toColumns([
    newDistinctIds.map((each) => each.distinctId),
    newDistinctIds.map((each) => each.personUuid),
    newDistinctIds.map((each) => each.createdAt),
  ])
  const owners = intArray(newDistinctIds.map((each) => each.projectId))
  return [owners, ...persons.texts, persons.separator]
}

function seenParameters({ seenDefinitions, firstProjectIds }: EventsInput): string[] {
  const definitions = toColumns([seenDefinitions.map((each) => each.name)])
  const owners = intArray(seenDefinitions.map((each) => each.projectId))
  return [owners, ...definitions.texts, definitions.separator, intArray(firstProjectIds)]
}

function numbers(list: string | null | undefined): number[] {
  return list ? list.split(',').map(Number) : []
}
