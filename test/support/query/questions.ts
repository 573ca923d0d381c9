/** Asks questions directly, without the management pipeline. */
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import type { OpenInsightEvents } from '../../../src/event-store/insight-events.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { answerQuestion } from '../../../src/query/insights/answer.ts'
import { createPage } from '../../../src/query/insights/page.ts'
import { anyScans } from './any-scans.ts'

export type AskedOf = {
  readonly project?: number
  readonly timezone: string
  readonly weekStartDay?: 0 | 1
  readonly now: string
  readonly testAccountFilters?: Json
  readonly webGoals?: Json
  /** @default Postgres */
  readonly openEvents?: OpenInsightEvents | undefined
}

/** A row of an answer, with what is there for some questions only. */
export type AnswerRow = {
  readonly label: string
  readonly count: number
  readonly data: readonly number[]
  readonly days: readonly string[]
  readonly labels: readonly string[]
  readonly buckets: readonly string[]
  readonly incomplete_from: number | null
  readonly aggregated_value?: number
  readonly breakdown_value?: string
  readonly compare_label?: string
}

/** Long enough for a busy machine: these tests ask what the answer is. */
const TIMEOUT_MS = 120_000

export function asker(sql: Sql, asked: AskedOf) {
  const { project = 1, timezone, now, weekStartDay = 1 } = asked
  const { testAccountFilters = [], webGoals = [], openEvents } = asked
  const clock: Clock = { ...systemClock, now: () => Date.parse(now) }
  const where = openEvents && { openEvents }
  const deps = { sql, clock, scans: anyScans(), timeoutMs: TIMEOUT_MS, ...where }
  const id = projectId(project)
  const asking = { id, timezone, weekStartDay, testAccountFilters, webGoals }
  const ask = (query: Json) =>
    answerQuestion(deps, asking, query, { path: 'query' }, new AbortController().signal)
  return {
    ask,
    /** All of a page together, in the order of the questions. */
    askPage: async (queries: readonly Json[]) => {
      const page = createPage(deps, asking, queries)
      return await Promise.all(
        queries.map((query) => page.answer(query, { path: 'query' }, new AbortController().signal)),
      )
    },
    /** The rows of an answer. @throws what is wrong with the question. */
    rows: async (query: Json): Promise<readonly AnswerRow[]> => {
      const answer = await ask(query)
      if (!answer.ok) throw new Error(`${answer.error.attr}: ${answer.error.detail}`)
      return JSON.parse(JSON.stringify(answer.value['results']))
    },
  }
}

/** Members of an answer that depend on the events, or its error. */
export function toldBy(answer: Awaited<ReturnType<typeof answerQuestion>>): unknown {
  if (!answer.ok) return answer
  const { results, hasMore, resolved_date_range } = answer.value
  return JSON.parse(JSON.stringify({ results, hasMore, resolved_date_range }))
}
