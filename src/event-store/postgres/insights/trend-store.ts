/** Counts events and their actors by buckets of time and values of a breakdown. */

import type { Db } from '../../../postgres/db.ts'
import { commas, type Fragment, fragment, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import {
  type BreakdownSource,
  type FirstMeasure,
  isFirst,
  type Measure,
  OTHER_VALUE,
  type RollingEdge,
  type TrendCell,
  type TrendNumber,
  type TrendParts,
  type ValueEvents,
} from '../../insight-events.ts'
import { whereOf } from '../reads/selection-sql.ts'
import { filterSql } from '../renderer/filter-sql.ts'
import { groupOfEvent } from '../renderer/group-of-event.ts'
import {
  actorOf,
  breakdownText,
  bucketOf,
  fromInsightEvents,
  type InsightNeeds,
  shownValue,
} from './insight-fragments.ts'

/**
 * One cell for each bucket and value that has events.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function countTrend(
  db: Db,
  selection: EventSelection,
  measure: Measure,
  parts: TrendParts,
): Promise<readonly TrendCell[]> {
  switch (measure.kind) {
    case 'actors':
      return await cellsOf(db, actorsByBucket(selection, parts))
    case 'first_ever':
    case 'first_matching':
      return await cellsOf(db, firstEventsByBucket(selection, measure.kind, parts))
    default:
      return await cellsOf(db, eventsByBucket(selection, measure, parts))
  }
}

async function cellsOf(db: Db, statement: Fragment): Promise<readonly TrendCell[]> {
  return await run<TrendCell>(db, statement, false)
}

/** Shown breakdown value of event `e`; empty without a breakdown. */
function shownOf({ breakdown }: TrendParts): Fragment {
  return breakdown === undefined ? fragment`''` : shownValue(breakdown.source, breakdown.shown)
}

function needsOf({ breakdown }: TrendParts): InsightNeeds {
  return { breakdown: breakdown?.source }
}

function eventsByBucket(
  selection: EventSelection,
  measure: EventMeasure,
  parts: TrendParts,
): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value, coalesce(${aggregateOf(measure)}, 0)::float8 as number
    from (${measuredEvents(selection, measure, parts)}) x group by 1, 2`
}

/** Each event, with its bucket from 1; `measured` is null where it adds nothing to the number. */
function measuredEvents(
  selection: EventSelection,
  measure: EventMeasure,
  parts: TrendParts,
): Fragment {
  return fragment`
    select ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value,
      ${measuredOf(measure, selection)} as measured, e.distinct_id
    ${fromInsightEvents(selection, needsOf(parts))} where ${whereOf(selection)}`
}

type EventMeasure = Exclude<Measure, { kind: 'actors' | FirstMeasure }>

function measuredOf(measure: EventMeasure, { project }: EventSelection): Fragment {
  if (measure.kind === 'events') return fragment`true`
  if (measure.kind === 'sessions') return fragment`nullif(e.properties ->> '$session_id', '')`
  if (measure.kind === 'groups') return groupOfEvent(project, measure.index)
  if ('property' in measure) return numberIn(measure.property)
  return fragment`true`
}

/**
 * A number, or a text that is one; null for anything else, and for what a double cannot hold.
 * Smaller than what a double can hold is 0.
 */
function numberIn(property: string): Fragment {
  const text = fragment`(e.properties ->> ${property})`
  return fragment`(select case when abs(n) > 1e308 then null when abs(n) < 1e-300 then 0 else n end
    from (select case
      when jsonb_typeof(e.properties -> ${property}) = 'number' then ${text}::numeric
      when jsonb_typeof(e.properties -> ${property}) = 'string'
        and length(${text}) <= 400 and ${text} ~ '^-?[0-9]+([.][0-9]+)?$' then ${text}::numeric
      end as n) one)`
}

const PERCENTILES = { median: '0.5', p75: '0.75', p90: '0.9', p95: '0.95', p99: '0.99' } as const

function aggregateOf(measure: EventMeasure): Fragment {
  switch (measure.kind) {
    case 'events':
      return fragment`count(*)`
    case 'sessions':
    case 'groups':
      return fragment`count(distinct x.measured)`
    case 'sum':
      return fragment`case when abs(sum(x.measured)) > 1e308 then sign(sum(x.measured)) * 1e308
        else sum(x.measured) end`
    case 'avg':
      return fragment`avg(x.measured)`
    case 'min':
      return fragment`min(x.measured)`
    case 'max':
      return fragment`max(x.measured)`
    default: {
      const part = PERCENTILES[measure.kind as keyof typeof PERCENTILES]
      return fragment`percentile_cont(${part}::float8) within group (order by x.measured::float8)`
    }
  }
}

function actorsByBucket(selection: EventSelection, parts: TrendParts): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value,
      (count(distinct d.person_id) + count(*) filter (where d.person_id is null))::float8 as number
    from (${activeIds(selection, parts)}) x ${actorOf(selection.project, fragment`x`)}
    group by 1, 2`
}

