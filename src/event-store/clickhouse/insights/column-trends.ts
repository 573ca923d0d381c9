/** Counts events and their actors by buckets of time and values of a breakdown, in ClickHouse. */

import { type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import {
  type BreakdownSource,
  type FirstMeasure,
  isFirst,
  type Measure,
  OTHER_VALUE,
  type RollingEdge,
  type TrendCell,
  type TrendParts,
  type ValueEvents,
} from '../../insight-events.ts'
import { isNumberMember, memberText } from '../renderer/json-member.ts'
import type { Asking, Prepared } from './asking.ts'
import {
  ACTOR,
  bucketOf,
  DIFFERENT_ACTORS,
  isIn,
  shownText,
  shownValue,
} from './column-fragments.ts'

type EventMeasure = Exclude<Measure, { kind: 'actors' | FirstMeasure }>

export async function countTrend(
  asking: Asking,
  selection: EventSelection,
  measure: Measure,
  parts: TrendParts,
): Promise<readonly TrendCell[]> {
  const readsActors = measure.kind === 'actors' || isFirst(measure)
  const prepared = await prepareCount(asking, selection, measure, parts, readsActors)
  const counted = countedEvents(prepared, measure, parts, readsActors)
  const rows = await asking.rows(fragment`
    select bucket - 1, value, ${numberOf(measure)} from (${counted})
    where bucket > 0 group by bucket, value`)
  return rows.map(([bucket, value, number]) => ({
    bucket: Number(bucket),
    value: shownText(prepared.breakdown, String(value)),
    number: Number(number),
  }))
}

/** Parts of a selection that `countedEvents` reads. */
type Counting = Prepared & {
  /** Condition on an actor's first event for it to count. */
  readonly counts: Fragment
}

export async function prepareCount(
  asking: Asking,
  selection: EventSelection,
  measure: Measure,
  parts: TrendParts,
  readsActors: boolean,
): Promise<Counting> {
  const groups = measure.kind === 'groups' ? measure.index : undefined
  const beside = { breakdown: parts.breakdown?.source, readsActors, groups }
  if (measure.kind !== 'first_ever') {
    return { ...(await asking.prepare(selection, beside)), counts: fragment`true` }
  }
  // Persons stay a condition of what is read: it holds for all events of an actor, or for none.
  const { where, needsPerson, ...all } = selection
  const role = { event: selection.event ?? null, where, needsPerson }
  const read = { ...all, needsPerson, where: undefined }
  const prepared = await asking.prepare(read, { ...beside, roles: [role] })
  return { ...prepared, counts: isIn(role, prepared.resolved) }
}

/**
 * Counted events, each with its bucket from 1 and its value.
 * @param withActors adds the actor, which `prepared` reads.
 */
export function countedEvents(
  { from, breakdown, counts, group }: Counting,
  measure: Measure,
  parts: TrendParts,
  withActors: boolean,
): Fragment {
  const bucket = bucketOf(parts.edges)
  const shown = parts.breakdown?.shown ?? []
  const value = shownValue(breakdown, shown)
  if (measure.kind === 'actors') {
    return fragment`select ${bucket} as bucket, ${value} as value, ${ACTOR} ${from}`
  }
  if (!isFirst(measure)) {
    const actor = withActors ? fragment`${ACTOR}, ` : fragment``
    return fragment`
      select ${bucket} as bucket, ${value} as value,
        ${actor}${measuredOf(measure, group)} as measured
      ${from}`
  }
  // Each actor's first event, in each of its cohorts.
  const isByCohort = parts.breakdown?.source.kind === 'cohorts'
  return fragment`
    select tupleElement(first, 1) as bucket, tupleElement(first, 2) as value, person, lone from (
      select argMin((${bucket}, ${value}, ${counts}), (e.timestamp_us, UUIDToNum(e.uuid))) as first,
        ${ACTOR}
      ${from} group by person, lone${isByCohort ? fragment`, b` : fragment``}
    ) where tupleElement(first, 3)`
}

/** Null where the event adds nothing to the number. */
function measuredOf(measure: EventMeasure, group: Fragment): Fragment {
  if (measure.kind === 'events') return fragment`1`
  const properties = fragment`e.properties`
  if (measure.kind === 'sessions')
    return fragment`nullIf(${memberText(properties, '$session_id')}, '')`
  if (measure.kind === 'groups') return group
  return 'property' in measure ? numberIn(measure.property) : fragment`1`
}

const TEXT_NUMBER = '^-?[0-9]+([.][0-9]+)?$'

/**
 * A number, or a text that is one; null for anything else, and for what a double cannot hold.
 * Smaller than what a double can hold is 0.
 */
function numberIn(property: string): Fragment {
  const json = fragment`e.properties`
  const text = memberText(json, property)
  const isText = fragment`JSONType(${json}, ${property}) = 'String' and lengthUTF8(t) <= 400
    and match(t, ${TEXT_NUMBER})`
  const read = fragment`if(${isNumberMember(json, property)} or (${isText}), toFloat64OrNull(t), null)`
  const held = fragment`multiIf(isNull(n), null, abs(n) > 1e308, null, abs(n) < 1e-300, 0, n)`
  return fragment`arrayElement(arrayMap(n -> ${held}, arrayMap(t -> ${read}, [${text}])), 1)`
}

const LEVELS = { median: '0.5', p75: '0.75', p90: '0.9', p95: '0.95', p99: '0.99' } as const
const QUANTILES: Readonly<Record<keyof typeof LEVELS, Fragment>> = {
  median: fragment`quantileExactInclusive(0.5)`,
  p75: fragment`quantileExactInclusive(0.75)`,
  p90: fragment`quantileExactInclusive(0.9)`,
  p95: fragment`quantileExactInclusive(0.95)`,
  p99: fragment`quantileExactInclusive(0.99)`,
}

/** Number over `measured`, `person` and `lone`. */
function numberOf({ kind }: Measure): Fragment {
  switch (kind) {
    case 'events':
    case 'first_ever':
    case 'first_matching':
      return fragment`count()`
    case 'actors':
      return DIFFERENT_ACTORS
    case 'sessions':
    case 'groups':
      return fragment`uniqExact(measured)`
    case 'sum':
      return fragment`greatest(least(ifNull(sumKahan(measured), 0), 1e308), -1e308)`
    case 'avg':
      return fragment`ifNull(sumKahan(measured) / nullIf(count(measured), 0), 0)`
    case 'min':
      return fragment`ifNull(min(measured), 0)`
    case 'max':
      return fragment`ifNull(max(measured), 0)`
    default:
      return fragment`ifNull(${QUANTILES[kind]}(measured), 0)`
  }
}

export async function rollingActors(
  asking: Asking,
  selection: EventSelection,
  days: number,
  parts: TrendParts,
): Promise<readonly RollingEdge[]> {
  const measure = { kind: 'actors' } as const
  const prepared = await prepareCount(asking, selection, measure, parts, true)
  const ends = fragment`arrayMap((d, n) -> (toInt32(least(n, d + ${wholeNumbers([days])})), -1),
    active, arrayPushBack(arrayPopFront(active), 2147483647))`
  const rows = await asking.rows(fragment`
    select tupleElement(change, 1) - 1 as day, value, sum(tupleElement(change, 2)) from (
      select value, arrayJoin(arrayConcat(arrayMap(d -> (d, 1), active), ${ends})) as change from (
        select value, arraySort(groupUniqArray(bucket)) as active
        from (${countedEvents(prepared, measure, parts, true)}) group by value, person, lone
      )
    ) group by day, value`)
  return rows.map(([day, value, change]) => ({
    day: Number(day),
    value: shownText(prepared.breakdown, String(value)),
    change: Number(change),
  }))
}

export async function topValues(
  asking: Asking,
  selection: EventSelection,
  source: BreakdownSource,
  limit: number,
): Promise<readonly ValueEvents[]> {
  const { from, breakdown } = await asking.prepare(selection, { breakdown: source })
  if (breakdown === undefined) return []
  const rows = await asking.rows(fragment`
    select value, count() as events from (select ${breakdown.text} as value ${from})
    where value != ${breakdown.textOf(OTHER_VALUE) ?? ''} group by value order by events desc, value
    limit ${wholeNumbers([limit])}`)
  return rows.map(([value, count]) => ({
    value: breakdown.valueOf(String(value)),
    count: Number(count),
  }))
}

export async function firstEventMs(
  asking: Asking,
  selection: EventSelection,
): Promise<number | undefined> {
  const { from } = await asking.prepare(selection)
  const [[us, count] = []] = await asking.rows(
    fragment`select min(e.timestamp_us) / 1000, count() ${from}`,
  )
  return Number(count) === 0 ? undefined : Number(us)
}
