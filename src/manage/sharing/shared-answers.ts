/**
 * Answers of shared links. Each is computed once for all who ask, and kept for a minute; those of
 * an organization are computed one at a time, so that its members never wait behind viewers alone.
 */
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { createGate, type Gate } from '../../core/gate.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { once } from '../../core/once.ts'
import type { AnswerDeps } from '../../query/insights/answer.ts'
import { answerText } from '../../query/insights/answer-text.ts'
import { createPage } from '../../query/insights/page.ts'
import type { QueryLimiter, Scans } from '../../query/query-limiter.ts'
import type { OpenLink } from '../../store/sharing/shared-link-store.ts'
import { throttledDetail } from '../../wire/details.ts'
import { createKept } from './kept.ts'
import type { SharedPage } from './shared-page.ts'

/** Age of an answer, and the time in which it is told while the next one is computed. */
const ANSWER_KEPT_MS = 60_000
const ANSWER_AGED_MS = 60_000
/** Time for which an answer is told at most. */
export const ANSWER_TOLD_MS = ANSWER_KEPT_MS + ANSWER_AGED_MS
/** Answers that a worker keeps, and their bytes. */
const ANSWERS_MAX = 2_000
const ANSWERS_BYTES_MAX = 33_554_432
/**
 * Time of the questions of one ask together, and of waiting for a place: longer than a viewer
 * waits, because the next one has the answers.
 */
const ANSWERS_TIMEOUT_MS = 30_000
const PLACE_WAIT_MS = 15_000
/** Computations of an organization that wait; one more is 429. */
const WAITING_MAX = 64
const RETRY_AFTER_S = 2

export type SharedAnswers = {
  /**
   * JSON of the answers, in the order of the questions.
   * @throws {AppError} `resource_exhausted` when too many wait; errors of the store.
   */
  answer(link: OpenLink, page: SharedPage, asked: readonly Json[]): Promise<string>
}

type SharedAnswersDeps = Omit<AnswerDeps, 'scans'> & {
  readonly clock: Clock
  readonly queryLimiter: QueryLimiter
}

export function createSharedAnswers({
  queryLimiter,
  ...reading
}: SharedAnswersDeps): SharedAnswers {
  const kept = createKept<string>(reading.clock, {
    keepMs: ANSWER_KEPT_MS,
    agedMs: ANSWER_AGED_MS,
    entriesMax: ANSWERS_MAX,
    bytesMax: ANSWERS_BYTES_MAX,
    bytesOf: (text) => text.length * 2,
  })
  const scansOf = createLanes(queryLimiter)
  return {
    async answer(link, page, asked) {
      const nowMs = reading.clock.now()
      const questions = asked.map((each) => page.questionOf(each, nowMs))
      const keyOf = (question: Json) => `${link.id} ${link.revision} ${JSON.stringify(question)}`
      // One page for all that are computed for this ask: they share their reads.
      const together = once(() =>
        createPage(
          { ...reading, scans: scansOf(page.organizationId), timeoutMs: ANSWERS_TIMEOUT_MS },
          page.project,
          questions.filter((each) => each !== undefined),
        ),
      )
      const compute = async (question: Json) => {
        // The next one who asks has the answer, if this one has left.
        const { signal } = new AbortController()
        const answer = await together().answer(question, { path: '' }, signal)
        return answer.ok ? answerText(shownOf(answer.value)) : errorText(answer.error)
      }
      const texts = questions.map(async (question) => {
        if (question === undefined) return NOT_SHARED
        return await kept.get(keyOf(question), () => compute(question))
      })
      return `{"results":[${(await Promise.all(texts)).join()}]}`
    },
  }
}

/** Members of an answer that viewers see: the key of the cache tells values of filters apart. */
function shownOf(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { cache_key: _key, timings: _timings, is_cached: _isCached, ...shown } = answer
  return shown
}

type ShownError = { readonly code: string; readonly detail: string }

/** The detail of an error may name a value of the stored question. */
function errorText({ code }: ShownError): string {
  const detail =
    code === 'query_timeout'
      ? 'The query took too long.'
      : 'The query of this page no longer works.'
  return JSON.stringify({ error: { type: 'validation_error', code, detail, attr: null } })
}

const NOT_SHARED = JSON.stringify({
  error: {
    type: 'validation_error',
    code: 'not_shared',
    detail: 'This page has no such question.',
    attr: 'query',
  },
})

/** The turns of each organization: one computation at a time. */
function createLanes(queryLimiter: QueryLimiter): (organization: OrganizationId) => Scans {
  const gates = new Map<OrganizationId, Gate>()
  return (organization) => ({
    async run(signal, work, bytesOf) {
      const gate = gates.get(organization) ?? createGate(GATE)
      gates.set(organization, gate)
      try {
        const scans = queryLimiter.of(organization, PLACE_WAIT_MS)
        return await gate.run(() => scans.run(signal, work, bytesOf), signal)
      } finally {
        if (gate.isIdle()) gates.delete(organization)
      }
    },
  })
}

const GATE = {
  runningMax: 1,
  waitingMax: WAITING_MAX,
  refuse: () => {
    const detail = throttledDetail(RETRY_AFTER_S)
    return new AppError('resource_exhausted', 'too many questions of shared links', { detail })
  },
}
