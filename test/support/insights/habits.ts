/** RetentionQuery, StickinessQuery and LifecycleQuery. */
import { type EventsNode, type Filter, matcherOf } from './filters.ts'
import { actorsOf } from './maths.ts'
import { bucketOf, covered, type DateRange, gridOf, isWithin, resolved } from './ranges.ts'
import { grouped, type Seen, seenBy, seenIn, type World } from './world.ts'
import { bucketStart, type Interval, laterBucket } from './zones.ts'

type Common = {
  readonly dateRange?: DateRange
  readonly properties?: readonly Filter[]
  readonly filterTestAccounts?: boolean
}

type Entity = { readonly id: string; readonly type: 'events' }

export type RetentionQuery = Common & {
  readonly kind: 'RetentionQuery'
  readonly aggregation_group_type_index?: number
  readonly retentionFilter: {
    readonly period: 'Hour' | 'Day' | 'Week' | 'Month'
    readonly totalIntervals: number
    readonly retentionType: 'retention_recurring' | 'retention_first_time'
    readonly targetEntity: Entity
    readonly returningEntity: Entity
    readonly cumulative?: boolean
  }
}

export type RangeQuery = Common & {
  readonly kind: 'StickinessQuery' | 'LifecycleQuery'
  readonly series: readonly EventsNode[]
  readonly interval?: Interval
}

const PERIODS = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const

type RetentionValue = { readonly count: number; readonly complete: boolean }

function nodeOf({ id }: Entity): EventsNode {
  return { kind: 'EventsNode', event: id }
}

export function evaluateRetention(world: World, query: RetentionQuery): RetentionValue[][] {
  const filter = query.retentionFilter
  const interval = PERIODS[filter.period]
  const matchesTarget = matcherOf(world, query, nodeOf(filter.targetEntity))
  const matchesReturn = matcherOf(world, query, nodeOf(filter.returningEntity))
  const seen = seenIn(world)
  const firstAny = () => seen.find((event) => matchesTarget(event) || matchesReturn(event))?.at
  const { from, to } = resolved(world, query.dateRange ?? {}, firstAny)
  const begin = bucketStart(world.zone, interval, from)
  const starts = [begin]
  // None begins after the range but the first one, which a range that ends before it begins has too.
  for (let start = begin; starts.length <= filter.totalIntervals; ) {
    if (starts.length > 1 && start >= to) break
    start = laterBucket(world.zone, interval, begin, starts.length)
    starts.push(start)
  }
  const boundsOf = (nth: number) => ({ from: starts[nth] ?? 0, to: starts[nth + 1] ?? 0 })
  const own = seenBy(world, query.aggregation_group_type_index)
  const within = (events: readonly Seen[]) =>
    starts
      .slice(0, -1)
      .map((_, nth) => actorsOf(events.filter(({ at }) => isWithin(boundsOf(nth), at))))
  const isFirstTime = filter.retentionType === 'retention_first_time'
  const owned = own.filter(matchesTarget)
  const firsts = [...grouped(owned, ({ actor }) => actor).values()].flatMap((each) =>
    each.slice(0, 1),
  )
  const cohorts = within(isFirstTime ? firsts : owned)
  const returns = within(own.filter(matchesReturn))
  const came = (actor: string, nth: number) =>
    (filter.cumulative === true ? returns.slice(nth) : returns.slice(nth, nth + 1)).some((set) =>
      set.has(actor),
    )
  return cohorts.map((cohort, row) =>
    cohorts.slice(row).flatMap((_, column) => {
      const { from: start, to: end } = boundsOf(row + column)
      if (start > world.now) return []
      const back = [...cohort].filter((actor) => column === 0 || came(actor, row + column))
      return [{ count: back.length, complete: end <= world.now }]
    }),
  )
}

/** The events of a series, the buckets of its range, and in which an actor has any. */
function activity(world: World, query: RangeQuery, node: EventsNode) {
  const matches = query.series.map((each) => matcherOf(world, query, each))
  const seen = seenIn(world)
  const first = () => seen.find((event) => matches.some((each) => each(event)))?.at
  const range = resolved(world, query.dateRange ?? {}, first)
  const grid = gridOf(world.zone, query.interval ?? 'day', range)
  const events = seen.filter(matcherOf(world, query, node))
  const own = covered(grid, range)
  // The first interval of a life cycle is whole.
  const from = query.kind === 'LifecycleQuery' ? (grid.starts[0] ?? own.from) : own.from
  const inside = events.filter(({ at }) => isWithin({ from, to: own.to }, at))
  const actors = [...grouped(events, ({ actor }) => actor)]
  const active = new Map(
    [...grouped(inside, ({ actor }) => actor)].map(([actor, own]) => [
      actor,
      new Set(own.map(({ at }) => bucketOf(grid, at))),
    ]),
  )
  return { grid, actors, active }
}

/** For each series: how many actors were active in exactly 1, 2, … of the buckets. */
export function evaluateStickiness(world: World, query: RangeQuery): number[][] {
  return query.series.map((node) => {
    const { grid, active } = activity(world, query, node)
    const sizes = [...active.values()].map(({ size }) => size)
    return grid.starts.map((_, nth) => sizes.filter((size) => size === nth + 1).length)
  })
}

/** New, returning, resurrecting, dormant. */
export function evaluateLifecycle(world: World, query: RangeQuery): number[][] {
  const [node] = query.series
  if (node === undefined) throw new Error('a life cycle has a series')
  const { grid, actors, active } = activity(world, query, node)
  const interval = query.interval ?? 'day'
  const [begin = 0] = grid.starts
  const before = bucketStart(world.zone, interval, begin - 1)
  const states = grid.starts.map(() => [0, 0, 0, 0])
  for (const [actor, own] of actors) {
    const firstBucket = bucketOf(grid, own[0]?.at ?? 0)
    const isActive = (nth: number) =>
      nth === -1
        ? own.some(({ at }) => isWithin({ from: before, to: begin }, at))
        : active.get(actor)?.has(nth) === true
    for (const [nth, state] of states.entries()) {
      const now = isActive(nth)
      const was = isActive(nth - 1)
      const kind = now ? (firstBucket === nth ? 0 : was ? 1 : 2) : was ? 3 : undefined
      if (kind !== undefined) state[kind] = (state[kind] ?? 0) + (kind === 3 ? -1 : 1)
    }
  }
  return [0, 1, 2, 3].map((kind) => states.map((state) => state[kind] ?? 0))
}
