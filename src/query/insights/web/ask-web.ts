/** Answers the questions about the sessions of a site. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { zonedText } from '../../../core/time/zone.ts'
import type { QuestionError } from '../question.ts'
import { readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { comparedRange } from '../time/compared-range.ts'
import { askGoals } from './ask-goals.ts'
import { askOverview } from './ask-overview.ts'
import { askSessions } from './ask-sessions.ts'
import { askStats } from './ask-stats.ts'
import { askWebTrends } from './ask-web-trends.ts'
import type { WebQuestion } from './web-question.ts'

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
