/** Statements that store a flush: one for each combination of parts beside its events. */

import type { FlushRow } from '../../../ingest/store-port.ts'
import { intArray, toColumns } from '../../../postgres/columns.ts'
import { FLAG_USAGE_DAYS } from '../../../store/projects/flag-usage-store.ts'
import {
  CHANGE_PARAMETERS,
  CHANGE_PERSONS,
  CHANGES_ANSWER,
  holdPersons,
  type SimpleChange,
} from './changes-sql.ts'
import {
  ACROSS_MIDNIGHT,
  EVENTS,
  type Home,
  KEYS,
  NO_OTHER_DAY,
  type OtherDay,
} from './homes-sql.ts'
import { lookAtPersons, QUIET_ANSWER, QUIET_GATE, QUIET_PARAMETERS } from './quiet-sql.ts'

/**
 * Counts what libraries report of flags, in the statement that stores the reports. Only flushes
 * with such events have this part: the statement of the others is what it was.
 */
const FLAG_CALLED = '$feature_flag_called'

export function isFlagCall({ event }: FlushRow): boolean {
  return event.event === FLAG_CALLED
}

/** Whether any of the rows reports that a program asked for a flag. */
export function hasFlagCalls(rows: readonly FlushRow[]): boolean {
  return rows.some(isFlagCall)
}

/** Further columns that `written` returns; properties are kept of flag calls only. */
const FLAG_CALL_COLUMNS = `
      , timestamp, case when event = '${FLAG_CALLED}' then properties end as properties`

/** The same columns of the input, whose properties are a text, or jsonb where persons change. */
const FLAG_CALLS_OF_INPUT = `
      , timestamp, case when event = '${FLAG_CALLED}' then properties::jsonb end as properties`

/**
 * Goes over the rows that were really inserted. Clients choose key, value and day: what is no flag
 * of the project is not counted, a value that its flag does not have counts as '', and no day
 * outside of what is kept. `$10` is the slot.
 */
const FLAG_CALLS = `
  , called as (
    insert into flag_usage as u (project_id, key, day, value, slot, count, last_at)
    select c.project_id, c.key, c.day, v.value, $10::smallint, sum(c.count)::bigint,
      least(max(c.last_at), now())
    from (
      select project_id, day, properties ->> '$feature_flag' as key,
        properties ->> '$feature_flag_response' as value, count(*) as count,
        max(timestamp) as last_at
      from written
      where event = '${FLAG_CALLED}' and day
        between (now() at time zone 'UTC')::date - ${FLAG_USAGE_DAYS - 1}
        and (now() at time zone 'UTC')::date + 1
      group by 1, 2, 3, 4
    ) c
    join feature_flags f on f.project_id = c.project_id and f.key = c.key and not f.deleted
    cross join lateral (
      select case
        when c.value in ('true', 'false') then c.value
        when json_typeof(f.filters -> 'multivariate' -> 'variants') = 'array' and exists (
          select from json_array_elements(f.filters -> 'multivariate' -> 'variants') as variant
          where variant ->> 'key' = c.value
        ) then c.value
        else '' end as value
    ) v
    group by c.project_id, c.key, c.day, v.value order by c.project_id, c.key, c.day, v.value
    on conflict (project_id, key, day, value, slot) do update
      set count = u.count + excluded.count, last_at = greatest(u.last_at, excluded.last_at)
  )`

/** Statement parts that make persons of distinct ids that have none, behind the events. */
const BIRTH_PARAMETERS = 5

/**
 * Flushes of two slots may make the same person: the later one waits for the other's commit, and
 * makes none.
 */
const OWN = `
  , owned as (
    insert into distinct_ids (project_id, distinct_id, person_id)
    select project_id, distinct_id, id from fresh order by project_id, distinct_id
    on conflict do nothing
    returning person_id
  ), born as (
    insert into persons (id, project_id, uuid, created_at, properties)
    select id, project_id, uuid, created_at, properties from fresh
    where (id in (select person_id from owned)) is true
  )`

/** Persons without properties: no order among flushes matters to them, and nothing is locked. */
const makeEmptyPersons = (first: number) => `
  , fresh as materialized (
    select project_id, distinct_id, uuid::uuid as uuid, created_at::timestamptz as created_at,
      '{}'::jsonb as properties, nextval('persons_id_seq') as id
    from unnest(
      $${first}::int[], string_to_array($${first + 1}, $${first + 4}),
      string_to_array($${first + 2}, $${first + 4}), string_to_array($${first + 3}, $${first + 4})
    ) as b (project_id, distinct_id, uuid, created_at)
    where project_id in (select id from live) and (select yes from quiet) and not exists (
      select from distinct_ids d
      where d.project_id = b.project_id and d.distinct_id = b.distinct_id)
  )${OWN}`

/** A repeated event makes no person: as in `CHANGES_ANSWER`, the division takes all back. */
const BIRTHS_ANSWER = `,
    1 / (case when (select count(*) from written) < (select count(*) from input)
      and exists (select from fresh) then 0 else 1 end) as whole`

/** Persons of `newborn`. */
const MAKE_PERSONS = `
  , fresh as materialized (
    select n.project_id, n.distinct_id, n.uuid::uuid as uuid,
      n.created_at::timestamptz as created_at, n.properties, n.place,
      nextval('persons_id_seq') as id
    from newborn n
    where n.project_id in (select id from live) and (select yes from simple)
  )${OWN}`

/** Parameters of `makeEmptyPersons`. */
export function birthParameters(births: readonly SimpleChange[]): string[] {
  const { texts, separator } = toColumns([
    births.map(({ distinctId }) => distinctId),
    births.map(({ personUuid }) => personUuid),
    births.map(({ createdAt }) => createdAt),
  ])
  return [intArray(births.map(({ projectId }) => projectId)), ...texts, separator]
}

