/** Answers a trends question. */

import { assert } from '../../../core/code.ts'
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { firstOf } from '../../../core/order/first-of.ts'
import { ok, type Result } from '../../../core/result.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import { NO_VALUE, OTHER_VALUE, type ShownBreakdown } from '../../../event-store/insight-events.ts'
import { settleAll } from '../../settle-all.ts'
import { allShown } from '../breakdown-values.ts'
import type { Breakdown, QuestionError, TrendsQuestion } from '../question.ts'
import { boundedGrid, readRangeOf } from '../range.ts'
import { type InsightReader, within } from '../reader.ts'
import { comparedRange } from '../time/compared-range.ts'
import type { Grid } from '../time/grid.ts'
import { countCachedMembers, membersOf } from './cached-members.ts'
import { countCached, countCachedValues, type Values } from './cached-series.ts'
import type { Counted } from './count-series.ts'

/** Counts of one period. */
export type Period = {
  readonly grid: Grid
  /** Counts by series. */
  readonly counted: readonly Counted[]
  /** One bucket over the whole range, where it was asked for. */
  readonly aggregated: readonly Counted[] | undefined
}

export type Trends = {
  readonly current: Period
  readonly previous: Period | undefined
  /** The values that are shown by themselves, by series; undefined without a breakdown. */
  readonly shown: readonly (readonly string[])[] | undefined
}

/** The buckets of both periods, and the values that are shown. */
export type TrendPlan = {
  readonly current: Grid
  readonly previous: Grid | undefined
  readonly shown: Trends['shown']
  /** Breakdowns by series. */
  readonly breakdowns: readonly (ShownBreakdown | undefined)[]
  /** Tables of the current period, by series; undefined where one was not read or is too large. */
  readonly tables: readonly (ValueTable | undefined)[]
}

/** @param selections of the series, whenever they happened. */
export async function planTrends(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
): Promise<Result<TrendPlan, QuestionError>> {
  const range = await readRangeOf(reader, question, selections)
  if (!range.ok) return range
  const made = boundedGrid(range.value, question.interval, question.zone)
  if (!made.ok) return made
  const current = made.value
  const { breakdown, compare, zone } = question
  const tables = await readTables(reader, question, selections, current)
  const shown =
    breakdown && (await shownValues(reader, question, breakdown, selections, current, tables))
  const breakdowns = selections.map((_, index): ShownBreakdown | undefined =>
    breakdown === undefined ? undefined : { source: breakdown.source, shown: shown?.[index] ?? [] },
  )
  const plan = { current, shown, breakdowns, tables }
  if (compare === undefined) return ok({ ...plan, previous: undefined })
  const { isCut, ...before } = comparedRange(
    range.value,
    { compare, interval: question.interval, zone },
    reader.nowMs,
  )
  const earlier = boundedGrid(before, question.interval, zone)
  return earlier.ok ? ok({ ...plan, previous: { ...earlier.value, isCut } }) : earlier
}

/** Counts what was planned: all of it at a time, so that passes over the events are shared. */
export async function askTrends(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
  { current, previous, shown, breakdowns, tables }: TrendPlan,
): Promise<Trends> {
  const period = (of: Grid, known: TrendPlan['tables']) =>
    readPeriod(reader, question, selections, { breakdowns, tables: known }, of)
  const before = async (of: Grid) =>
    await period(of, await readTables(reader, question, selections, of, 'total'))
  const [now, then] = await settleAll([
    period(current, tables),
    ...(previous === undefined ? [] : [before(previous)]),
  ])
  assert(now !== undefined, 'a period was read')
  return { current: now, previous: then, shown }
}

/** @param only reads those of series of these maths alone. */
async function readTables(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
  grid: Grid,
  only?: 'total',
): Promise<TrendPlan['tables']> {
  const source = question.breakdown?.source
  // An actor has each of its cohorts: those are counted one by one.
  if (source === undefined || source.kind === 'cohorts') return []
  return await settleAll(
    question.series.map(async (series, index) => {
      const selection = selections[index]
      const isRead = only === undefined || series.maths.kind === only
      if (selection === undefined || !isRead) return undefined
      return await countCachedValues(reader, { question, series, selection }, source, grid)
    }),
  )
}

