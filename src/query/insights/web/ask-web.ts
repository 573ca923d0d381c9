/** Answers the questions about the sessions of a site. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { zonedText } from '../../../core/time/zone.ts'
import type { QuestionError } from '../question.ts'
import { boundedGrid, readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { comparedRange } from '../time/compared-range.ts'
import { frameOf, type Grid, type Range } from '../time/grid.ts'
import { askOverview, figuresOf, inBoth, visitViewed } from './ask-overview.ts'
import { askSessions } from './ask-sessions.ts'
import { askStats } from './ask-stats.ts'
import {
  addSession,
  conversionsOf,
  GOAL_ROLE,
  noSessions,
  type SessionCounts,
  share,
} from './count-sessions.ts'
import type { WebGoalsQuestion, WebQuestion, WebTrendsQuestion } from './web-question.ts'

/** Members of the answer. @param selected of `webEvents`. */
export async function askWeb(
  reader: InsightReader,
  project: ProjectId,
  question: WebQuestion,
  selected: readonly Selected[],
): Promise<Result<Readonly<Record<string, unknown>>, QuestionError>> {
  const selections = selected.slice(0, 1).map(({ selection }) => selection)
  const current = await readRangeOf(reader, question, selections)
  if (!current.ok) return err(current.error)
  const { compare, zone } = question
  const interval = question.kind === 'web_trends' ? question.interval : 'day'
  const comparing = compare && { compare, interval, zone }
  const compared = comparing && comparedRange(current.value, comparing, reader.nowMs)
  const ranges = { current: current.value, compared }
  const answer = await answerTo(reader, project, question, selected, ranges)
  if (!answer.ok) return answer
  const { fromMs, untilMs } = current.value
  const shown = { date_from: zonedText(zone, fromMs), date_to: zonedText(zone, untilMs - 1) }
  return ok({ ...answer.value, resolved_date_range: shown })
}

async function answerTo(
  reader: InsightReader,
  project: ProjectId,
  question: WebQuestion,
  selected: readonly Selected[],
  ranges: Parameters<typeof askWebTrends>[4],
): Promise<Result<object, QuestionError>> {
  switch (question.kind) {
    case 'web_overview':
      return await askOverview(reader, project, question, selected, ranges)
    case 'web_stats':
      return await askStats(reader, project, question, selected, ranges)
    case 'web_trends':
      return await askWebTrends(reader, project, question, selected, ranges)
    case 'web_sessions':
      return await askSessions(reader, project, question, selected, ranges.current)
    case 'web_goals':
      return await askGoals(reader, project, question, selected, ranges)
    default:
      return question satisfies never
  }
}

/** @param compared range of the previous values; undefined without any. */
async function askGoals(
  reader: InsightReader,
  project: ProjectId,
  question: WebGoalsQuestion,
  selected: readonly Selected[],
  ranges: { readonly current: Range; readonly compared: Range | undefined },
): Promise<Result<object, QuestionError>> {
  const both = await inBoth(ranges, (range) => count(reader, project, question, selected, range))
  if (!both.ok) return both
  const { now, before } = both.value
  const results = question.goals.map(({ name }, place) => {
    const counted = [now[place], before?.[place]]
    const pair = (of: (counts: SessionCounts) => number | null) =>
      counted.map((counts) => (counts === undefined ? null : of(counts)))
    return [
      name,
      pair(({ converted }) => converted),
      pair(({ conversions }) => conversions),
      pair(({ converted, visitors }) => share(converted, visitors)),
    ]
  })
  const columns = ['goal', 'unique_conversions', 'total_conversions', 'conversion_rate']
  return ok({ results, columns })
}

/** Counts by goal, in their order. */
async function count(
  reader: InsightReader,
  project: ProjectId,
  question: WebGoalsQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<Result<readonly SessionCounts[], QuestionError>> {
  const all = question.goals.map(noSessions)
  if (all.length === 0) return ok(all)
  const failed = await visitViewed(
    reader,
    project,
    { question, selected, range },
    (seen, views) => {
      if (seen.isBot) return
      for (const [place, counts] of all.entries()) {
        addSession(counts, seen, views, conversionsOf(seen, GOAL_ROLE + place))
      }
    },
  )
  return failed === undefined ? ok(all) : { ok: false, error: failed }
}

/** Answers `WebTrendsQuery`: numbers of a site by buckets of time. */
type Period = { readonly grid: Grid; readonly buckets: readonly SessionCounts[] }

/** @param compared range of the rows `previous`; undefined without any. */
async function askWebTrends(
  reader: InsightReader,
  project: ProjectId,
  question: WebTrendsQuestion,
  selected: readonly Selected[],
  ranges: {
    readonly current: Range
    readonly compared: (Range & { readonly isCut: boolean }) | undefined
  },
): Promise<Result<object, QuestionError>> {
  const both = await inBoth(ranges, (range) =>
    countSessions(reader, project, question, selected, range),
  )
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

async function countSessions(
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
