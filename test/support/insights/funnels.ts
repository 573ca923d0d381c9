/** FunnelsQuery. */
import { type Breakdown, breakdownValue, LIMIT, NONE, OTHER, topValues } from './breakdowns.ts'
import { type EventsNode, type Filter, matcherOf } from './filters.ts'
import { quantile } from './maths.ts'
import { bucketOf, type DateRange, gridOf, isWithin, type Range, resolved } from './ranges.ts'
import { grouped, type Micros, type Seen, seenBy, seenIn, type World } from './world.ts'
import { DAY, HOUR, type Interval, MINUTE, SECOND } from './zones.ts'

export type FunnelsQuery = {
  readonly kind: 'FunnelsQuery'
  readonly series: readonly EventsNode[]
  readonly dateRange?: DateRange
  readonly properties?: readonly Filter[]
  readonly filterTestAccounts?: boolean
  readonly interval?: Interval
  readonly breakdownFilter?: Breakdown
  readonly aggregation_group_type_index?: number
  readonly funnelsFilter?: {
    readonly funnelVizType?: 'steps' | 'trends' | 'time_to_convert'
    readonly breakdownAttributionType?: 'first_touch' | 'last_touch' | 'all_events' | 'step'
    readonly breakdownAttributionValue?: number
    readonly funnelOrderType?: 'ordered' | 'strict' | 'unordered'
    readonly funnelWindowInterval?: number
    readonly funnelWindowIntervalUnit?: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
    readonly exclusions?: readonly Exclusion[]
  }
}

type Exclusion = {
  readonly event: string
  readonly properties?: readonly Filter[]
  readonly funnelFromStep: number
  readonly funnelToStep: number
}

type StepRow = {
  readonly count: number
  readonly average: number | null
  readonly median: number | null
  readonly open: number | null
}

const UNITS = {
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
}

/** An event of an actor, with the steps that it matches. */
type Touch = {
  readonly at: Micros
  readonly event: string
  readonly steps: readonly number[]
  /** Value of the breakdown; none without one. */
  readonly value: string
}
/** Times at which an actor took the steps, in order. */
type Times = readonly Micros[]
/** The first way that came furthest, and the start of the last way that came as far. */
type Way = { readonly times: Times; readonly lastBegan: Micros }

type Rules = {
  readonly length: number
  readonly window: Micros
  readonly order: 'ordered' | 'strict' | 'unordered'
  readonly exclusions: readonly (Pick<Exclusion, 'funnelFromStep' | 'funnelToStep'> & {
    readonly matches: (event: Seen) => boolean
  })[]
}

type FunnelAnswer =
  | { readonly kind: 'steps'; readonly rows: readonly StepRow[] }
  | { readonly kind: 'times'; readonly times: number; readonly average: number | null }
  | { readonly kind: 'trends'; readonly data: readonly number[] }