/** Values shown by themselves, by series; with a formula all series show the same ones. */
async function shownValues(
  reader: InsightReader,
  question: TrendsQuestion,
  { source, limit }: Breakdown,
  selections: readonly EventSelection[],
  { range }: Grid,
  tables: TrendPlan['tables'],
): Promise<readonly (readonly string[])[]> {
  const isTogether = question.formula !== undefined
  const tops: (readonly ValueCount[])[] = []
  for (const [index, selection] of selections.entries()) {
    const read = within(selection, range)
    const most = isTogether ? Number.MAX_SAFE_INTEGER : limit
    const table = tables[index]
    tops.push(table ? topOf(table, most) : await reader.events.topValues(read, source, most))
  }
  if (!isTogether) {
    return tops.map((top) =>
      allShown(
        source,
        top.map(({ value }) => value),
      ),
    )
  }
  const sums = new Map<string, number>()
  for (const { value, count } of tops.flat()) sums.set(value, (sums.get(value) ?? 0) + count)
  const most = firstOf(sums, limit, ([a, x], [b, y]) => y - x || byCodePoint(a, b))
  const together = most.map(([value]) => value)
  // Grouped by the first series that has the value.
  const firstWith = (value: string) =>
    tops.findIndex((top) => top.some((one) => one.value === value))
  const places = new Map(together.map((value) => [value, firstWith(value)]))
  const ordered = together.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  return selections.map(() => allShown(source, ordered))
}

async function readPeriod(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
  { breakdowns, tables }: Pick<TrendPlan, 'breakdowns' | 'tables'>,
  grid: Grid,
): Promise<Period> {
  const { isAggregated } = question
  const read = selections.map(async (selection, index): Promise<readonly Counted[]> => {
    const series = question.series[index]
    assert(series !== undefined, 'each selection is that of a series')
    const breakdown = breakdowns[index]
    const table = tables[index]
    if (series.maths.kind === 'total' && table !== undefined) {
      const totals = totalsOf(table, breakdown?.shown ?? [])
      return [totals, wholeOf(totals)]
    }
    const kind = membersOf(series.maths)
    if (isAggregated && breakdown === undefined && kind !== undefined) {
      const asked = { question, series, selection, kind }
      const { counted, whole } = await countCachedMembers(reader, asked, grid)
      return [counted, whole]
    }
    const asked = { question, series, selection, breakdown }
    if (isAggregated && breakdown === undefined && series.maths.kind === 'total') {
      const totals = await countCached(reader, asked, grid)
      return [totals, wholeOf(totals)]
    }
    const grids = isAggregated ? [grid, oneBucket(grid)] : [grid]
    return await settleAll(grids.map((each) => countCached(reader, asked, each)))
  })
  const numbers = await settleAll(read)
  const counted = numbers.map(([buckets]) => buckets ?? NOTHING)
  const aggregated = numbers.map(([, whole]) => whole ?? NOTHING)
  return { grid, counted, aggregated: isAggregated ? aggregated : undefined }
}

const NOTHING: Counted = new Map()

/** The whole range as one bucket. */
export function oneBucket(grid: Grid): Grid {
  return { ...grid, starts: grid.starts.slice(0, 1) }
}

/** Values of each bucket. */
type ValueTable = readonly Values[]

type ValueCount = { readonly value: string; readonly count: number }

/** The values that are shown by themselves, those with the most events; ties by code point. */
function topOf(table: ValueTable, limit: number): readonly ValueCount[] {
  const sums = new Map<string, number>()
  for (const [value, number] of table.flat()) {
    if (value !== null && value !== OTHER_VALUE) sums.set(value, (sums.get(value) ?? 0) + number)
  }
  const all = [...sums].map(([value, count]) => ({ value, count }))
  return firstOf(all, limit, (a, b) => b.count - a.count || byCodePoint(a.value, b.value))
}

/** Numbers of events, as a count with these shown values would give them. */
function totalsOf(table: ValueTable, shown: readonly string[]): Counted {
  const own = new Set(shown)
  const counted = new Map<string, number[]>()
  for (const [bucket, values] of table.entries()) {
    for (const [value, number] of values) {
      const key = value === null ? NO_VALUE : own.has(value) ? value : OTHER_VALUE
      const numbers = counted.get(key) ?? table.map(() => 0)
      numbers[bucket] = (numbers[bucket] ?? 0) + number
      counted.set(key, numbers)
    }
  }
  return counted
}

/** All buckets as one. */
function wholeOf(counted: Counted): Counted {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
  return new Map([...counted].map(([value, numbers]) => [value, [sum(numbers)]]))
}
