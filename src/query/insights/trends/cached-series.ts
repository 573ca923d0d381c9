/** Counts a series bucket by bucket, and only those buckets whose version has changed. */
import { isList, type Json } from '../../../core/json.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import type { BreakdownSource, ShownBreakdown } from '../../../event-store/insight-events.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { countsByDay, type DayCount } from '../../../store/answers/query-cache.ts'
import { byBucket, type Cell, cellsOf, daysOf, partOf, sumOf } from '../cache/by-bucket.ts'
import { countsActors } from '../cache/question-reads.ts'
import { FIRST_MATHS, type Series, type TrendsQuestion } from '../question.ts'
import { hashOf } from '../question-key.ts'
import { type InsightReader, within } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import { type Counted, countSeries } from './count-series.ts'

/** Values of a breakdown in all buckets together that are counted at once, and kept. */
const INSIGHT_VALUE_CELLS_MAX = 20_000

type Asked = {
  readonly question: TrendsQuestion
  readonly series: Series
  readonly selection: EventSelection
  readonly breakdown: ShownBreakdown | undefined
}

/** Same result as `countSeries`. */
export async function countCached(
  reader: InsightReader,
  asked: Asked,
  grid: Grid,
): Promise<Counted> {
  const { series, selection, breakdown, question } = asked
  const count = (of: Grid) => countSeries(reader, selection, series.maths, of, breakdown)
  if (grid.starts.length === 0) return new Map()
  const cells = cellsOf(asked, grid)
  const whole = cells.slice(0, countedCells(asked, cells))
  if (whole.length > 0) {
    const readCounts = () => countsByDay(reader.db, selection.project, series.event, daysOf(whole))
    const first = totalsOf(whole, await reader.timed(selection, readCounts))
    if (whole.length === cells.length) return first
    const rest = partOf(grid, cells, whole.length, cells.length)
    return inOrder(first, await countCached(reader, asked, rest), rest.starts.length)
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
      read: valuesOf,
    },
  )
  return together(numbers ?? [])
}

/**
 * The events of each bucket by value of a breakdown, those without a value by null. Undefined where
 * there are too many values to hold them all.
 */
export async function countCachedValues(
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
      const counted = await reader.passes.count(within(selection, range), {
        kind: 'values',
        source,
        edges,
        cellsMax: INSIGHT_VALUE_CELLS_MAX,
      })
      if (counted.length > INSIGHT_VALUE_CELLS_MAX) return undefined
      const buckets = starts.map((): [string | null, number][] => [])
      for (const { bucket, value, number } of counted) buckets[bucket ?? -1]?.push([value, number])
      return buckets
    },
    read: valuesOf,
  })
}

/** Numbers of a bucket by value of the breakdown. */
export type Values = readonly (readonly [value: string | null, number: number])[]

/** @param items what JSON has made of them. */
function valuesOf(items: Json): Values {
  if (!isList(items)) return []
  return items.map((item) => {
    const value = at(item, 0)
    return [typeof value === 'string' ? value : null, Number(at(item, 1))]
  })
}

const at = (item: Json, place: number) => (isList(item) ? item[place] : undefined)

/** True if buckets can be cached. With a breakdown, 0 must mean that the value has no event. */
function isMadeOfBuckets({ series: { maths }, breakdown }: Asked): boolean {
  return breakdown === undefined || ['total', 'dau', ...FIRST_MATHS].includes(maths.kind)
}

/** How many cells the counters of events answer: all events of a name, by whole days of UTC. */
function countedCells({ question, series, breakdown }: Asked, cells: readonly Cell[]): number {
  const isAll = (node: FilterNode) => node.kind === 'and' && node.nodes.length === 0
  const isPlain =
    question.sessions === undefined &&
    series.maths.kind === 'total' &&
    breakdown === undefined &&
    [question.filter, series.filter].every(isAll)
  const isOther = ({ fromMs, untilMs }: Cell) => fromMs % DAY_MS !== 0 || untilMs % DAY_MS !== 0
  const first = cells.findIndex((cell) => !isPlain || isOther(cell))
  return first === -1 ? cells.length : first
}

/** Totals of all events, those of the first buckets and of the rest. */
function inOrder(first: Counted, rest: Counted, count: number): Counted {
  const none = new Array<number>(count).fill(0)
  return new Map([['', [...(first.get('') ?? []), ...(rest.get('') ?? none)]]])
}

function totalsOf(cells: readonly Cell[], counts: readonly DayCount[]): Counted {
  return new Map([['', cells.map(({ reads }) => sumOf(counts, reads))]])
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
