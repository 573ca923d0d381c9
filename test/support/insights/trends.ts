/** TrendsQuery. */
import { type Breakdown, breakdownValue, NONE, OTHER, topValues } from './breakdowns.ts'
import { type EventsNode, type Filter, matcherOf } from './filters.ts'
import { formulaValue } from './formula.ts'
import { groupsOf, mathOf, ROLLING_DAYS } from './maths.ts'
import {
  bucketOf,
  compared,
  covered,
  type DateRange,
  type Grid,
  gridOf,
  isWithin,
  type Range,
  resolved,
} from './ranges.ts'
import { type Seen, seenIn, type World } from './world.ts'
import { dayOf, type Interval, laterBucket, startOfDay, written } from './zones.ts'

export type TrendsQuery = {
  readonly kind: 'TrendsQuery'
  readonly series: readonly EventsNode[]
  readonly dateRange?: DateRange
  readonly interval?: Interval
  readonly properties?: readonly Filter[]
  readonly filterTestAccounts?: boolean
  readonly breakdownFilter?: Breakdown
  readonly compareFilter?: { readonly compare: boolean; readonly compare_to?: string }
  readonly trendsFilter?: { readonly formula?: string; readonly display?: string }
}

export type TrendsRow = {
  readonly value?: string
  readonly period?: string
  readonly data: readonly number[]
  readonly aggregated?: number
  readonly buckets: readonly string[]
  readonly incompleteFrom: number | null
}

const AGGREGATED = ['BoldNumber', 'ActionsTable', 'ActionsPie', 'ActionsBarValue']

/** A series in one period: what falls under each value. */
type Part = {
  readonly node: EventsNode
  readonly data: (value: string | undefined) => readonly number[]
  readonly total: (value: string | undefined) => number
  readonly values: readonly string[]
}

type Period = {
  readonly name: string
  readonly range: Range
  readonly grid: Grid
  /** Its last bucket is cut. */
  readonly isPart: boolean
}

export function evaluateTrends(world: World, query: TrendsQuery) {
  const seen = seenIn(world)
  const of = query.series.map((node) => {
    const matches = matcherOf(world, query, node)
    const ofName = seen.filter(({ event }) => node.event === null || node.event === event)
    return { node, events: seen.filter(matches), counted: countedOf(node, ofName, matches) }
  })
  const firsts = of.flatMap(({ events }) => events.slice(0, 1).map(({ at }) => at))
  const first = () => (firsts.length === 0 ? undefined : Math.min(...firsts))
  const periods = periodsOf(world, query, first)
  const [current] = periods
  if (current === undefined) throw new Error('a question has a period')
  const top = topOf(query, of, current)
  const parts = periods.map((period) =>
    of.map(({ node, counted }, index) =>
      partOf({ world, query, node, counted, period, top: top[index] ?? [] }),
    ),
  )
  const rows = periods.flatMap((period, index) => rowsOf(world, query, period, parts, index))
  return { rows, hasMore: rows.some(({ value }) => value === OTHER) }
}

function periodsOf(world: World, query: TrendsQuery, first: () => number | undefined): Period[] {
  const interval = query.interval ?? 'day'
  const range = resolved(world, query.dateRange ?? {}, first)
  const periodOf = (name: string, range: Range) => {
    const grid = gridOf(world.zone, interval, range)
    return { name, range: covered(grid, range), grid, isPart: false }
  }
  const current = periodOf('current', range)
  if (query.compareFilter?.compare !== true) return [current]
  const earlier = compared(world, interval, range, query.compareFilter.compare_to)
  const previous = periodOf('previous', earlier)
  const isCut = range.from < world.now && world.now < range.to
  const next = laterBucket(world.zone, interval, previous.grid.starts.at(-1) ?? earlier.to, 1)
  // A last bucket that is cut has not ended as the one of now has not.
  return [current, { ...previous, isPart: isCut && next > earlier.to }]
}

/** The values that have rows, per series, or over all of them for a formula. */
function topOf(
  query: TrendsQuery,
  of: readonly { readonly events: readonly Seen[] }[],
  { range }: Period,
): readonly (readonly string[])[] {
  const by = query.breakdownFilter
  if (by === undefined) return []
  const lists = of.map(({ events }) => events.filter(({ at }) => isWithin(range, at)))
  if (query.trendsFilter?.formula === undefined) return lists.map((each) => topValues(by, each))
  const all = topValues(by, lists.flat())
  const having = (value: string) =>
    lists.findIndex((list) => list.some((event) => breakdownValue(by, event) === value))
  const ordered = all.toSorted((one, other) => having(one) - having(other))
  return lists.map(() => ordered)
}

type PartInput = {
  readonly world: World
  readonly query: TrendsQuery
  readonly node: EventsNode
  /** All that count, ever, in order of time. */
  readonly counted: readonly Seen[]
  readonly period: Period
  readonly top: readonly string[]
}

