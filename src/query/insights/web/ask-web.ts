/** Answers the questions about the sessions of a site. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { zonedText } from '../../../core/time/zone.ts'
import type { QuestionError } from '../question.ts'
import { readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { comparedRange } from '../time/compared-range.ts'
import type { Range } from '../time/grid.ts'
import { askOverview } from './ask-overview.ts'
import { askSessions } from './ask-sessions.ts'
import { askStats } from './ask-stats.ts'
import { askWebTrends } from './ask-web-trends.ts'
import {
  addSession,
  conversionsOf,
  GOAL_ROLE,
  noSessions,
  type SessionCounts,
  share,
} from './count-sessions.ts'
import { inBoth, visitViewed } from './visit-viewed.ts'
import type { WebGoalsQuestion, WebQuestion } from './web-question.ts'

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
