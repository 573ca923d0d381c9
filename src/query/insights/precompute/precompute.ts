/**
 * Precomputes the past days of the overview and of sessions, so that their first answers read only
 * today's events.
 * Serves projects with many events, one day at a time, the newest first, and pauses for four fifths
 * of the time.
 */
import { setMaxListeners } from 'node:events'
import type { Clock } from '../../../core/clock.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { INSIGHT_ASYNC_TIMEOUT_MS, PRECOMPUTE_DAYS } from '../../../core/limits/limits-query.ts'
import type { Log } from '../../../core/log.ts'
import type { ColumnarInsights } from '../../../event-store/columnar-insights.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { Sql } from '../../../postgres/connect.ts'
import { closedDays } from '../../../store/answers/closed-days-store.ts'
import { SESSION_BLOCK_DAYS } from '../../../store/answers/session-block-store.ts'
import { findProject } from '../../../store/projects/project-store.ts'
import type { Scans } from '../../query-limiter.ts'
import { askingProject, calendarOf } from '../answer.ts'
import { createAnswerCache, dayOf } from '../cache/answer-cache.ts'
import { createPage } from '../page.ts'
import { overviewOfDay } from './overview-day.ts'
import { keepSessionDays } from './session-days.ts'

/** Least number of events of these days to precompute them; fewer take no time. */
export const PRECOMPUTE_EVENTS_MIN = 50_000
/** Share of the time for precomputing days, and for looking which days have changed. */
const PRECOMPUTE_SHARE = 0.2
const PRECOMPUTE_LOOK_SHARE = 0.01
/** Milliseconds after which days that still change are counted all the same. */
export const PRECOMPUTE_AGAIN_MS = 600_000

export type PrecomputeDeps = {
  /** Pool for short reads. */
  readonly sql: Sql
  /** Connections for queries alone: one of them is used at a time. */
  readonly scans: Sql
  /** Tried first, if any: Postgres may lack events. */
  readonly columnar: ColumnarInsights | undefined
  readonly clock: Clock
  readonly log: Log
  /** Whether it is this worker that counts for the project. */
  readonly isOwn: (project: ProjectId) => boolean
}

type Known = {
  /** Version of the closed days when they were looked at. */
  readonly seen: string | undefined
  /** Version that was counted. */
  readonly counted: string | undefined
  /** Monotonic ms: when it was counted, before that when it was first seen. */
  readonly at: number
}

/** Bypasses the query limiter: one call at a time, so that no user's question waits behind it. */
const ONE: Scans = { run: (_signal, work) => work() }

/**
 * @param options how many events a project must have in those days.
 * @returns the function that a loop calls. A project is counted once its days have not changed
 * between two calls, or have kept changing for PRECOMPUTE_AGAIN_MS. A failure is logged and retried
 * later.
 * @throws {PostgresError} when the counters cannot be read. Safe to repeat.
 */
export function createPrecompute(
  deps: PrecomputeDeps,
  { eventsMin = PRECOMPUTE_EVENTS_MIN }: { readonly eventsMin?: number } = {},
): (signal: AbortSignal) => Promise<void> {
  const { sql, clock, log, isOwn } = deps
  let known = new Map<ProjectId, Known>()
  let restsUntil = 0

  const look = async () => {
    const startedAt = clock.monotonic()
    const today = dayOf(clock.now())
    const found = await closedDays(
      sql,
      { first: today - SESSION_BLOCK_DAYS, last: today - 1 },
      eventsMin,
    )
    const endedAt = clock.monotonic()
    restsUntil = endedAt + (endedAt - startedAt) / PRECOMPUTE_LOOK_SHARE
    return found.filter(({ project }) => isOwn(project))
  }

  return async (signal) => {
    if (clock.monotonic() < restsUntil) return
    const found = await look()
    const before = known
    known = new Map()
    const due: ProjectId[] = []
    for (const { project, version } of found) {
      const at = clock.monotonic()
      const was = before.get(project) ?? { seen: undefined, counted: undefined, at }
      const isDue =
        was.counted !== version && (was.seen === version || at - was.at >= PRECOMPUTE_AGAIN_MS)
      const now = { seen: version, counted: isDue ? version : was.counted, at: isDue ? at : was.at }
      known.set(project, now)
      if (isDue) due.push(project)
    }
    for (const project of due) {
      try {
        await countDays(deps, project, signal)
      } catch (error) {
        if (signal.aborted) return
        log.warn('days were not precomputed', { project, error })
        known.set(project, { seen: undefined, counted: undefined, at: clock.monotonic() })
      }
    }
  }
}

/** Counts the days of one project. A cached day costs a look-up only. */
async function countDays(
  { sql, scans, columnar, clock, log }: PrecomputeDeps,
  project: ProjectId,
  signal: AbortSignal,
): Promise<void> {
  const found = await findProject(sql, project)
  if (found === undefined) return
  const asking = askingProject(found)
  const today = calendarOf(asking).wallAt(clock.now())
  const cache = createAnswerCache(sql, log)
  const timeoutMs = INSIGHT_ASYNC_TIMEOUT_MS
  const deps = { sql: scans, scans: ONE, columnar, clock, cache, timeoutMs }
  const rest = (tookMs: number) => clock.sleep(tookMs * (1 / PRECOMPUTE_SHARE - 1), signal)
  const counting = { sql: scans, columnar, clock }
  await keepSessionDays({ sql, counting, clock, rest }, asking, signal)
  const ending = AbortSignal.any([signal])
  setMaxListeners(0, ending) // Some for each question of a day.
  for (let ago = 1; ago <= PRECOMPUTE_DAYS && !signal.aborted; ago++) {
    const startedAt = clock.monotonic()
    const day = new Date(today - ago * DAY_MS).toISOString().slice(0, 10)
    const questions = overviewOfDay(day)
    const page = createPage(deps, asking, questions)
    const answers = await Promise.all(
      questions.map((question) => page.answer(question, { path: day }, ending)),
    )
    // A day that takes too long is left to its first question, and so are the days before.
    if (answers.some(({ ok }) => !ok)) return
    await rest(clock.monotonic() - startedAt)
  }
}
