/** Meaning of a failed call for the user. */
import { ApiError } from '../../client/index.ts'

export type FailureKind = 'offline' | 'busy' | 'forbidden' | 'missing' | 'refused' | 'broken'

export type Failure = {
  readonly kind: FailureKind
  /** The interface's own words, or the browser's. */
  readonly detail: string
  readonly code: string
  /** The field to blame. */
  readonly attr: string | null
  /** Seconds after which the call may be made again. */
  readonly retryAfterS: number | undefined
  /** An outage, an overload or a proxy in between: the same request may succeed later. */
  readonly isPassing: boolean
}

const PASSING_STATUS = [429, 502, 503, 504]
/** The code of an error body that is not the interface's own, such as a proxy's page. */
const NOT_OURS = 'error'

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { code, attr, retryAfterS, status } = error
    const isPassing = PASSING_STATUS.includes(status) || code === NOT_OURS
    return { kind: kindOf(status), detail: error.message, code, attr, retryAfterS, isPassing }
  }
  const none = { attr: null, retryAfterS: undefined, isPassing: true }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { kind: 'broken', detail: 'No answer came in time.', code: 'timeout', ...none }
  }
  // `fetch` throws it when there is no way to the server.
  if (error instanceof TypeError) {
    return { kind: 'offline', detail: 'The server cannot be reached.', code: 'offline', ...none }
  }
  if (error instanceof SyntaxError) {
    const detail = 'A proxy answered in place of the server.'
    return { kind: 'broken', detail, code: 'not_json', ...none }
  }
  const detail = error instanceof Error ? error.message : String(error)
  return { kind: 'broken', detail, code: 'defect', ...none, isPassing: false }
}

function kindOf(status: number): FailureKind {
  if (status === 403) return 'forbidden'
  if (status === 404) return 'missing'
  if (PASSING_STATUS.includes(status)) return 'busy'
  return status < 500 ? 'refused' : 'broken'
}

/** The caller has left, so no failure is shown. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
