/** Asks the questions of a bench, one after another, and measures the time to each answer. */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { isList, isObject, type Json } from '../../src/core/json.ts'
import { type Spread, spreadOf } from '../load/report/stats.ts'
import type { BenchProject } from '../load/workload/management-api.ts'
import type { BenchQuestion } from './questions.ts'

/** Server that questions are sent to. */
export type AskedServer = {
  readonly url: string
  readonly project: BenchProject
}

/** Milliseconds from the request to the whole answer. */
export type QuestionFigures = {
  readonly name: string
  /** Without the answer cache; the memory of Postgres stays warm. */
  readonly coldMs: Spread
  /** Asked again with nothing new. */
  readonly cachedMs: Spread
  /** Asked again after a few events of today. */
  readonly movedMs: Spread
  /** Whether the second of two equal questions came from the cache. */
  readonly isCached: boolean
}

const QUESTION_MS_MAX = 60_000
const MOVING_EVENTS = 5

/** @throws {AppError} `unavailable` when a question or a capture is not answered with 200. */
export async function measureQuestion(
  clock: Clock,
  server: AskedServer,
  { name, query }: BenchQuestion,
  runs: number,
): Promise<QuestionFigures> {
  const timed = async (refresh: Refresh, before?: () => Promise<void>) => {
    const times: number[] = []
    for (let run = 0; run < runs; run++) {
      await before?.()
      const startedAt = clock.monotonic()
      await ask(server, query, refresh)
      times.push(clock.monotonic() - startedAt)
    }
    return spreadOf(times)
  }
  await ask(server, query, 'force_blocking') // Warms up; not counted.
  const coldMs = await timed('force_blocking')
  await ask(server, query, 'blocking')
  const isCached = saysCached(await ask(server, query, 'blocking'))
  const cachedMs = await timed('blocking')
  const movedMs = await timed('blocking', () => captureSome(clock, server))
  return { name, coldMs, cachedMs, movedMs, isCached }
}

type Refresh = 'blocking' | 'force_blocking'

/** @throws {AppError} `unavailable` with the answer when it is not one to each question. */
export async function ask(
  { url, project }: AskedServer,
  query: unknown,
  refresh: Refresh,
): Promise<Json> {
  const response = await fetch(new URL(`/api/projects/${project.projectId}/query/`, url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${project.personalApiKey}`,
    },
    body: JSON.stringify({ query, refresh }),
    signal: AbortSignal.timeout(QUESTION_MS_MAX),
  })
  const text = await response.text()
  const answer = response.status === 200 ? (JSON.parse(text) as Json) : undefined
  if (answer === undefined) {
    throw new AppError('unavailable', `a question answered ${response.status}: ${text}`)
  }
  const failed = answersOf(answer).find((each) => 'error' in each)
  if (failed !== undefined) {
    throw new AppError('unavailable', `a question answered ${JSON.stringify(failed)}`)
  }
  return answer
}

function saysCached(answer: Json): boolean {
  return answersOf(answer).every((each) => each['is_cached'] === true)
}

/** Returns the answers of a list, or the single answer itself. */
function answersOf(answer: Json): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(answer)) return []
  const { results, cache_key: key } = answer
  if (key !== undefined) return [answer]
  return isList(results) ? results.filter(isObject) : []
}

/** Captures events of the present that every question of the bench reads. */
async function captureSome(clock: Clock, { url, project }: AskedServer): Promise<void> {
  const batch = Array.from({ length: MOVING_EVENTS }, (_, index) => ({
    event: '$pageview',
    distinct_id: `user-${index}`,
    timestamp: new Date(clock.now()).toISOString(),
    properties: { $session_id: 's-now', $browser: 'Chrome', $pathname: '/page/1', amount: 1 },
  }))
  const response = await fetch(new URL('/batch/', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: project.apiKey, batch }),
    signal: AbortSignal.timeout(QUESTION_MS_MAX),
  })
  const text = await response.text()
  if (response.status !== 200) {
    throw new AppError('unavailable', `a capture answered ${response.status}: ${text}`)
  }
}
