/** Answers `WebTrendsQuery`: numbers of a site by buckets of time. */
import type { ProjectId } from '../../../core/ids.ts'
import { ok, type Result } from '../../../core/result.ts'
import type { QuestionError } from '../question.ts'
import { boundedGrid } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { frameOf, type Grid, type Range } from '../time/grid.ts'
import { figuresOf } from './ask-overview.ts'
import { addSession, conversionsOf, noSessions, type SessionCounts } from './count-sessions.ts'
import { inBoth, visitViewed } from './visit-viewed.ts'
import type { WebTrendsQuestion } from './web-question.ts'

type Period = { readonly grid: Grid; readonly buckets: readonly SessionCounts[] }

/** @param compared range of the rows `previous`; undefined without any. */
export async function askWebTrends(
  reader: InsightReader,
  project: ProjectId,
  question: WebTrendsQuestion,
  selected: readonly Selected[],
  ranges: {
    readonly current: Range
    readonly compared: (Range & { readonly isCut: boolean }) | undefined
  },
): Promise<Result<object, QuestionError>> {
  const both = await inBoth(ranges, (range) => count(reader, project, question, selected, range))
  if (!both.ok) return both
  const { now, before } = both.value
  if (before === undefined) return ok({ results: rowsOf(question, now, reader.nowMs) })
  const { grid, buckets } = before
  const earlier = { buckets, grid: { ...grid, isCut: ranges.compared?.isCut === true } }
  return ok({
    results: [
      ...rowsOf(question, now, reader.nowMs, 'current'),
      ...rowsOf(question, earlier, reader.nowMs, 'previous'),
    ],
  })
}

async function count(
  reader: InsightReader,
  project: ProjectId,
  question: WebTrendsQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<Result<Period, QuestionError>> {
  const made = boundedGrid(range, question.interval, question.zone)
  if (!made.ok) return made
  const grid = made.value
  const buckets = grid.starts.map(noSessions)
  const asked = { question, selected, range: grid.range }
  const failed = await visitViewed(reader, project, asked, (seen, views) => {
    if (seen.isBot) return
    const counts = buckets[bucketOf(grid.starts, seen.session.beginUs / 1_000)]
    if (counts) addSession(counts, seen, views, question.goal ? conversionsOf(seen) : 0)
  })
  return failed === undefined ? ok({ grid, buckets }) : { ok: false, error: failed }
}

/** Place of the last start that is not later. The first bucket may begin before the range. */
function bucketOf(starts: readonly number[], ms: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= ms) low = middle
    else high = middle
  }
  return low
}

/** A row for each metric: a number for each bucket, null where there is none of nothing. */
function rowsOf(
  { metrics, goal }: WebTrendsQuestion,
  { grid, buckets }: Period,
  nowMs: number,
  label?: 'current' | 'previous',
): readonly object[] {
  const figures = figuresOf(goal !== undefined)
  return metrics.map((metric) => {
    const data = buckets.map((counts) => figures.get(metric)?.(counts) ?? null)
    return {
      label: metric,
      data,
      ...frameOf(grid, nowMs),
      ...(label && { compare: true, compare_label: label }),
    }
  })
}
