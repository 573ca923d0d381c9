/** Answers `WebGoalsQuery`: how many sessions reach each goal of a project. */
import type { ProjectId } from '../../../core/ids.ts'
import { ok, type Result } from '../../../core/result.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
import type { Range } from '../time/grid.ts'
import {
  addSession,
  conversionsOf,
  GOAL_ROLE,
  noSessions,
  type SessionCounts,
  share,
} from './count-sessions.ts'
import { inBoth, visitViewed } from './visit-viewed.ts'
import type { WebGoalsQuestion } from './web-question.ts'

/** @param compared range of the previous values; undefined without any. */
export async function askGoals(
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
