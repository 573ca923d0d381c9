/** Public error bodies that several parts of the product answer with. */
import { cleanText } from '../core/clean-text.ts'
import { AppError, type ErrorDetail } from '../core/code.ts'

/** Characters of the text of an error that travel; whole trailers must stay within some kB. */
const ERROR_DETAIL_LENGTH_MAX = 1_000
/** Characters of a caller's own value repeated in the text of an error. */
const ERROR_ECHO_LENGTH_MAX = 200

export const notAuthenticatedDetail: ErrorDetail = {
  type: 'authentication_error',
  code: 'not_authenticated',
  detail: 'Authentication credentials were not provided.',
  attr: null,
}

/** The only body without an `attr` key. */
export const invalidPersonalKeyDetail: ErrorDetail = {
  type: 'authentication_error',
  code: 'invalid_personal_api_key',
  detail: 'Invalid Personal API key.',
}

export const permissionDeniedDetail: ErrorDetail = {
  type: 'authentication_error',
  code: 'permission_denied',
  detail: 'You do not have permission to perform this action.',
  attr: null,
}

export const notFoundDetail: ErrorDetail = requestDetail('not_found', 'Not found.')
export const routeNotFoundDetail: ErrorDetail = requestDetail('not_found', 'Endpoint not found.')
export const conflictDetail: ErrorDetail = requestDetail(
  'conflict',
  'The object is in a state that does not allow this.',
)
/** 409 of a change that was made from a version which is not the newest. */
export function changedMeanwhileDetail(detail: string): ErrorDetail {
  return requestDetail('conflict', detail)
}

export const notAcceptableDetail: ErrorDetail = {
  ...requestDetail('not_acceptable', 'Could not satisfy the request Accept header.'),
  httpStatus: 406,
}
export const bodyTooLargeDetail: ErrorDetail = {
  ...requestDetail('request_too_large', 'The request body is larger than the server accepts.'),
  httpStatus: 413,
}
export const serverErrorDetail: ErrorDetail = {
  type: 'server_error',
  code: 'error',
  detail: 'A server error occurred.',
  attr: null,
}
export const unavailableDetail: ErrorDetail = {
  type: 'server_error',
  code: 'service_unavailable',
  detail: 'The service cannot answer right now. Try again.',
  attr: null,
  retryAfterS: 1,
}

export function methodNotAllowedDetail(method: string): ErrorDetail {
  const detail = `Method "${echo(method)}" not allowed.`
  return { ...requestDetail('method_not_allowed', detail), httpStatus: 405 }
}

export function unsupportedMediaTypeDetail(contentType: string): ErrorDetail {
  const detail = `Unsupported media type "${echo(contentType)}" in request.`
  return { ...requestDetail('unsupported_media_type', detail), httpStatus: 415 }
}

/** @param format of the body: `JSON`, `Multipart form`. */
export function parseErrorDetail(format: string, problem: string): ErrorDetail {
  return requestDetail('parse_error', `${format} parse error - ${problem}`)
}

export function throttledDetail(retryAfterS: number): ErrorDetail {
  const detail = `Request was throttled. Expected available in ${retryAfterS} seconds.`
  return { type: 'throttled_error', code: 'throttled', detail, attr: null, retryAfterS }
}

/** @param attr the invalid field, nested names joined by `__`; null when no field is. */
export function validationDetail(code: string, detail: string, attr: string | null): ErrorDetail {
  return { type: 'validation_error', code, detail, attr }
}

export const tooManyColumnsDetail: ErrorDetail = validationDetail(
  'invalid_input',
  'The events have too many different properties for one table. Ask for fewer events.',
  'limit',
)

/** The failure of a request with an invalid field. */
export function validationError(code: string, detail: string, attr: string | null): AppError {
  const message = `validation: ${code}`
  return new AppError('invalid_argument', message, { detail: validationDetail(code, detail, attr) })
}

/**
 * Cuts and cleans an error text. A trailer that is too long fails its whole call, and so does half
 * of a surrogate pair, which a caller may have sent.
 */
export function errorText(text: string): string {
  return cleanText(text.slice(0, ERROR_DETAIL_LENGTH_MAX))
}

/** Cuts a caller's value for use in an error text: it may be a whole body. */
export function echo(text: string): string {
  if (text.length <= ERROR_ECHO_LENGTH_MAX) return text
  // Cuts between code points: half of a surrogate pair is not valid text.
  const points = Array.from(text.slice(0, ERROR_ECHO_LENGTH_MAX))
  const last = points.at(-1)?.charCodeAt(0) ?? 0
  const halved = last >= 0xd800 && last <= 0xdbff && points.at(-1)?.length === 1
  return `${(halved ? points.slice(0, -1) : points).join('')}…`
}

function requestDetail(code: string, detail: string): ErrorDetail {
  return { type: 'invalid_request', code, detail, attr: null }
}
