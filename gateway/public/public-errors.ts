import type { Code } from '../../src/core/code.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyError } from '../keys/find-project.ts'
import type { HeaderList } from './cors.ts'
import { corsHeaders } from './cors.ts'

/** Failures of the public routes: a body with type, code, detail and sometimes attr. */
export type PublicError =
  | KeyError
  | 'throttled'
  | 'recordings_not_supported'
  | 'invalid_payload'
  | 'malformed_data'
  | 'no_data'
  | 'missing_distinct_id'
  | 'request_too_large'
  | 'server_error'
  | 'method_not_allowed'
  | 'not_found'
  | 'internal'

type ErrorForm = {
  readonly status: number
  readonly type: string
  readonly detail: string
  /** The specification has it as a text: a body that names no field has no `attr`. */
  readonly attr?: string
  /** Code of the body where it differs from the name. */
  readonly code?: string
}

const FORMS: Readonly<Record<PublicError, ErrorForm>> = {
  invalid_project: {
    status: 400,
    type: 'validation_error',
    detail: 'Invalid Project ID.',
    attr: 'project_id',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    detail: 'Project API key invalid. You can find your project API key in the project settings.',
  },
  invalid_personal_api_key: {
    status: 401,
    type: 'authentication_error',
    detail: 'Invalid Personal API key.',
  },
  no_scope_event_write: missingScope('event:write'),
  no_scope_feature_flag_read: missingScope('feature_flag:read'),
  throttled: {
    status: 429,
    type: 'throttled_error',
    detail: 'Request was throttled.',
  },
  fetch_team_fail: {
    status: 503,
    type: 'server_error',
    detail: 'Unable to fetch team from database.',
  },
  recordings_not_supported: {
    status: 400,
    type: 'validation_error',
    detail: 'Session recordings are not supported. Nothing of this request is stored.',
  },
  invalid_payload: {
    status: 400,
    type: 'validation_error',
    detail: 'Malformed request data.',
  },
  malformed_data: {
    status: 400,
    type: 'validation_error',
    detail: 'Malformed request data.',
  },
  no_data: {
    status: 400,
    type: 'validation_error',
    detail: 'No data found. Send the payload in the body.',
  },
  missing_distinct_id: {
    status: 400,
    type: 'validation_error',
    detail: 'Decide requires a distinct_id.',
    attr: 'distinct_id',
  },
  request_too_large: {
    status: 413,
    type: 'client_error',
    detail:
      'Request body is too large: it must have fewer than 20971520 bytes, or what BODY_BYTES_MAX ' +
      'of this instance says, before and after decompression, and an event at most 1048576.',
  },
  server_error: {
    status: 503,
    type: 'server_error',
    detail: 'The request could not be stored. Try again.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request',
    detail: 'Method not allowed.',
  },
  not_found: { status: 404, type: 'invalid_request', detail: 'Endpoint not found.' },
  internal: {
    status: 500,
    type: 'server_error',
    detail: 'A server error occurred.',
    code: 'error',
  },
}

/** In the words of the management interface. */
function missingScope(scope: string): ErrorForm {
  return {
    status: 403,
    type: 'authentication_error',
    detail: `API key missing required scope '${scope}'.`,
    code: 'permission_denied',
  }
}

const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json']

/** CORS headers and content type. Requests without an `Origin` share one list. */
export function publicHeaders(request: HttpRequest): HeaderList {
  const origin = request.header('origin')
  if (origin === undefined) return JSON_ONLY
  const requested = request.header('access-control-request-headers') ?? ''
  return [JSON_TYPE, ...corsHeaders(origin, requested)]
}
const JSON_ONLY: HeaderList = [JSON_TYPE]

/** Renders a failure with CORS headers: without them a browser hides the status. */
export function publicError(
  request: HttpRequest,
  error: PublicError,
  extra: { retryAfterS?: number | undefined; allow?: string } = {},
): HttpReply {
  const { status, type, detail: fixed, attr, code } = FORMS[error]
  const retryAfterS = extra.retryAfterS ?? 2
  const detail = status === 429 ? throttledText(retryAfterS) : fixed
  const body = { type, code: code ?? error, detail, ...(attr === undefined ? {} : { attr }) }
  const headers = [...publicHeaders(request)]
  if (status === 503 || status === 429) headers.push(['Retry-After', String(retryAfterS)])
  if (extra.allow !== undefined) headers.push(['Allow', extra.allow])
  return { status, headers, body: JSON.stringify(body) }
}

/**
 * The error for a worker that answers with a failure. It is `unavailable` when its database is away
 * and nothing else takes what was sent, and has another code when it is only busy.
 * @param code of src/core/code.ts.
 */
export function workerFailure(code: string): 'fetch_team_fail' | 'server_error' {
  return code === ('unavailable' satisfies Code) ? 'fetch_team_fail' : 'server_error'
}

/** In the words of the management interface. */
function throttledText(retryAfterS: number): string {
  return `Request was throttled. Expected available in ${retryAfterS} seconds.`
}

/** Time for which a browser remembers a preflight, instead of asking before every event. */
const PREFLIGHT_MAX_AGE = ['Access-Control-Max-Age', '600'] as const

/** Answers OPTIONS without reading body or key. */
export function preflight(request: HttpRequest): HttpReply {
  const headers = publicHeaders(request)
  const isCors = headers !== JSON_ONLY
  return {
    status: 200,
    headers: isCors ? [...headers, PREFLIGHT_MAX_AGE] : headers,
    body: STATUS_ONE,
  }
}

/** Success of every capture route. */
export const STATUS_ONE = '{"status":1}'
