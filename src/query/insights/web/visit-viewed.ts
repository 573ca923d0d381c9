/** Reads shared by the questions that count sessions with a page view. */
import type { ProjectId } from '../../../core/ids.ts'
import { ok, type Result } from '../../../core/result.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
import type { Range } from '../time/grid.ts'
import { viewsOf } from './count-sessions.ts'
import { type SeenSession, type SessionsAsked, visitSessions } from './visit-sessions.ts'

/** Counts in both ranges of a question. @param ranges `compared` is undefined without any. */
export async function inBoth<Compared extends Range, Counted>(
  ranges: { readonly current: Range; readonly compared: Compared | undefined },
  count: (range: Range) => Promise<Result<Counted, QuestionError>>,
): Promise<Result<{ readonly now: Counted; readonly before?: Counted }, QuestionError>> {
  const now = await count(ranges.current)
  if (!now.ok) return now
  if (ranges.compared === undefined) return ok({ now: now.value })
  const before = await count(ranges.compared)
  return before.ok ? ok({ now: now.value, before: before.value }) : before
}

type Asked = {
  readonly question: {
    readonly sessions: SessionsAsked['filters']
    readonly includesBots: boolean
  }
  readonly selected: readonly Selected[]
  readonly range: Range
}

/** Calls `visit` with each session that has views. @returns the reason if they cannot be read. */
export async function visitViewed(
  reader: InsightReader,
  project: ProjectId,
  { question, selected, range }: Asked,
  visit: (seen: SeenSession, views: number) => void,
): Promise<QuestionError | undefined> {
  const asked = {
    range,
    filters: question.sessions,
    includesBots: question.includesBots,
    roles: selected.map(({ role }) => role),
    members: [],
    items: [],
  }
  return await visitSessions(reader, project, asked, (seen) => {
    const views = viewsOf(seen)
    if (views > 0) visit(seen, views)
  })
}
