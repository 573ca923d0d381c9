/** Answers and errors of OpenFeature's remote evaluation protocol. */

import { namesTag } from '../http/entity-tag.ts'
import type { HttpReply, HttpRequest, Refusal } from '../http/http-server.ts'
import { digestOf } from './cached-reply.ts'
import type { HeaderList } from './cors.ts'
import { publicHeaders } from './public-errors.ts'

/** Error codes of the protocol for one flag or for a whole question. */
export type OfrepErrorCode =
  | 'PARSE_ERROR'
  | 'INVALID_CONTEXT'
  | 'TARGETING_KEY_MISSING'
  | 'FLAG_NOT_FOUND'

/** Failures without a code in the protocol: a status and a text for people. */
export type OfrepFault =
  | 'unauthorized'
  | 'unavailable'
  | 'throttled'
  | 'too_large'
  | 'not_allowed'
  | 'internal'

type Fault = { readonly status: number; readonly errorDetails: string }

const FAULTS: Readonly<Record<OfrepFault, Fault>> = {
  unauthorized: {
    status: 401,
    errorDetails: 'Send a project API key, as Authorization: Bearer or X-API-Key.',
  },
  unavailable: { status: 503, errorDetails: 'Flags cannot be evaluated now. Try again.' },
  throttled: { status: 429, errorDetails: 'Too many requests of this project. Wait, then go on.' },
  too_large: { status: 413, errorDetails: 'The request body is too large.' },
  not_allowed: { status: 405, errorDetails: 'Method not allowed.' },
  internal: { status: 500, errorDetails: 'A server error occurred.' },
}

/** Lets a page's script read the entity tag: without it no provider sends `If-None-Match`. */
const EXPOSED = ['Access-Control-Expose-Headers', 'ETag, Retry-After'] as const

/** @param body JSON text. */
export function ofrepReply(
  request: HttpRequest,
  status: number,
  body: string,
  more: HeaderList = [],
): HttpReply {
  const headers = publicHeaders(request)
  const exposed: HeaderList = request.header('origin') === undefined ? [] : [EXPOSED]
  return { status, headers: [...headers, ...exposed, ...more], body }
}

/** Answers 200 with an entity tag, or 304 when `If-None-Match` matches. */
export function taggedReply(request: HttpRequest, body: string): HttpReply {
  const tag = `"${digestOf(body)}"`
  const tagged: HeaderList = [['ETag', tag]]
  const isKnown = namesTag(request.header('if-none-match'), tag)
  return isKnown ? ofrepReply(request, 304, '', tagged) : ofrepReply(request, 200, body, tagged)
}

/** An error with a code. @param flagKey the key of the route for a single flag. */
export function ofrepError(
  request: HttpRequest,
  flagKey: string | undefined,
  errorCode: OfrepErrorCode,
  errorDetails: string,
): HttpReply {
  const status = errorCode === 'FLAG_NOT_FOUND' ? 404 : 400
  return ofrepReply(request, status, JSON.stringify({ key: flagKey, errorCode, errorDetails }))
}

export function ofrepFault(
  request: HttpRequest,
  fault: OfrepFault,
  extra: { retryAfterS?: number | undefined; allow?: string } = {},
): HttpReply {
  const { status, errorDetails } = FAULTS[fault]
  const headers: [string, string][] = []
  if (status === 401) headers.push(['WWW-Authenticate', 'Bearer'])
  if (status === 503 || status === 429)
    headers.push(['Retry-After', String(Math.ceil(extra.retryAfterS ?? 2))])
  if (extra.allow !== undefined) headers.push(['Allow', extra.allow])
  return ofrepReply(request, status, JSON.stringify({ errorDetails }), headers)
}

export function isOfrepPath(path: string): boolean {
  return path.startsWith('/ofrep/')
}

/** Answers a request that was refused before its handler. */
export function refuseOfrep(refusal: Refusal, request: HttpRequest): HttpReply {
  switch (refusal) {
    case 'bad_request':
      return ofrepError(request, undefined, 'PARSE_ERROR', 'Malformed request.')
    case 'body_too_large':
      return ofrepFault(request, 'too_large')
    case 'overloaded':
      return ofrepFault(request, 'unavailable')
    case 'internal':
      return ofrepFault(request, 'internal')
    default:
      return refusal satisfies never
  }
}
