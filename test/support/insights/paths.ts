/** PathsQuery. */
import { type Filter, matcherOf } from './filters.ts'
import { type DateRange, isWithin, resolved } from './ranges.ts'
import { grouped, type Micros, type Seen, seenIn, type World } from './world.ts'
import { MINUTE } from './zones.ts'

export type PathsQuery = {
  readonly kind: 'PathsQuery'
  readonly dateRange?: DateRange
  readonly properties?: readonly Filter[]
  readonly filterTestAccounts?: boolean
  readonly pathsFilter?: {
    readonly startPoint?: string
    readonly stepLimit?: number
    readonly edgeLimit?: number
  }
}

type Item = { readonly at: Micros; readonly name: string }
type EdgeRow = {
  readonly source: string
  readonly target: string
  readonly value: number
  readonly average: number
}

const GAP_MAX = 30 * MINUTE

export function evaluatePaths(world: World, query: PathsQuery): EdgeRow[] {
  const { startPoint, stepLimit = 5, edgeLimit = 50 } = query.pathsFilter ?? {}
  const matches = matcherOf(world, query, { kind: 'EventsNode', event: null })
  const events = seenIn(world).filter(matches)
  const range = resolved(world, query.dateRange ?? {}, () => events[0]?.at)
  const inside = events.filter(({ at }) => isWithin(range, at))
  const taken = [...grouped(inside, ({ actor }) => actor).values()].flatMap((own) =>
    pathsIn(own).flatMap((path) => {
      const start = startPoint === undefined ? 0 : path.findIndex(({ name }) => name === startPoint)
      return start === -1 ? [] : edgesIn(path.slice(start, start + stepLimit))
    }),
  )
  return [...grouped(taken, ({ key }) => key).values()]
    .map((same) => ({
      source: same[0]?.source ?? '',
      target: same[0]?.target ?? '',
      value: same.length,
      average: same.reduce((sum, { time }) => sum + time, 0) / same.length / 1_000,
    }))
    .sort((a, b) => b.value - a.value || order(a.source, b.source) || order(a.target, b.target))
    .slice(0, edgeLimit)
}

function itemOf({ event, properties }: Seen): string {
  const key = { $pageview: '$pathname', $screen: '$screen_name' }[event]
  const name = key === undefined ? undefined : properties[key]
  return typeof name === 'string' && name !== '' ? name : event
}

/** Repeats in a row are one item. */
function pathsIn(events: readonly Seen[]): Item[][] {
  const paths: Item[][] = []
  for (const [nth, event] of events.entries()) {
    const item = { at: event.at, name: itemOf(event) }
    const before = events[nth - 1]
    const path = paths.at(-1)
    if (before === undefined || path === undefined || event.at - before.at > GAP_MAX) {
      paths.push([item])
    } else if (path.at(-1)?.name !== item.name) path.push(item)
  }
  return paths
}

function edgesIn(path: readonly Item[]) {
  return path.slice(1).map((to, nth) => {
    const from = path[nth] ?? to
    const source = `${nth + 1}_${from.name}`
    const target = `${nth + 2}_${to.name}`
    return { source, target, key: JSON.stringify([source, target]), time: to.at - from.at }
  })
}

function order(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
