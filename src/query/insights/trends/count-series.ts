/** Counts one series of a question in the buckets of a grid. */

import type { EventSelection } from '../../../event-store/event-selection.ts'
import {
  isFirst,
  type Measure,
  type ShownBreakdown,
  type TrendCell,
} from '../../../event-store/insight-events.ts'
import type { Maths } from '../question.ts'
import { type InsightReader, until, within } from '../reader.ts'
import { type Grid, gridOf, type Range, startOf } from '../time/grid.ts'

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
  const edges = edgesOf(grid)
  const read = readBy(measure, selection, grid.range)
  const cells = await reader.events.countTrend(read, measure, { edges, breakdown })
  return spread(cells, grid.starts.length)
}

/** Read behind one number of a series: a single bucket, whose bounds are `edges`. */
export type Behind = {
  readonly read: EventSelection
  readonly measure: Measure
  readonly edges: readonly [number, number]
}

/**
 * Read behind one bucket of `countSeries`.
 * @param bucket its place in the grid.
 */
export function behindBucket(
  selection: EventSelection,
  maths: Maths,
  grid: Grid,
  bucket: number,
): Behind {
  const measure = measureOf(maths)
  const all = edgesOf(grid)
  const [fromMs = 0, untilMs = 0] = all.slice(bucket, bucket + 2)
  if (typeof measure !== 'number') {
    const read = readBy(measure, selection, { fromMs, untilMs })
    return { read, measure, edges: [fromMs, untilMs] }
  }
  const { starts } = daysOfGrid(grid, measure)
  const from = starts[Math.max(lastBefore(starts, untilMs) - measure + 1, 0)] ?? fromMs
  const read = within(selection, { fromMs: from, untilMs })
  return { read, measure: { kind: 'actors' }, edges: [from, untilMs] }
}

/** The first bucket may begin before what is read. */
function edgesOf({ starts, range }: Grid): readonly number[] {
  return [range.fromMs, ...starts.slice(1), range.untilMs]
}

/** Selection of a measure. For first events of actors, it includes all earlier events. */
function readBy(measure: Measure, selection: EventSelection, range: Range): EventSelection {
  return isFirst(measure) ? until(selection, range.untilMs) : within(selection, range)
}

/** Measure of a series; a number is the days over which actors count as active. */
function measureOf(maths: Maths): Measure | number {
  switch (maths.kind) {
    case 'total':
      return { kind: 'events' }
    case 'dau':
      return { kind: 'actors' }
    case 'unique_session':
      return { kind: 'sessions' }
    case 'first_time_for_user':
      return { kind: 'first_ever' }
    case 'first_matching_event_for_user':
      return { kind: 'first_matching' }
    case 'unique_group':
      return { kind: 'groups', index: maths.index }
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
  const ends = edgesOf(grid).slice(1)
  const { starts, range } = daysOfGrid(grid, days)
  const edges = [...starts, range.untilMs]
  const read = within(selection, range)
  const changes = await reader.events.rollingActors(read, days, { edges, breakdown })
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

/** The local days that the rolling numbers of a grid are made of. */
function daysOfGrid(grid: Grid, days: number): Pick<Grid, 'starts' | 'range'> {
  const { untilMs } = grid.range
  const first = daysBefore(grid, grid.starts[1] ?? untilMs, days)
  const range = { fromMs: first, untilMs }
  const local = gridOf(range, 'day', grid.zone, Infinity)
  return { starts: local?.starts ?? [], range }
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
