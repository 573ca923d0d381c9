/** Answers a trends question. */
import { ok, type Result } from '../../../core/result.ts'
import type { EventSelection } from '../../../store/events/event-selection.ts'
import { type ShownBreakdown, topValues } from '../../../store/insights/trend-store.ts'
import type { Breakdown, QuestionError, TrendsQuestion } from '../question.ts'
import { boundedGrid, readRangeOf } from '../range.ts'
import { type InsightReader, within } from '../reader.ts'
import { ownLength, shifted } from '../time/date-range.ts'
import type { Grid } from '../time/grid.ts'
import { type Counted, countSeries } from './count-series.ts'

/** What was counted of one period. */
export type Period = {
  readonly grid: Grid
  /** By series. */
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

/** @param selections of the series, whenever they happened. */
export async function askTrends(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
): Promise<Result<Trends, QuestionError>> {
  const range = await readRangeOf(reader, question, selections)
  if (!range.ok) return range
  const made = boundedGrid(range.value, question.interval, question.zone)
  if (!made.ok) return made
  const grid = made.value
  const shown =
    question.breakdown &&
    (await shownValues(reader, question, question.breakdown, selections, grid))
  const breakdowns = selections.map((_, index): ShownBreakdown | undefined =>
    question.breakdown === undefined
      ? undefined
      : { source: question.breakdown.source, shown: shown?.[index] ?? [] },
  )
  const period = (of: Grid) => readPeriod(reader, question, selections, breakdowns, of)
  const current = await period(grid)
  if (question.compare === undefined) return ok({ current, previous: undefined, shown })
  const shift =
    question.compare === 'own_length' ? ownLength(range.value, question.zone) : question.compare
  const before = shifted(range.value, shift, question.zone)
  const earlier = boundedGrid(before, question.interval, question.zone)
  return earlier.ok ? ok({ current, previous: await period(earlier.value), shown }) : earlier
}

/** With a formula all series show the same values. */
async function shownValues(
  reader: InsightReader,
  question: TrendsQuestion,
  { source, limit }: Breakdown,
  selections: readonly EventSelection[],
  { range }: Grid,
): Promise<readonly (readonly string[])[]> {
  const isTogether = question.formula !== undefined
  const tops: { value: string; count: number }[][] = []
  for (const selection of selections) {
    const read = within(selection, range)
    const most = isTogether ? Number.MAX_SAFE_INTEGER : limit
    const top = await reader.timed(read, () => topValues(reader.db, read, source, most))
    tops.push([...top])
  }
  if (!isTogether) return tops.map((top) => top.map(({ value }) => value))
  const sums = new Map<string, number>()
  for (const { value, count } of tops.flat()) sums.set(value, (sums.get(value) ?? 0) + count)
  const together = [...sums]
    .sort(([a, x], [b, y]) => y - x || byCodePoint(a, b))
    .slice(0, limit)
    .map(([value]) => value)
  return selections.map(() => together)
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

async function readPeriod(
  reader: InsightReader,
  question: TrendsQuestion,
  selections: readonly EventSelection[],
  breakdowns: readonly (ShownBreakdown | undefined)[],
  grid: Grid,
): Promise<Period> {
  const count = async (of: Grid) => {
    const counted: Counted[] = []
    for (const [index, { maths }] of question.series.entries()) {
      const selection = selections[index]
      if (selection === undefined) continue
      counted.push(await countSeries(reader, selection, maths, of, breakdowns[index]))
    }
    return counted
  }
  const counted = await count(grid)
  const whole = { ...grid, starts: grid.starts.slice(0, 1) }
  return { grid, counted, aggregated: question.isAggregated ? await count(whole) : undefined }
}