/** Ids are made distinct before their persons are looked up: there are far fewer of them. */
function activeIds(selection: EventSelection, parts: TrendParts): Fragment {
  return fragment`
    select distinct ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value, e.distinct_id
    ${fromInsightEvents(selection, needsOf(parts))} where ${whereOf(selection)}`
}

function firstEventsByBucket(
  selection: EventSelection,
  kind: FirstMeasure,
  parts: TrendParts,
): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value, count(*)::float8 as number
    from (${firstEvents(selection, kind, parts)}) x where x.bucket > 0 group by 1, 2`
}

/** Each actor's first event that counts; what is before the first edge has the bucket 0. */
function firstEvents(selection: EventSelection, kind: FirstMeasure, parts: TrendParts): Fragment {
  if (kind === 'first_matching') return firstOfActors(selection, fragment``, parts)
  // Persons stay a condition of what is read: it holds for all events of an actor, or for none.
  const { where, ...all } = selection
  const isOfSelection = where === undefined ? fragment`true` : filterSql(where, selection.project)
  const first = firstOfActors(
    { ...all, where: undefined },
    fragment`, ${isOfSelection} as counts`,
    parts,
  )
  return fragment`select f.bucket, f.value, f.distinct_id from (${first}) f where f.counts`
}

/** Each actor's first event of a selection. */
function firstOfActors(selection: EventSelection, columns: Fragment, parts: TrendParts): Fragment {
  const byCohort = parts.breakdown?.source.kind === 'cohorts' ? fragment`b.value,` : fragment``
  return fragment`
    select distinct on (
        ${byCohort} d.person_id, case when d.person_id is null then e.distinct_id end)
      ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value, e.distinct_id ${columns}
    ${fromInsightEvents(selection, { ...needsOf(parts), actor: true })}
    where ${whereOf(selection)}
    order by ${byCohort} d.person_id, case when d.person_id is null then e.distinct_id end,
      e.timestamp, e.uuid`
}

/**
 * Statement for the distinct ids whose events make the number, repeated for several events; for
 * groups their keys, with the index of their type in `grouped`.
 */
export function idsBehind({ selection, measure, parts, value }: TrendNumber): Fragment {
  const events =
    measure.kind === 'actors'
      ? activeIds(selection, parts)
      : isFirst(measure)
        ? firstEvents(selection, measure.kind, parts)
        : fragment`select * from (${measuredEvents(selection, measure, parts)}) m
            where m.measured is not null`
  const id =
    measure.kind === 'groups'
      ? fragment`x.measured as distinct_id, ${String(measure.index)}::integer as grouped`
      : fragment`x.distinct_id, null::integer as grouped`
  return fragment`select ${id} from (${events}) x where x.bucket = 1 and x.value = ${value}`
}

/**
 * Reads active actors within a number of days, as changes by day: the sum of the changes up to a
 * day is the number of actors that were active on it or on one of the `days - 1` days before it.
 * @param parts edges of local days; `day` counts them from 0.
 */
export async function rollingActors(
  db: Db,
  selection: EventSelection,
  days: number,
  parts: TrendParts,
): Promise<readonly RollingEdge[]> {
  const columns = commas([fragment`x.value`, fragment`d.person_id`, loneId])
  const statement = fragment`
    with active as (
      select distinct x.day, ${columns}, coalesce(d.person_id::text, '') as person
      from (
        select i.bucket as day, i.value, i.distinct_id from (${activeIds(selection, parts)}) i
      ) x ${actorOf(selection.project, fragment`x`)}
    ), spans as (
      select a.day, a.value, lead(a.day) over (
        partition by a.value, a.person_id, a.lone order by a.day) as next
      from active a
    )
    select s.day - 1 as day, s.value, sum(s.change)::float8 as change from (
      select day, value, 1 as change from spans
      union all
      select least(next, day + ${String(days)}::integer), value, -1 from spans
    ) s group by 1, 2`
  return await run<RollingEdge>(db, statement, false)
}

/** The distinct id of an actor without a person. */
const loneId = fragment`case when d.person_id is null then x.distinct_id end as lone`

/**
 * The values with the most events, at most `limit`; ties by code point. One that is named like the
 * row of others is not shown by itself, so that it counts there alone.
 */
export async function topValues(
  db: Db,
  selection: EventSelection,
  source: BreakdownSource,
  limit: number,
): Promise<readonly ValueEvents[]> {
  const statement = fragment`
    select x.value, count(*)::float8 as count from (
      select ${breakdownText(source)} as value
      ${fromInsightEvents(selection, { breakdown: source })} where ${whereOf(selection)}
    ) x where x.value <> ${OTHER_VALUE}
    group by 1 order by 2 desc, x.value collate "C" limit ${String(limit)}::bigint`
  return await run<ValueEvents>(db, statement, false)
}

/** The first moment at which an event matches, ms since the epoch; undefined when none does. */
export async function firstEventMs(db: Db, selection: EventSelection): Promise<number | undefined> {
  const statement = fragment`
    select (extract(epoch from min(e.timestamp)) * 1000)::float8 as ms
    ${fromInsightEvents(selection, {})} where ${whereOf(selection)}`
  const [row] = await run<{ ms: number | null }>(db, statement, false)
  return row?.ms ?? undefined
}