/** An answer, or one for each value of the breakdown. */
export function evaluateFunnel(
  world: World,
  query: FunnelsQuery,
): FunnelAnswer | { readonly value: string; readonly answer: FunnelAnswer }[] {
  const filter = query.funnelsFilter ?? {}
  const { funnelWindowInterval = 14, funnelWindowIntervalUnit = 'day' } = filter
  const rules: Rules = {
    length: query.series.length,
    window: funnelWindowInterval * UNITS[funnelWindowIntervalUnit],
    order: filter.funnelOrderType ?? 'ordered',
    exclusions: (filter.exclusions ?? []).map(({ event, properties = [], ...steps }) => ({
      ...steps,
      matches: matcherOf(world, query, { kind: 'EventsNode', event, properties }),
    })),
  }
  const seen = seenIn(world)
  const matchers = query.series.map((node) => matcherOf(world, query, node))
  const matchesAny = (event: Seen) => matchers.some((matches) => matches(event))
  const range = resolved(world, query.dateRange ?? {}, () => seen.find(matchesAny)?.at)
  const inside = seen.filter(({ at }) => isWithin(range, at))
  const followed = seenBy(world, query.aggregation_group_type_index).filter(({ at }) =>
    isWithin(range, at),
  )
  const by = query.breakdownFilter
  // Each bucket of a trend is a funnel of those who enter in it.
  const { starts, ends } = gridOf(world.zone, query.interval ?? 'day', range)
  const entries =
    filter.funnelVizType === 'trends'
      ? starts.map((from, nth) => ({ from, to: ends[nth] ?? from }))
      : [range]
  const waysBy = (top: readonly string[]) => entries.flatMap((entry) => waysIn(top, entry))
  const waysIn = (top: readonly string[], entry: Range) => {
    const ways: { readonly value: string; readonly way: Way }[] = []
    const valueIn = (event: Seen): string => {
      const value = by === undefined ? NONE : breakdownValue(by, event)
      return value === NONE || top.includes(value) ? value : OTHER
    }
    for (const events of grouped(followed, ({ actor }) => actor).values()) {
      const touches = events.map((event) => ({
        at: event.at,
        event: event.event,
        value: valueIn(event),
        steps: stepsOf(matchers, event),
      }))
      for (const run of runsOf(touches, top, query)) {
        const way = wayOf(run.touches, events, rules, entry)
        if (way !== undefined) ways.push({ value: run.value, way })
      }
    }
    return ways
  }
  // Values without entries have no rows, and take no place of others.
  const every = { ...by, breakdown_limit: Number.POSITIVE_INFINITY } as Breakdown
  const all = by === undefined ? [] : topValues(every, inside.filter(matchesAny))
  const entered = new Set(waysBy(all).map(({ value }) => value))
  const limit = by?.breakdown_limit ?? LIMIT
  const top = all.length <= limit ? all : all.filter((value) => entered.has(value)).slice(0, limit)
  const ways = waysBy(top)
  const answerOf = (own: readonly Way[]) => answered(world, query, range, rules, own)
  if (by === undefined) return answerOf(ways.map(({ way }) => way))
  const isThere = (each: string) => ways.some(({ value }) => value === each)
  const values = [...top, NONE, OTHER].filter(isThere)
  return values.map((value) => ({
    value,
    answer: answerOf(ways.flatMap((each) => (each.value === value ? [each.way] : []))),
  }))
}

function answered(
  world: World,
  query: FunnelsQuery,
  range: Range,
  { length, window }: Rules,
  ways: readonly Way[],
): FunnelAnswer {
  const kind = query.funnelsFilter?.funnelVizType ?? 'steps'
  const last = length - 1
  if (kind === 'time_to_convert') {
    const seconds = secondsBetween(ways, 0, last)
    return { kind: 'times', times: seconds.length, average: averageOf(seconds) }
  }
  if (kind === 'trends') {
    const grid = gridOf(world.zone, query.interval ?? 'day', range)
    const data = grid.starts.map((_, nth) => {
      const own = ways.filter(({ times }) => bucketOf(grid, times[0] ?? 0) === nth)
      const converted = own.filter(({ times }) => times.length > last)
      return own.length === 0 ? 0 : (100 * converted.length) / own.length
    })
    return { kind: 'trends', data }
  }
  const rows = query.series.map((_, step) => {
    const reached = ways.filter(({ times }) => times.length > step)
    const seconds = step === 0 ? [] : secondsBetween(reached, step - 1, step)
    const open = reached.filter(
      ({ times, lastBegan }) => times.length === step + 1 && lastBegan + window >= world.now,
    )
    return {
      count: reached.length,
      average: averageOf(seconds),
      median: seconds.length === 0 ? null : quantile(seconds, 0.5),
      open: step === last ? null : open.length,
    }
  })
  return { kind: 'steps', rows }
}

/** Times between two steps; zero is left out. */
function secondsBetween(ways: readonly Way[], from: number, to: number): number[] {
  return ways
    .filter(({ times }) => times.length > to)
    .map(({ times }) => ((times[to] ?? 0) - (times[from] ?? 0)) / SECOND)
    .filter((seconds) => seconds > 0)
}

function averageOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0) / numbers.length
}

type Run = { readonly value: string; readonly touches: readonly Touch[] }

/** Values for which an actor counts, each with the events that count for it. */
function runsOf(touches: readonly Touch[], top: readonly string[], query: FunnelsQuery): Run[] {
  const { breakdownAttributionType: type = 'first_touch', breakdownAttributionValue: asked = 0 } =
    query.funnelsFilter ?? {}
  if (query.breakdownFilter === undefined) return [{ value: NONE, touches }]
  if (type === 'first_touch' || type === 'last_touch') {
    const valued = touches
      .filter(({ steps, value }) => steps.length > 0 && value !== NONE)
      .sort((a, b) => a.at - b.at || stepOf(a) - stepOf(b) || rank(top, a) - rank(top, b))
    const touch = type === 'first_touch' ? valued.at(0) : valued.at(-1)
    return [{ value: touch?.value ?? NONE, touches }]
  }
  const isOf = ({ steps }: Touch) => (type === 'step' ? steps.includes(asked) : steps.length > 0)
  const values = new Set(touches.filter(isOf).map(({ value }) => value))
  const isKept = (step: number) => type === 'step' && step !== asked
  return [...values].map((value) => ({
    value,
    touches: touches.map((touch) =>
      touch.value === value ? touch : { ...touch, steps: touch.steps.filter(isKept) },
    ),
  }))
}

