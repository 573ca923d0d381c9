/** Counts a series bucket by bucket, and only those buckets whose version has moved. */

import { isList, type Json } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { INSIGHT_VALUE_CELLS_MAX } from '../../../core/limits/limits.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { EventSelection } from '../../../store/events/event-selection.ts'
import type { BreakdownSource } from '../../../store/insights/insight-fragments.ts'
import { countsByDay, type DayCount, findCells } from '../../../store/insights/kept-answer-store.ts'
import { countValues, type ShownBreakdown } from '../../../store/insights/trend-store.ts'
import type { FilterNode } from '../../list/filters.ts'
import type { Series, TrendsQuestion } from '../question.ts'
import { type InsightReader, within } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import { type Counted, countSeries } from '../trends/count-series.ts'
import { dayOf, versionOf } from './answer-cache.ts'
import { hashOf } from './question-key.ts'
import { countsActors } from './question-reads.ts'

type Asked = {
  readonly question: TrendsQuestion
  readonly series: Series
  readonly selection: EventSelection
  readonly breakdown: ShownBreakdown | undefined
}

/** As `countSeries`. */
export async function countKept(reader: InsightReader, asked: Asked, grid: Grid): Promise<Counted> {
  const { series, selection, breakdown, question } = asked
  const count = (of: Grid) => countSeries(reader, selection, series.maths, of, breakdown)
  if (grid.starts.length === 0) return new Map()
  const cells = cellsOf(asked, grid)
  const days = daysOf(cells)
  const readCounts = () => countsByDay(reader.db, selection.project, series.event, days)
  if (isCounted(asked, grid)) {
    return totalsOf(cells, await reader.timed(selection, readCounts))
  }
  if (reader.cells === undefined || !isMadeOfBuckets(asked)) return await count(grid)
  const filters = [question.filter, series.filter]
  const hash = hashOf('bucket', question.zone.name, series.event, filters, series.maths, breakdown)
  const hasActors = countsActors(series)
  const numbers = await byBucket(
    reader,
    { selection, event: series.event, hash, hasActors },
    cells,
    {
      async count(first, end) {
        const counted = await count(partOf(grid, cells, first, end))
        return cells.slice(first, end).map((_, bucket) => valuesAt(counted, bucket))
      },
    },
  )
  return together(numbers ?? [])
}

/**
 * The events of each bucket by value of a breakdown, those without a value by null. Undefined where
 * there are too many values to hold them all.
 */
export async function countKeptValues(
  reader: InsightReader,
  { question, series, selection }: Omit<Asked, 'breakdown'>,
  source: BreakdownSource,
  grid: Grid,
): Promise<readonly Values[] | undefined> {
  if (grid.starts.length === 0) return []
  const cells = cellsOf({ series: { maths: { kind: 'total' } } }, grid)
  const filters = [question.filter, series.filter]
  const hash = hashOf('values', question.zone.name, series.event, filters, source)
  const of = { selection, event: series.event, hash, hasActors: false }
  return await byBucket(reader, of, cells, {
    async count(first, end) {
      const { starts, range } = partOf(grid, cells, first, end)
      const edges = [range.fromMs, ...starts.slice(1), range.untilMs]
      const read = within(selection, range)
      const counted = await reader.timed(read, () =>
        countValues(reader.db, read, source, edges, INSIGHT_VALUE_CELLS_MAX),
      )
      if (counted === 'too_many') return undefined
      const buckets = starts.map((): [string | null, number][] => [])
      for (const { bucket, value, number } of counted) buckets[bucket]?.push([value, number])
      return buckets
    },
  })
}

type Kept = {
  readonly selection: EventSelection
  readonly event: string | null
  readonly hash: string
  /** Whose the events are matters to the numbers. */
  readonly hasActors: boolean
}

type Counting = {
  /** Counts some of the buckets; undefined when they cannot be held. */
  readonly count: (first: number, end: number) => Promise<readonly Values[] | undefined>
}

/** Takes what is kept, and counts and keeps the rest. Undefined when it cannot be held. */
async function byBucket(
  reader: InsightReader,
  { selection, event, hash, hasActors }: Kept,
  cells: readonly Cell[],
  { count }: Counting,
): Promise<readonly Values[] | undefined> {
  const { cells: memory } = reader
  if (memory === undefined) return await count(0, cells.length)
  const { project } = selection
  const counts = await reader.timed(selection, () =>
    countsByDay(reader.db, project, event, daysOf(cells)),
  )
  const versions = cells.map(({ reads }) =>
    versionOf(String(sumOf(counts, reads)), memory.changes, hasActors),
  )
  const found = memory.usesKept
    ? await reader.timed(selection, () => findCells(reader.db, project, hash, cells))
    : []
  const byStart = new Map(found.map((cell) => [cell.fromMs, cell]))
  const numbers = cells.map(({ fromMs }, index): Values | undefined => {
    const cell = byStart.get(fromMs)
    return cell && cell.version === versions[index] ? valuesOf(cell.value) : undefined
  })
  for (const [first, end] of missing(numbers)) {
    const counted = await count(first, end)
    if (counted === undefined) return undefined
    for (const [place, values] of counted.entries()) {
      const index = first + place
      numbers[index] = values
      const { fromMs, untilMs } = cells[index] ?? { fromMs: 0, untilMs: 0 }
      memory.toKeep.push({
        ...{ hash, fromMs, untilMs, version: versions[index] ?? '' },
        ...{ value: JSON.stringify(values), countedAt: reader.nowMs, holdsUntil: undefined },
      })
    }
  }
  return numbers.map((values) => values ?? [])
}