function partOf({ world, query, node, counted, period, top }: PartInput): Part {
  const by = query.breakdownFilter
  const math = node.math ?? 'total'
  const rowOf = (event: Seen): string | undefined => {
    if (by === undefined) return undefined
    const value = breakdownValue(by, event)
    return value === NONE || top.includes(value) ? value : OTHER
  }
  const under = (value: string | undefined) => counted.filter((event) => rowOf(event) === value)
  const days = ROLLING_DAYS[math]
  const daysTo = (end: number, length: number): Range => ({
    from: startOfDay(world.zone, dayOf(world.zone, end - 1) - length + 1),
    to: end,
  })
  const number = (found: readonly Seen[]) =>
    math === 'unique_group'
      ? groupsOf(node.math_group_type_index ?? 0, found)
      : mathOf(math, node.math_property, found)
  // Range of the events that the numbers need: rolling ones need days before the range.
  const { to } = period.range
  const read =
    days === undefined ? period.range : { from: daysTo(period.grid.ends[0] ?? to, days).from, to }
  const data = (value: string | undefined) => {
    const own = under(value)
    return period.grid.starts.map((_, index) => {
      const end = period.grid.ends[index] ?? 0
      if (days === undefined) {
        return number(
          own.filter(({ at }) => isWithin(period.range, at) && bucketOf(period.grid, at) === index),
        )
      }
      return number(own.filter(({ at }) => isWithin(daysTo(end, days), at)))
    })
  }
  // A rolling number of the range is that of the days that end with it.
  const whole = days === undefined ? period.range : daysTo(to, days)
  const total = (value: string | undefined) =>
    number(under(value).filter(({ at }) => isWithin(whole, at)))
  const has = (value: string) =>
    counted.some((event) => isWithin(read, event.at) && rowOf(event) === value)
  return { node, data, total, values: [...top, ...[NONE, OTHER].filter(has)] }
}

/** @param ofName all events of the name of a series, whatever its filters. */
function countedOf(
  { math }: EventsNode,
  ofName: readonly Seen[],
  matches: (event: Seen) => boolean,
): readonly Seen[] {
  if (math === 'first_time_for_user') return firstOfEach(ofName).filter(matches)
  const events = ofName.filter(matches)
  return math === 'first_matching_event_for_user' ? firstOfEach(events) : events
}

function firstOfEach(events: readonly Seen[]): Seen[] {
  const found = new Map<string, Seen>()
  for (const event of events) if (!found.has(event.actor)) found.set(event.actor, event)
  return [...found.values()]
}

function rowsOf(
  world: World,
  query: TrendsQuery,
  period: Period,
  periods: readonly (readonly Part[])[],
  index: number,
): TrendsRow[] {
  const parts = periods[index] ?? []
  const { starts, ends } = period.grid
  const ongoing = period.isPart ? ends.length - 1 : ends.findIndex((end) => end > world.now)
  const isAggregated = AGGREGATED.includes(query.trendsFilter?.display ?? '')
  const row = (value: string | undefined, data: readonly number[], total: () => number) => ({
    ...(value === undefined ? {} : { value }),
    ...(query.compareFilter?.compare === true ? { period: period.name } : {}),
    data,
    ...(isAggregated ? { aggregated: total() } : {}),
    buckets: starts.map((start) => written(world.zone, start)),
    incompleteFrom: ongoing === -1 ? null : ongoing,
  })
  const valuesOf = (nth: number): readonly (string | undefined)[] =>
    query.breakdownFilter === undefined
      ? [undefined]
      : [...new Set(periods.flatMap((each) => each[nth]?.values ?? []))].sort(lastOnes)
  const formula = query.trendsFilter?.formula
  if (formula === undefined) {
    return parts.flatMap((part, nth) =>
      valuesOf(nth).map((value) => row(value, part.data(value), () => part.total(value))),
    )
  }
  const letters = (numbers: readonly number[]) =>
    new Map(numbers.map((number, nth) => [String.fromCharCode(65 + nth), number]))
  const values = [...new Set(parts.flatMap((_, nth) => valuesOf(nth)))].sort(lastOnes)
  return values.map((value) => {
    const data = parts.map((part) => part.data(value))
    const points = starts.map((_, at) =>
      formulaValue(formula, letters(data.map((each) => each[at] ?? 0))),
    )
    return row(value, points, () =>
      formulaValue(formula, letters(parts.map((part) => part.total(value)))),
    )
  })
}

/** None and other come last; others keep their order. */
function lastOnes(one: string | undefined, other: string | undefined): number {
  const rank = (value: string | undefined) => [NONE, OTHER].indexOf(value ?? '')
  return rank(one) - rank(other)
}
