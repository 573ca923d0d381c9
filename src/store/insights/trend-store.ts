/** Counts events and their actors by buckets of time and values of a breakdown. */
import { type EventSelection, run, whereOf } from '../events/event-selection.ts'
import type { Db } from '../pool/db.ts'
import { commas, type Fragment, fragment } from '../pool/fragment.ts'
import {
  actorOf,
  type BreakdownSource,
  breakdownText,
  bucketOf,
  fromInsightEvents,
  shownValue,
} from './insight-fragments.ts'

/** What is counted of the events in a bucket. */
export type Measure =
  | { readonly kind: 'events' | 'actors' | 'sessions' | 'first_events' }
  | { readonly kind: NumberMeasure; readonly property: string }
export type NumberMeasure = 'sum' | 'avg' | 'min' | 'max' | 'median' | 'p75' | 'p90' | 'p95' | 'p99'

export type TrendParts = {
  /** Bounds of buckets: the last one is the end. */
  readonly edges: readonly number[]
  readonly breakdown: ShownBreakdown | undefined
}
export type ShownBreakdown = {
  readonly source: BreakdownSource
  /** Values that are shown by themselves. */
  readonly shown: readonly string[]
}

/** `bucket` counts from 0. `value` is empty without a breakdown. */
export type TrendCell = { readonly bucket: number; readonly value: string; readonly number: number }

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
    case 'first_events':
      return await cellsOf(db, firstEventsByBucket(selection, parts))
    default:
      return await cellsOf(db, eventsByBucket(selection, measure, parts))
  }
}

async function cellsOf(db: Db, statement: Fragment): Promise<readonly TrendCell[]> {
  return await run<TrendCell>(db, statement, false)
}

/** Of `e`. */
function shownOf({ breakdown }: TrendParts): Fragment {
  return breakdown === undefined ? fragment`''` : shownValue(breakdown.source, breakdown.shown)
}

function needsOf({ breakdown }: TrendParts) {
  return { actor: false, person: breakdown?.source.kind === 'person' }
}

function eventsByBucket(
  selection: EventSelection,
  measure: Exclude<Measure, { kind: 'actors' | 'first_events' }>,
  parts: TrendParts,
): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value, ${aggregateOf(measure)}::float8 as number from (
      select ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value,
        ${measuredOf(measure)} as measured
      ${fromInsightEvents(selection, needsOf(parts))} where ${whereOf(selection)}
    ) x group by 1, 2 having ${aggregateOf(measure)} is not null`
}

type EventMeasure = Exclude<Measure, { kind: 'actors' | 'first_events' }>

function measuredOf(measure: EventMeasure): Fragment {
  if (measure.kind === 'events') return fragment`true`
  if (measure.kind === 'sessions') return fragment`nullif(e.properties ->> '$session_id', '')`
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

/** Ids are made distinct before their persons are looked up: there are far fewer of them. */
function actorsByBucket(selection: EventSelection, parts: TrendParts): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value,
      (count(distinct d.person_id) + count(*) filter (where d.person_id is null))::float8 as number
    from (
      select distinct ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value, e.distinct_id
      ${fromInsightEvents(selection, needsOf(parts))} where ${whereOf(selection)}
    ) x ${actorOf(selection.project, fragment`x`)} group by 1, 2`
}

/** The actor's first event of all; what is before the first edge has the bucket 0. */
function firstEventsByBucket(selection: EventSelection, parts: TrendParts): Fragment {
  return fragment`
    select x.bucket - 1 as bucket, x.value, count(*)::float8 as number from (
      select distinct on (d.person_id, case when d.person_id is null then e.distinct_id end)
        ${bucketOf(parts.edges)} as bucket, ${shownOf(parts)} as value
      ${fromInsightEvents(selection, { ...needsOf(parts), actor: true })}
      where ${whereOf(selection)}
      order by d.person_id, case when d.person_id is null then e.distinct_id end,
        e.timestamp, e.uuid
    ) x where x.bucket > 0 group by 1, 2`
}

/** A change of the number of active actors: they count from the day on which they are active. */
export type RollingEdge = { readonly day: number; readonly value: string; readonly change: number }

/**
 * Who is active within a number of days, as changes by day: the sum of the changes up to a day is
 * the number of actors that were active on it or on one of the `days - 1` days before it.
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
        select distinct ${bucketOf(parts.edges)} as day, ${shownOf(parts)} as value, e.distinct_id
        ${fromInsightEvents(selection, needsOf(parts))} where ${whereOf(selection)}
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

/** The values with the most events, at most `limit`; ties by code point. */
export async function topValues(
  db: Db,
  selection: EventSelection,
  source: BreakdownSource,
  limit: number,
): Promise<readonly { readonly value: string; readonly count: number }[]> {
  const needs = { actor: false, person: source.kind === 'person' }
  const statement = fragment`
    select x.value, count(*)::float8 as count from (
      select ${breakdownText(source)} as value
      ${fromInsightEvents(selection, needs)} where ${whereOf(selection)}
    ) x where x.value is not null
    group by 1 order by 2 desc, x.value collate "C" limit ${String(limit)}::bigint`
  return await run<{ value: string; count: number }>(db, statement, false)
}

/** The first moment at which an event matches, ms since the epoch; undefined when none does. */
export async function firstEventMs(db: Db, selection: EventSelection): Promise<number | undefined> {
  const statement = fragment`
    select (extract(epoch from min(e.timestamp)) * 1000)::float8 as ms
    ${fromInsightEvents(selection, { actor: false, person: false })} where ${whereOf(selection)}`
  const [row] = await run<{ ms: number | null }>(db, statement, false)
  return row?.ms ?? undefined
}
