/** Statements that store a flush: one for each combination of parts beside its events. */
import { BIRTH_PARAMETERS, BIRTHS_ANSWER, MAKE_PERSONS, makeEmptyPersons } from './births-sql.ts'
import { CHANGE_PARAMETERS, CHANGE_PERSONS, CHANGES_ANSWER, holdPersons } from './changes-sql.ts'
import { FLAG_CALL_COLUMNS, FLAG_CALLS, FLAG_CALLS_OF_INPUT } from './flag-calls-sql.ts'
import {
  ACROSS_MIDNIGHT,
  EVENTS,
  type Home,
  KEYS,
  NO_OTHER_DAY,
  type OtherDay,
} from './homes-sql.ts'
import { lookAtPersons, QUIET_ANSWER, QUIET_GATE, QUIET_PARAMETERS } from './quiet-sql.ts'

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
