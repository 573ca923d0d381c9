/** Writes the blocks of sessions of the days that have ended. */
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { Clock } from '../../../core/clock.ts'
import type { Json } from '../../../core/json.ts'
import { isList, isObject } from '../../../core/json.ts'
import { INSIGHT_ASYNC_TIMEOUT_MS } from '../../../core/limits/limits-query.ts'
import type { EventRole } from '../../../event-store/insight-events.ts'
import type { Sql } from '../../../postgres/connect.ts'
import { readForgotten } from '../../../store/answers/forget-answers.ts'
import { countStored } from '../../../store/answers/query-cache.ts'
import {
  findBlockDays,
  keepBlock,
  SESSION_BLOCK_DAYS,
} from '../../../store/answers/session-block-store.ts'
import { NO_COHORTS } from '../../asked-cohorts.ts'
import { createTimeBudget, isOutOfTime } from '../../time-budget.ts'
import { type AskingProject, readingOf } from '../answer.ts'
import { dayOf } from '../cache/answer-cache.ts'
import { isOfEvents } from '../cache/question-reads.ts'
import { type CountDeps, inSnapshot } from '../count-answers.ts'
import { hashOf } from '../question-key.ts'
import { readQuestion } from '../read/read-question.ts'
import { eventsWithin, SESSION_BOUNDS, selectEvents } from '../reader.ts'
import { formOf, isOfName, readBytes } from '../session-blocks/read-blocks.ts'
import { isWeb, webEvents } from '../web/web-question.ts'

export type SessionDaysDeps = {
  /** Pool for short reads and for writes. */
  readonly sql: Sql
  /** Counts in connections for queries alone. */
  readonly counting: CountDeps
  readonly clock: Clock
  /** Called after each day with the milliseconds that it took. */
  readonly rest: (tookMs: number) => Promise<void>
}

/**
 * Writes a block for each day of a site that has none, the newest first.
 * @throws {AppError} and `PostgresError` as questions do. Safe to repeat.
 */
export async function keepSessionDays(
  { sql, counting, clock, rest }: SessionDaysDeps,
  asking: AskingProject,
  signal: AbortSignal,
): Promise<void> {
  const project = asking.id
  const today = dayOf(clock.now())
  const days = { first: today - SESSION_BLOCK_DAYS, last: today - 1 }
  if ((await countStored(sql, project, VIEWS, days)) === 0) return
  const roles = await rolesOfPage(sql, asking, clock)
  const hashes = roles.map((role) => hashOf(role))
  const ask = <T>(work: Parameters<typeof inSnapshot<T>>[2]) =>
    inSnapshot(
      counting,
      { nowMs: clock.now(), budget: createTimeBudget(clock, INSIGHT_ASYNC_TIMEOUT_MS) },
      work,
      signal,
    )
  const found = await ask(({ db, events }) =>
    findBlockDays(db, project, days, formOf(events.store)),
  )
  const lacking = found.filter(
    ({ block }) => block === undefined || !hashes.every((hash) => block.roles.includes(hash)),
  )
  const writeDay = async (day: number) => {
    const forgotten = await readForgotten(sql, project)
    const { own, form, bytes } = await ask(async ({ db, events }) => {
      const form = formOf(events.store)
      const [own] = await findBlockDays(db, project, { first: day, last: day }, form)
      const deps = { events, selectionOf: eventsWithin, bounds: SESSION_BOUNDS }
      const bytes = await readBytes(deps, project, { first: day, last: day }, roles)
      return { own, form, bytes }
    })
    // A day with too many events is left to its questions.
    if (own === undefined || typeof bytes === 'string') return
    const block = { day, form, roles: hashes, events: own.stored, version: own.version }
    await keepBlock(sql, project, { ...block, bytes: await deflate(bytes) }, forgotten)
  }
  for (const { day } of lacking.toReversed()) {
    if (signal.aborted) return
    const startedAt = clock.monotonic()
    try {
      await writeDay(day)
    } catch (error) {
      // A day that takes too long is left to its questions; the days before it get theirs.
      if (signal.aborted || !isOutOfTime(error)) throw error
    }
    await rest(clock.monotonic() - startedAt)
  }
}

const deflate = promisify<Buffer, Buffer>(deflateRaw)
const VIEWS = ['$pageview', '$screen']

/**
 * Roles of the events in the questions of the console's page: those without test accounts, and those
 * of each goal, as far as they depend on the events alone. Events of a name need no role.
 */
async function rolesOfPage(
  sql: Sql,
  asking: AskingProject,
  clock: Clock,
): Promise<readonly EventRole[]> {
  const reading = readingOf(asking, clock.now(), NO_COHORTS)
  const budget = createTimeBudget(clock, INSIGHT_ASYNC_TIMEOUT_MS)
  const roles = new Map<string, EventRole>()
  for (const asked of questionsOf(asking)) {
    const question = readQuestion(asked, reading)
    // One that names a cohort depends on more than events.
    if (!question.ok || !isWeb(question.value)) continue
    for (const { event, filters } of webEvents(question.value)) {
      if (!filters.every(isOfEvents)) continue
      const { role } = await selectEvents(sql, asking.id, event, filters, budget)
      if (!isOfName(role)) roles.set(hashOf(role), role)
    }
  }
  return [...roles.values()]
}

function questionsOf({ webGoals = [] }: AskingProject): readonly Json[] {
  const goals = isList(webGoals) ? webGoals.filter(isObject) : []
  const ask = (more: object): Json => ({
    kind: 'WebOverviewQuery',
    dateRange: { date_from: '-7d' },
    ...more,
  })
  return [
    ask({}),
    ask({ filterTestAccounts: true }),
    ...goals.map(({ name = null }) => ask({ conversionGoal: { goal: name } })),
  ]
}
