/** Counts one series of a question in the buckets of a grid. */
import type { EventSelection } from '../../../store/events/event-selection.ts'
import {
  countTrend,
  type Measure,
  rollingActors,
  type ShownBreakdown,
  type TrendCell,
} from '../../../store/insights/trend-store.ts'
import type { Maths } from '../question.ts'
import { type InsightReader, until, within } from '../reader.ts'
import { type Grid, gridOf, startOf } from '../time/grid.ts'

/** The numbers of the buckets by value of the breakdown; without one, by the empty text. */
export type Counted = ReadonlyMap<string, readonly number[]>

/** @param selection the events of the series, whenever they happened. */
export async function countSeries(
  reader: InsightReader,
  selection: EventSelection,
  maths: Maths,
  grid: Grid,
  breakdown: ShownBreakdown | undefined,
): Promise<Counted> {
  if (grid.starts.length === 0) return new Map()
  const measure = measureOf(maths)
  if (typeof measure === 'number') {
    return await countRolling(reader, selection, measure, grid, breakdown)
  }
  const { fromMs, untilMs } = grid.range
  // The first bucket may begin before what is read.
  const edges = [fromMs, ...grid.starts.slice(1), untilMs]
  const isFirst = measure.kind === 'first_events'
  const read = isFirst ? until(selection, untilMs) : within(selection, grid.range)
  const cells = await reader.timed(read, () =>
    countTrend(reader.db, read, measure, { edges, breakdown }),
  )
  return spread(cells, grid.starts.length)
}

/** A number stands for the actors of so many days. */
function measureOf(maths: Maths): Measure | number {
  switch (maths.kind) {
    case 'total':
      return { kind: 'events' }
    case 'dau':
      return { kind: 'actors' }
    case 'unique_session':
      return { kind: 'sessions' }
    case 'first_time_for_user':
      return { kind: 'first_events' }
    case 'weekly_active':
      return 7
    case 'monthly_active':
      return 30
    default:
      return maths
  }
}

function spread(cells: readonly TrendCell[], length: number): Counted {
  const counted = new Map<string, number[]>()
  for (const { bucket, value, number } of cells) {
    const numbers = counted.get(value) ?? new Array<number>(length).fill(0)
    numbers[bucket] = number
    counted.set(value, numbers)
  }
  return counted
}

/** Each bucket has the actors of the days that end with its last day. */
async function countRolling(
  reader: InsightReader,
  selection: EventSelection,
  days: number,
  grid: Grid,
  breakdown: ShownBreakdown | undefined,
): Promise<Counted> {
  const { zone, range } = grid
  const ends = [...grid.starts.slice(1), range.untilMs]
  const first = daysBefore(grid, ends[0] ?? range.untilMs, days)
  const local = gridOf({ fromMs: first, untilMs: range.untilMs }, 'day', zone, Infinity)
  const starts = local?.starts ?? []
  const edges = [...starts, range.untilMs]
  const read = within(selection, { fromMs: first, untilMs: range.untilMs })
  const changes = await reader.timed(read, () =>
    rollingActors(reader.db, read, days, { edges, breakdown }),
  )
  const byValue = new Map<string, Map<number, number>>()
  for (const { day, value, change } of changes) {
    const own = byValue.get(value) ?? new Map<number, number>()
    own.set(day, (own.get(day) ?? 0) + change)
    byValue.set(value, own)
  }
  const counted = new Map<string, readonly number[]>()
  for (const [value, own] of byValue) {
    const active: number[] = []
    let sum = 0
    for (const day of starts.keys()) {
      sum += own.get(day) ?? 0
      active.push(sum)
    }
    counted.set(
      value,
      ends.map((end) => active[lastBefore(starts, end)] ?? 0),
    )
  }
  return counted
}

/** The start of the first of the local days that end with the last one before `endMs`. */
function daysBefore({ zone }: Grid, endMs: number, days: number): number {
  const last = zone.wallAt(startOf(endMs - 1, 'day', zone))
  return startOf(zone.instantOf(last - (days - 1) * 86_400_000), 'day', zone)
}

/** The index of the last start before an instant. */
function lastBefore(starts: readonly number[], endMs: number): number {
  let index = starts.length - 1
  while (index > 0 && (starts[index] ?? 0) >= endMs) index--
  return index
}