function stepOf({ steps }: Touch): number {
  return steps[0] ?? Number.POSITIVE_INFINITY
}

/** Others are before all that have a place. */
function rank(top: readonly string[], { value }: Touch): number {
  return top.indexOf(value)
}

/** Thrown for cases that the specification leaves open. */
export class Unclear extends Error {}

/** Whether events of one moment, of which one may be several steps, could be taken in two orders. */
function isUnclear(touches: readonly Touch[]): boolean {
  const steps = touches.filter((touch) => touch.steps.length > 0)
  const moments = grouped(steps, ({ at }) => String(at))
  return [...moments.values()].some(
    (own) => own.length > 1 && own.some((touch) => touch.steps.length > 1),
  )
}

/** Undefined for an actor that took no step, or has an excluding event. */
function wayOf(
  touches: readonly Touch[],
  events: readonly Seen[],
  { length, window, order, exclusions }: Rules,
  entry: Range,
): Way | undefined {
  if (order !== 'unordered' && isUnclear(touches)) throw new Unclear()
  const inOrder = touches.toSorted(
    (a, b) => a.at - b.at || Math.min(stepOf(a), 99) - Math.min(stepOf(b), 99),
  )
  const way =
    order === 'unordered'
      ? unorderedWay(inOrder, window, entry)
      : orderedWay(inOrder, length, window, order === 'strict', entry)
  if (way.times.length === 0) return undefined
  if (!exclusions.some((each) => isExcluded(each, way.times, events, window))) return way
  return order === 'unordered' ? { ...way, times: way.times.slice(0, 1) } : undefined
}

function stepsOf(matchers: readonly ((event: Seen) => boolean)[], event: Seen): number[] {
  return matchers.flatMap((matches, step) => (matches(event) ? [step] : []))
}

/** Whether such an event is between both steps, or in the window where the later one is missing. */
function isExcluded(
  { matches, funnelFromStep, funnelToStep }: Rules['exclusions'][number],
  times: Times,
  events: readonly Seen[],
  window: Micros,
): boolean {
  const from = times[funnelFromStep]
  if (from === undefined) return false
  const ends = (times[0] ?? from) + window
  const before = times[funnelToStep] ?? ends + 1
  return events.some(
    (each) => matches(each) && from < each.at && each.at < before && each.at <= ends,
  )
}

/** The first way that came furthest. */
function orderedWay(
  touches: readonly Touch[],
  length: number,
  window: Micros,
  isStrict: boolean,
  entry: Range,
): Way {
  let entered: readonly (Times | undefined)[] = []
  let best: Times = []
  let lastBegan = 0
  for (const { at, steps } of touches) {
    const next: (Times | undefined)[] = isStrict ? [] : [...entered]
    for (const step of steps) {
      const before = step === 0 ? [] : entered[step - 1]
      if (step === 0 && !isWithin(entry, at)) continue
      if (before === undefined || at - (before[0] ?? at) > window) continue
      const times = [...before, at]
      next[step] = times
      if (times.length > best.length) best = times
      if (times.length === best.length) lastBegan = times[0] ?? at
    }
    entered = next
    if (best.length === length) break
  }
  return { times: best, lastBegan }
}

/** The earliest of the windows with the most steps; each step by its first event there. */
function unorderedWay(touches: readonly Touch[], window: Micros, entry: Range): Way {
  let best: Times = []
  let lastBegan = 0
  for (const { at: start, steps } of touches) {
    if (steps.length === 0 || !isWithin(entry, start)) continue
    const filling: Touch[] = []
    for (const touch of touches) {
      if (touch.at < start || touch.at - start > window) continue
      if (fitsSteps([...filling, touch], [])) filling.push(touch)
    }
    if (filling.length > best.length) best = filling.map((touch) => touch.at)
    if (filling.length === best.length) lastBegan = start
  }
  return { times: best, lastBegan }
}

/** Whether each of the events can be a step of its own. */
function fitsSteps([first, ...rest]: readonly Touch[], filled: readonly number[]): boolean {
  if (first === undefined) return true
  return first.steps.some((step) => !filled.includes(step) && fitsSteps(rest, [...filled, step]))
}
