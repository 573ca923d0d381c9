/** Answers `WebOverviewQuery`: numbers of a site, with those of the compared range. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
import type { Range } from '../time/grid.ts'
import {
  addSession,
  conversionsOf,
  noSessions,
  type SessionCounts,
  share,
  viewsOf,
} from './count-sessions.ts'
import { type SeenSession, type SessionsAsked, visitSessions } from './visit-sessions.ts'
import type { WebOverviewQuestion } from './web-question.ts'

type Overview = { readonly counts: SessionCounts; readonly bots: number }

export type OverviewRow = {
  readonly key: string
  readonly kind: 'unit' | 'duration_s' | 'percentage'
  readonly value: number | null
  readonly previous: number | null
  readonly changeFromPreviousPct: number | null
  readonly isIncreaseBad: boolean
}

/** @param compared range of the previous values; undefined without any. */
export async function askOverview(
  reader: InsightReader,
  project: ProjectId,
  question: WebOverviewQuestion,
  selected: readonly Selected[],
  ranges: { readonly current: Range; readonly compared: Range | undefined },
): Promise<Result<object, QuestionError>> {
  const counted = await inBoth(ranges, (range) => count(reader, project, question, selected, range))
  if (!counted.ok) return counted
  const { now, before } = counted.value
  const hasGoal = question.goal !== undefined
  return ok({
    results: rowsOf(now.counts, before?.counts, hasGoal),
    bots: [now.bots, before?.bots ?? null],
  })
}

async function count(
  reader: InsightReader,
  project: ProjectId,
  question: WebOverviewQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<Result<Overview, QuestionError>> {
  const counts = noSessions()
  let bots = 0
  const failed = await visitViewed(
    reader,
    project,
    { question, selected, range },
    (seen, views) => {
      if (seen.isBot) bots += 1
      else addSession(counts, seen, views, question.goal ? conversionsOf(seen) : 0)
    },
  )
  return failed === undefined ? ok({ counts, bots }) : err(failed)
}

const PERCENT = 100

type Figure = readonly [
  key: string,
  kind: OverviewRow['kind'],
  of: (counts: SessionCounts) => number | null,
  isIncreaseBad?: boolean,
]

const FIGURES: readonly Figure[] = [
  ['visitors', 'unit', ({ visitors }) => visitors],
  ['views', 'unit', ({ views }) => views],
  ['sessions', 'unit', ({ sessions }) => sessions],
  ['views per session', 'unit', ({ views, sessions }) => share(views, sessions)],
  ['session duration', 'duration_s', ({ seconds, sessions }) => share(seconds, sessions)],
  ['bounce rate', 'percentage', ({ bounces, entries }) => percent(bounces, entries), true],
]
const FIGURES_OF_GOAL: readonly Figure[] = [
  ['total conversions', 'unit', ({ conversions }) => conversions],
  ['unique conversions', 'unit', ({ converted }) => converted],
  ['conversion rate', 'percentage', ({ converted, visitors }) => percent(converted, visitors)],
]

/** Figures by their keys. */
export function figuresOf(
  hasGoal: boolean,
): ReadonlyMap<string, (counts: SessionCounts) => number | null> {
  const figures = hasGoal ? [...FIGURES, ...FIGURES_OF_GOAL] : FIGURES
  return new Map(figures.map(([key, , of]) => [key, of]))
}

function percent(part: number, whole: number): number | null {
  const of = share(part, whole)
  return of === null ? null : of * PERCENT
}

function rowsOf(
  now: SessionCounts,
  before: SessionCounts | undefined,
  hasGoal: boolean,
): readonly OverviewRow[] {
  const figures = hasGoal ? [...FIGURES, ...FIGURES_OF_GOAL] : FIGURES
  return figures.map(([key, kind, of, isIncreaseBad = false]) => {
    const value = of(now)
    const previous = before === undefined ? null : of(before)
    return {
      key,
      kind,
      value,
      previous,
      changeFromPreviousPct: change(value, previous),
      isIncreaseBad,
    }
  })
}

/** Whole percent; null when one of them is missing, or there was nothing before. */
function change(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null
  return Math.round(((value - previous) / previous) * PERCENT)
}

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
