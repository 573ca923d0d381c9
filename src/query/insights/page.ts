/**
 * Answers the questions of one list: trends and questions about a site share one snapshot, and
 * their reads of the same events.
 */
import { AppError } from '../../core/code.ts'
import { createGate } from '../../core/gate.ts'
import type { Json } from '../../core/json.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Result } from '../../core/result.ts'
import type { CohortMembers } from '../../store/cohorts/cohort-members.ts'
import type { Scans } from '../query-limiter.ts'
import {
  type AnswerDeps,
  type Asking,
  type AskingProject,
  answerQuestion,
  cohortsOf,
} from './answer.ts'
import {
  answerAlone,
  answerTogether,
  type Counted,
  type InsightAnswer,
  type InTurn,
} from './count-answers.ts'
import type { QuestionError } from './question.ts'
import { isWeb } from './web/web-question.ts'

export type Page = {
  /**
   * As `answerQuestion`. Questions of a page at the same moment are counted together, once each of
   * them has been looked up in the cache.
   */
  answer(
    asked: Json,
    asking: Omit<Asking, 'count' | 'cohorts'>,
    signal: AbortSignal,
  ): Promise<Result<InsightAnswer, QuestionError>>
}

type Answer = Result<Counted, QuestionError>

type Member = {
  readonly asking: InTurn
  readonly signal: AbortSignal
  readonly resolve: (answer: Answer | Promise<Answer>) => void
  readonly reject: (error: unknown) => void
}

/** Questions of a page that run at a time: as many as an organization may run. */
const LANES = 2

/** @param asked all that it will be asked: their cohorts are read once, and count together. */
export function createPage(deps: AnswerDeps, project: AskingProject, asked: readonly Json[]): Page {
  const lanes = createGate({
    runningMax: LANES,
    waitingMax: Infinity,
    refuse: () => new AppError('resource_exhausted', 'too many questions of a page'),
    cancelled: (reason) => new AppError('cancelled', 'the caller has gone', { cause: reason }),
  })
  const scans: Scans = {
    run: (signal, work, bytesOf) => lanes.run(() => deps.scans.run(signal, work, bytesOf), signal),
  }
  const limitMs = deps.timeoutMs ?? EVENT_QUERY_TIMEOUT_MS
  let beganAt: number | undefined
  /**
   * Time left for all questions together, which is that of one, so that each gets its answer or
   * error.
   */
  const left = () => {
    beganAt ??= deps.clock.monotonic()
    return Math.max(0, limitMs - (deps.clock.monotonic() - beganAt))
  }
  const laned = { ...deps, scans }
  const cohorts = readOnce((signal) => cohortsOf(laned, project, asked, deps.clock.now(), signal))
  let preparing = 0
  let joined: Member[] = []
  const begin = () => {
    if (preparing > 0 || joined.length === 0) return
    const members = joined
    joined = []
    void countMembers(laned, members, left)
  }

  return {
    async answer(question, asking, signal) {
      preparing += 1
      let isPrepared = false
      const prepared = () => {
        if (isPrepared) return
        isPrepared = true
        preparing -= 1
        setImmediate(begin)
      }
      const own: Scans = {
        run: (ending, work, bytesOf) => {
          prepared()
          return scans.run(ending, work, bytesOf)
        },
      }
      const count = async (inTurn: InTurn, ending: AbortSignal): Promise<Answer> => {
        if (inTurn.question.kind !== 'trends' && !isWeb(inTurn.question)) {
          const alone = () => answerAlone({ ...deps, timeoutMs: left() }, inTurn, ending)
          return await own.run(ending, alone)
        }
        const answer = new Promise<Answer>((resolve, reject) => {
          joined.push({ asking: inTurn, signal: ending, resolve, reject })
        })
        prepared()
        return await answer
      }
      try {
        const counting = { ...asking, count, cohorts }
        return await answerQuestion({ ...deps, scans: own }, project, question, counting, signal)
      } finally {
        prepared()
      }
    },
  }
}

type ReadCohorts = (signal: AbortSignal) => Promise<CohortMembers>

/** Shares one read among all callers; if the caller that began it aborts, another one reads. */
function readOnce(read: ReadCohorts): ReadCohorts {
  let current: { readonly by: AbortSignal; readonly members: Promise<CohortMembers> } | undefined
  return async (signal) => {
    for (;;) {
      current ??= { by: signal, members: read(signal) }
      const reading = current
      try {
        return await reading.members
      } catch (error) {
        if (current === reading) current = undefined
        if (signal.aborted || !reading.by.aborted) throw error
      }
    }
  }
}

/** Settles each member. Never rejects. @param left milliseconds that are left for counting. */
async function countMembers(
  deps: AnswerDeps,
  members: readonly Member[],
  left: () => number,
): Promise<void> {
  const alone = ({ asking, signal, resolve }: Member) => {
    const count = () => answerAlone({ ...deps, timeoutMs: left() }, asking, signal)
    resolve(deps.scans.run(signal, count))
  }
  const [first, ...others] = members
  if (first === undefined) return
  if (others.length === 0) return alone(first)
  const ending = whenAllAborted(members.map(({ signal }) => signal))
  const all = members.map(({ asking }) => asking)
  try {
    // If half of the time is not enough for all together, each question gets a turn of its own.
    const counted = () => answerTogether({ ...deps, timeoutMs: left() / 2 }, all, ending)
    const answers = await deps.scans.run(ending, counted)
    for (const [index, { resolve, reject }] of members.entries()) {
      const answer = answers[index]
      if (answer === undefined) reject(new AppError('internal', 'a question has no answer'))
      else resolve(answer)
    }
  } catch (error) {
    const isOver = ending.aborted || isRefusal(error)
    for (const member of members) {
      if (isOver) member.reject(error)
      else alone(member)
    }
  }
}

/** Errors of the gate itself: a question alone would have waited as long. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && ['resource_exhausted', 'cancelled'].includes(error.code)
}

/** Aborts when the last of them does. */
function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const abort = new AbortController()
  let left = signals.length
  for (const signal of signals) {
    const leave = () => {
      left -= 1
      if (left === 0) abort.abort(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return abort.signal
}
