/** Status of a named question, as clients see it. */
import type { StoredJob } from '../../../store/answers/query-job-store.ts'

/** JSON of `{query_status: …}`. */
export type QueryStatus = string

/** Status of a question that has just been accepted. */
export function begunStatus(id: string, total: number): QueryStatus {
  return statusOf(id, { state: 'running', done: 0, total, answer: null, failure: null })
}

/** `results` is the whole answer, as a call that waits gets it. */
export function statusOf(id: string, job: StoredJob): QueryStatus {
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