/** First `$n` after the parameters of the events. */
const FIRST_BEHIND_EVENTS = 11
const SEEN_PARAMETERS = 4

/** First `$n` after those of `lookAtPersons`. */
const BEHIND_QUIET = FIRST_BEHIND_EVENTS + QUIET_PARAMETERS
const BEHIND_BIRTHS = BEHIND_QUIET + BIRTH_PARAMETERS
const BEHIND_CHANGES = BEHIND_QUIET + CHANGE_PARAMETERS

const ORDINARY = { before: lookAtPersons(FIRST_BEHIND_EVENTS), gate: QUIET_GATE }

const CHANGES = {
  before: lookAtPersons(FIRST_BEHIND_EVENTS) + holdPersons(BEHIND_QUIET),
  gate: ' and (select yes from simple)',
}

type FlagCalls = {
  readonly returned: string
  readonly kept: string
  readonly counted: string
}

const NO_FLAG_CALLS: FlagCalls = { returned: '', kept: '', counted: '' }
const WITH_FLAG_CALLS: FlagCalls = {
  returned: FLAG_CALL_COLUMNS,
  kept: FLAG_CALLS_OF_INPUT,
  counted: FLAG_CALLS,
}

/**
 * Statement that inserts rows sorted by the unique index: two flushes with the same events then
 * wait for each other instead of deadlocking. Only inserted rows are counted. Skipped rows are
 * looked up only when there are some; the hashed sub-select (`is not true`) keeps that linear.
 */
const eventsBut = (home: Home, other: OtherDay, calls: FlagCalls, changes: typeof ORDINARY) => {
  const rows = `where project_id in (select id from live)${changes.gate}${other.unstored}`
  return `
  with input as materialized (
    select project_id, uuid, timestamp, event, distinct_id,
      properties, elements_chain, position${other.column}
    from unnest(
      $1::int[], string_to_array($2, $8)::uuid[], string_to_array($3, $8)::timestamptz[],
      string_to_array($4, $8), string_to_array($5, $8), string_to_array($6, $8),
      string_to_array($7, $8)
    ) with ordinality as i (
      project_id, uuid, timestamp, event, distinct_id, properties, elements_chain, position
    )
  )${changes.before}, live as materialized (
    select id from projects where id = any ($9::int[])
  )${home.before(rows)}, written as (${home.written(rows, {
    returned: calls.returned,
    kept: calls.kept,
  })}
  ), counted as (
    insert into event_counts as c (project_id, event, day, slot, count)
    select project_id, event, day, $10::smallint, count(*) from written
    group by project_id, event, day order by project_id, event, day
    on conflict (project_id, event, day, slot) do update set count = c.count + excluded.count
  )${calls.counted}`
}

const seenFrom = (first: number) => `
  , seen as (
    insert into event_definitions as d (id, project_id, name)
    select gen_random_uuid(), project_id, name
    from unnest($${first}::int[], string_to_array($${first + 1}, $${first + 2}))
      as i (project_id, name)
    where project_id in (select id from live) order by project_id, name
    on conflict (project_id, name) do update set last_seen_at = now()
    where d.last_seen_at < now() - interval '1 second'
  ), first as (
    update projects set ingested_event = true
    where id = any ($${first + 3}::int[]) and not ingested_event
  )`

/** Outside the statement of the events, behind `$5`: the projects. */
export const WRITE_UNSEEN = `
  with live as materialized (select id from projects where id = any ($5::int[]))
  ${seenFrom(1)}
  select`

const answerWith = (more: string) => `
  select
    (select string_agg(id::text, ',') from live) as live,
    case when (select count(*) from written) < (select count(*) from input) then (
      select string_agg((position - 1)::text, ',') from input
      where project_id in (select id from live)
        and ((project_id, (timestamp at time zone 'UTC')::date, uuid)
          in (select project_id, day, uuid from written)) is not true
    ) end as skipped${more}`

/**
 * Three forms, because an unused part costs time too: one that changes no person and makes only
 * empty ones, one with everything that is possible without a merge, and the same with new
 * definitions and projects.
 */
const statementsOf = (home: Home, other: OtherDay, calls: FlagCalls) => {
  const { outbox, isFull } = home
  const changes = eventsBut(home, other, calls, CHANGES) + CHANGE_PERSONS + MAKE_PERSONS
  const answer = answerWith(isFull + QUIET_ANSWER)
  const seen = seenFrom(BEHIND_CHANGES) + outbox(BEHIND_CHANGES + SEEN_PARAMETERS)
  const ordinary = eventsBut(home, other, calls, ORDINARY) + makeEmptyPersons(BEHIND_QUIET)
  return {
    ordinary: ordinary + outbox(BEHIND_BIRTHS) + answer + BIRTHS_ANSWER,
    changing: changes + outbox(BEHIND_CHANGES) + answer + CHANGES_ANSWER,
    unseen: changes + seen + answer + CHANGES_ANSWER,
  }
}

export type FlushStatements = ReturnType<typeof statementsOf>

const formsBut = (home: Home, other: OtherDay) => ({
  usual: statementsOf(home, other, NO_FLAG_CALLS),
  withFlagCalls: statementsOf(home, other, WITH_FLAG_CALLS),
})

const formsWith = (home: Home) => ({
  usual: formsBut(home, NO_OTHER_DAY),
  nearMidnight: formsBut(home, ACROSS_MIDNIGHT),
})
/** By the home of the months of a flush. */
export const STATEMENTS = { events: formsWith(EVENTS), keys: formsWith(KEYS) }