/** Numbers of a bucket by value of the breakdown. */
export type Values = readonly (readonly [value: string | null, number: number])[]

/** @param text what `JSON.stringify` has made of them. */
function valuesOf(text: string): Values {
  const items = parseJson(text)
  if (!isList(items)) return []
  return items.map((item) => {
    const value = at(item, 0)
    return [typeof value === 'string' ? value : null, Number(at(item, 1))]
  })
}

const at = (item: Json, place: number) => (isList(item) ? item[place] : undefined)

type Cell = {
  readonly fromMs: number
  readonly untilMs: number
  /** Days of UTC that its number reads. */
  readonly reads: { readonly first: number | undefined; readonly last: number }
}

const ROLLING_DAYS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 }

type WithMaths = { readonly series: Pick<Series, 'maths'> }

function cellsOf({ series: { maths } }: WithMaths, { starts, range }: Grid): readonly Cell[] {
  const rolling = ROLLING_DAYS[maths.kind]
  return starts.map((start, index) => {
    const fromMs = index === 0 ? range.fromMs : start
    const untilMs = starts[index + 1] ?? range.untilMs
    // Local days have up to 25 hours, and the last of them may have ended before the bucket.
    const first = rolling === undefined ? fromMs : untilMs - (rolling + 2) * DAY_MS
    const isFirst = maths.kind === 'first_time_for_user'
    const reads = { first: isFirst ? undefined : dayOf(first), last: dayOf(untilMs - 1) }
    return { fromMs, untilMs, reads }
  })
}

function daysOf(cells: readonly Cell[]) {
  const [first, last] = [cells[0]?.reads, cells.at(-1)?.reads]
  return { first: first?.first, last: last?.last ?? 0 }
}

function sumOf(counts: readonly DayCount[], { first = -Infinity, last }: Cell['reads']): number {
  let sum = 0
  for (const { day, count } of counts) if (day >= first && day <= last) sum += count
  return sum
}

/** With a breakdown, a number of 0 must say that the bucket has no event of the value. */
function isMadeOfBuckets({ series: { maths }, breakdown }: Asked): boolean {
  return breakdown === undefined || ['total', 'dau', 'first_time_for_user'].includes(maths.kind)
}

/** True when the counters of events answer: all events of a name, by whole days of UTC. */
function isCounted({ question, series, breakdown }: Asked, { starts, range }: Grid): boolean {
  const isAll = (node: FilterNode) => node.kind === 'and' && node.nodes.length === 0
  return (
    series.maths.kind === 'total' &&
    breakdown === undefined &&
    [question.filter, series.filter].every(isAll) &&
    [range.fromMs, ...starts.slice(1), range.untilMs].every((ms) => ms % DAY_MS === 0)
  )
}

function totalsOf(cells: readonly Cell[], counts: readonly DayCount[]): Counted {
  return new Map([['', cells.map(({ reads }) => sumOf(counts, reads))]])
}

/** Runs of what is undefined, as the first place and the one after the last. */
function missing(items: readonly unknown[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const [index, item] of items.entries()) {
    const run = runs.at(-1)
    if (item !== undefined) continue
    if (run !== undefined && run[1] === index) run[1] = index + 1
    else runs.push([index, index + 1])
  }
  const [first, last] = [runs[0], runs.at(-1)]
  // Each run is a statement: from some on, one that counts all between them is less work.
  return runs.length > RUNS_MAX && first && last ? [[first[0], last[1]]] : runs
}

const RUNS_MAX = 4

function partOf(grid: Grid, cells: readonly Cell[], first: number, end: number): Grid {
  const range = {
    fromMs: cells[first]?.fromMs ?? grid.range.fromMs,
    untilMs: cells[end - 1]?.untilMs ?? grid.range.untilMs,
  }
  return { ...grid, starts: grid.starts.slice(first, end), range }
}

function valuesAt(counted: Counted, bucket: number): Values {
  const values: (readonly [string, number])[] = []
  for (const [value, numbers] of counted) {
    const number = numbers[bucket] ?? 0
    if (number !== 0) values.push([value, number])
  }
  return values
}

function together(buckets: readonly Values[]): Counted {
  const counted = new Map<string, number[]>()
  for (const [bucket, values] of buckets.entries()) {
    for (const [value, number] of values) {
      const numbers = counted.get(value ?? '') ?? buckets.map(() => 0)
      numbers[bucket] = number
      counted.set(value ?? '', numbers)
    }
  }
  return counted
}
