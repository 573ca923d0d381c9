/** Turns a failure into status and public body, the same for REST and gRPC. */
import { AppError, type Code, type ErrorDetail } from '../core/code.ts'
import {
  conflictDetail,
  errorText,
  notAuthenticatedDetail,
  notFoundDetail,
  permissionDeniedDetail,
  serverErrorDetail,
  throttledDetail,
  unavailableDetail,
  validationDetail,
} from './details.ts'

/**
 * HTTP status of each code. `unimplemented` means a worker of an older release: 503, so that
 * clients retry.
 */
export const HTTP_STATUS: Readonly<Record<Code, number>> = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  failed_precondition: 409,
  not_owner: 503,
  fenced: 503,
  resource_exhausted: 429,
  deadline_exceeded: 503,
  unavailable: 503,
  aborted: 503,
  cancelled: 503,
  unimplemented: 503,
  internal: 500,
}

export type Failure = { readonly status: number; readonly detail: ErrorDetail }

/**
 * Describes a failure for its caller. The gateway makes the HTTP reply from it, a worker the
 * details of the gRPC status. Any error that is not an `AppError` is a 500 without details. Texts
 * are bounded.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) return { status: 500, detail: serverErrorDetail }
  const detail = error.detail ?? defaultDetail(error.code)
  const asked = detail.httpStatus
  const status = asked !== undefined && isErrorStatus(asked) ? asked : HTTP_STATUS[error.code]
  return { status, detail: withTexts(withRetry(status, detail)) }
}

/** Type, code and text for failures without a body of their own. */
function defaultDetail(code: Code): ErrorDetail {
  const status = HTTP_STATUS[code]
  switch (status) {
    case 400:
      return validationDetail('invalid_input', 'The request is not valid.', null)
    case 401:
      return notAuthenticatedDetail
    case 403:
      return permissionDeniedDetail
    case 404:
      return notFoundDetail
    case 409:
      return conflictDetail
    case 429:
      return throttledDetail(1)
    case 503:
      return unavailableDetail
    default:
      return serverErrorDetail
  }
}

function withRetry(status: number, detail: ErrorDetail): ErrorDetail {
  const wants = status === 429 || status === 503
  return wants && detail.retryAfterS === undefined ? { ...detail, retryAfterS: 1 } : detail
}

function withTexts(detail: ErrorDetail): ErrorDetail {
  const { attr } = detail
  const named = typeof attr === 'string' ? { attr: errorText(attr) } : {}
  return { ...detail, detail: errorText(detail.detail), ...named }
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}
