/** Questions asked under a name: answered here, and looked up or cancelled at any worker. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { AppError, type ErrorDetail } from '../../../core/code.ts'
import { createGate, type Gate } from '../../../core/gate.ts'
import type { OrganizationId, ProjectId } from '../../../core/ids.ts'
import { INSIGHT_JOBS_RUNNING_MAX } from '../../../core/limits/limits-query.ts'
import type { Log } from '../../../core/log.ts'
import type { Sql } from '../../../postgres/connect.ts'
import {
  beginJob,
  findJob,
  finishJob,
  type JobKey,
  removeJob,
  renewJob,
  type StoredJob,
} from '../../../store/answers/query-job-store.ts'
import { throttledDetail, validationError } from '../../../wire/details.ts'
import { failureOf } from '../../../wire/failure.ts'

/** Bytes of an answer that is kept under a name. */
export const INSIGHT_JOB_ANSWER_BYTES_MAX = 4_194_304
/** Interval in milliseconds of looking whether another worker has cancelled a query. */
const INSIGHT_JOBS_RENEWED_MS = 500

/**
 * Answers a question as JSON.
 * @param onDone called with the number of answered questions.
 * @throws {AppError} the error of the question, or why it was not answered.
 */
export type Work = (signal: AbortSignal, onDone: (done: number) => void) => Promise<string>

/** A question with the name under which its client asks for it. */
export type NamedWork = {
  readonly project: ProjectId
  readonly id: string
  readonly total: number
  readonly work: Work
}

export type QueryJobs = {
  /**
   * Answers while the caller waits. An earlier question with the same name is cancelled on any
   * worker.
   * @throws {AppError} 400 `query_cancelled` once a client has cancelled it; errors of `work`.
   */
  wait(named: NamedWork, signal: AbortSignal): Promise<string>
  /**
   * Answers in the background; those of an organization one after another.
   * @throws {AppError} `resource_exhausted` when the project has too many already.
   */
  start(named: NamedWork, organization: OrganizationId): Promise<QueryStatus>
  /** Undefined when the name is unknown, or was used too long ago. */
  status(project: ProjectId, id: string): Promise<QueryStatus | undefined>
  /**
   * Ends the statement on any worker, and removes the question. @returns false when there is none.
   */
  cancel(project: ProjectId, id: string): Promise<boolean>
}

const RETRY_AFTER_S = 2

export type QueryJobsDeps = { readonly sql: Sql; readonly clock: Clock; readonly log: Log }

export function createQueryJobs(deps: QueryJobsDeps): QueryJobs {
  const { sql, log } = deps
  /** Questions that this worker is answering, by project and name. */
  const running = new Map<string, AbortController>()
  const inTurn = createConcurrencyPool()

  const execute = async (key: JobKey, work: Work, left?: AbortSignal) => {
    const place = placeOf(key)
    const abort = new AbortController()
    running.get(place)?.abort(cancelled())
    running.set(place, abort)
    try {
      return await answerWatched(deps, key, abort, work, left)
    } finally {
      if (running.get(place) === abort) running.delete(place)
    }
  }

  return {
    async wait({ project, id, total, work }, signal) {
      const key = { project, id, run: randomUUID() }
      await beginJob(sql, key, { isAsync: false, total })
      return await execute(key, work, signal)
    },

    async start({ project, id, total, work }, organization) {
      const key = { project, id, run: randomUUID() }
      if (!(await beginJob(sql, key, { isAsync: true, total }))) throw tooMany()
      execute(key, inTurn(organization, work)).catch((error: unknown) => {
        // Clients read the failure from the job's row; failures of the server are logged too.
        if (failureOf(error).status >= 500) log.warn('a question failed', { project, error })
      })
      return begunStatus(id, total)
    },

    async status(project, id) {
      const job = isName(id) ? await findJob(sql, project, id) : undefined
      return job === undefined ? undefined : statusOf(id, job)
    },

    async cancel(project, id) {
      const isKnown = isName(id) && (await removeJob(sql, project, id))
      if (isKnown) running.get(placeOf({ project, id }))?.abort(cancelled())
      return isKnown
    },
  }
}

/** False for text that Postgres cannot store, which is no name. */
function isName(id: string): boolean {
  return !id.includes('\0')
}

/** Answers while the row says that the job is wanted, and stores the outcome there. */
async function answerWatched(
  deps: QueryJobsDeps,
  key: JobKey,
  abort: AbortController,
  work: Work,
  left: AbortSignal | undefined,
): Promise<string> {
  const over = new AbortController()
  let done = 0
  const watching = watchJob(deps, key, over.signal, {
    doneOf: () => done,
    onGone: () => abort.abort(cancelled()),
  })
  const signal = left === undefined ? abort.signal : AbortSignal.any([abort.signal, left])
  try {
    const answer = await work(signal, (count) => {
      done = count
    })
    abort.signal.throwIfAborted()
    await keep(deps, key, done, answer)
    return answer
  } catch (error) {
    const reason = abort.signal.aborted ? abort.signal.reason : error
    await keep(deps, key, done, reason)
    throw reason
  } finally {
    over.abort()
    await watching
  }
}

/** A lost outcome does not fail the caller: after a while the question counts as lost. */
async function keep(
  { sql, log }: QueryJobsDeps,
  key: JobKey,
  done: number,
  outcome: unknown,
): Promise<void> {
  try {
    await finishJob(sql, key, done, finished(outcome))
  } catch (error) {
    log.warn('the outcome of a question was not stored', { project: key.project, error })
  }
}

/** Work in the background: that of an organization one after another. */
function createConcurrencyPool(): (organization: OrganizationId, work: Work) => Work {
  const gates = new Map<OrganizationId, Gate>()
  return (organization, work) => async (signal, onDone) => {
    const gate = gates.get(organization) ?? createGate(TURNS)
    gates.set(organization, gate)
    try {
      return await gate.run(() => work(signal, onDone), signal)
    } finally {
      if (gate.isIdle()) gates.delete(organization)
    }
  }
}

const TURNS = { runningMax: 1, waitingMax: INSIGHT_JOBS_RUNNING_MAX, refuse: tooMany }

/** Renews the row until `over` aborts; reports when it has been removed or replaced. */
async function watchJob(
  { sql, clock, log }: QueryJobsDeps,
  key: JobKey,
  over: AbortSignal,
  { doneOf, onGone }: { readonly doneOf: () => number; readonly onGone: () => void },
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(INSIGHT_JOBS_RENEWED_MS, over).catch(() => {
      // Woken by the abort; the condition below ends the watch.
    })
    if (over.aborted) return
    try {
      if (await renewJob(sql, key, doneOf())) continue
      onGone()
      return
    } catch (error) {
      log.debug('a question was not renewed', { project: key.project, error })
    }
  }
}

/** @param outcome the text of an answer, or its error. */
function finished(outcome: unknown) {
  if (typeof outcome !== 'string') return { answer: null, failure: bodyOf(outcome) }
  if (Buffer.byteLength(outcome) <= INSIGHT_JOB_ANSWER_BYTES_MAX) {
    return { answer: outcome, failure: null }
  }
  const detail = 'The answer is too large to be kept. Ask for less, or wait for it (blocking).'
  return { answer: null, failure: bodyOf(validationError('answer_too_large', detail, null)) }
}

function bodyOf(error: unknown): Pick<Required<ErrorDetail>, 'type' | 'code' | 'detail' | 'attr'> {
  const { type, code, detail, attr = null } = failureOf(error).detail
  return { type, code, detail, attr }
}

function placeOf({ project, id }: Pick<JobKey, 'project' | 'id'>): string {
  return `${project}:${id}`
}

function cancelled(): AppError {
  return validationError('query_cancelled', 'The question was cancelled.', null)
}

function tooMany(): AppError {
  const detail = throttledDetail(RETRY_AFTER_S)
  return new AppError('resource_exhausted', 'too many questions in the background', { detail })
}

/** JSON of `{query_status: …}`. */
type QueryStatus = string

/** Status of a question that has just been accepted. */
function begunStatus(id: string, total: number): QueryStatus {
  return statusOf(id, { state: 'running', done: 0, total, answer: null, failure: null })
}

/** `results` is the whole answer, as a call that waits gets it. */
function statusOf(id: string, job: StoredJob): QueryStatus {
  const { state, done, total, answer } = job
  const failure = state === 'lost' ? LOST : job.failure
  const status = JSON.stringify({
    id,
    complete: state !== 'running',
    error: failure !== null,
    error_message: failure?.['detail'] ?? null,
    error_code: failure?.['code'] ?? null,
    error_attr: failure?.['attr'] ?? null,
    query_progress: { done, total },
  })
  const results = answer === null ? '' : `,"results":${answer}`
  return `{"query_status":${status.slice(0, -1)}${results}}}`
}

const LOST = {
  code: 'query_lost',
  detail: 'The worker that answered the question has stopped. Ask again.',
  attr: null,
}
