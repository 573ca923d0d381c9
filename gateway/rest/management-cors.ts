/**
 * CORS of the management interface: the other origins whose pages may call it from a browser. None
 * may unless the operator has named it. Keys travel in `Authorization` and no answer allows
 * credentials, so that an operator can safely name `*` (ADR 44). Calls about a session, or with its
 * cookie, are for pages of the own origin alone (ADR 63).
 */
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

/** Allows every origin. */
const ANY_ORIGIN = '*'

export type ManagementCors = {
  /** The answer to a preflight of an allowed origin, without a key; undefined for all else. */
  preflight(request: HttpRequest): HttpReply | undefined
  /** False for a request of a page whose origin may not call; programs name no origin. */
  admits(request: HttpRequest): boolean
  /** Adds the headers that let the asking page read the answer, errors too. */
  open(request: HttpRequest, reply: HttpReply): HttpReply
}

type Headers = NonNullable<HttpReply['headers']>

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Request headers that are read here, and that a page may not send without permission. */
const REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, MCP-Protocol-Version'
/** Response headers that a page may not read without permission. */
const ANSWER_HEADERS = 'Allow, ETag, Retry-After, WWW-Authenticate'
/** Seconds for which a browser remembers a preflight. */
const MAX_AGE_S = '600'

/** @param origins as browsers write them, or `*`; empty opens nothing. */
export function createManagementCors(origins: readonly string[]): ManagementCors {
  const isOfPage = (request: HttpRequest) => request.header('origin') !== undefined
  if (origins.length === 0) {
    return {
      preflight: () => undefined,
      admits: (request) => !isOfPage(request),
      open: (_request, reply) => ownOriginOnly(reply),
    }
  }
  const named = new Set(origins)
  const isForAll = named.has(ANY_ORIGIN)
  const allowed = (request: HttpRequest): string | undefined => {
    const origin = request.header('origin')
    if (origin === undefined) return undefined
    if (isForAll) return ANY_ORIGIN
    return named.has(origin) ? origin : undefined
  }
  // A cache must not give the answer for one origin to another; nor the one without an origin.
  const vary = (headers: Headers) => (isForAll ? headers : varyByOrigin(headers))
  return {
    admits: (request) => !isOfPage(request) || allowed(request) !== undefined,
    preflight(request) {
      const origin = allowed(request)
      const isPreflight =
        request.method === 'OPTIONS' &&
        request.header('access-control-request-method') !== undefined
      if (origin === undefined || !isPreflight) return undefined
      const headers: Headers = [
        ['access-control-allow-origin', origin],
        ['access-control-allow-methods', METHODS],
        ['access-control-allow-headers', REQUEST_HEADERS],
        ['access-control-max-age', MAX_AGE_S],
      ]
      return { status: 204, headers: vary(headers), body: '' }
    },
    open(request, reply) {
      const origin = allowed(request)
      const headers = vary(reply.headers ?? [])
      if (origin === undefined) return ownOriginOnly({ ...reply, headers })
      const opened: Headers = [
        ['access-control-allow-origin', origin],
        ['access-control-expose-headers', ANSWER_HEADERS],
      ]
      return { ...reply, headers: [...headers, ...opened] }
    },
  }
}

/** Adds headers with which pages of other origins cannot even embed the answer. */
export function ownOriginOnly({ headers = [], ...rest }: HttpReply): HttpReply {
  return { ...rest, headers: [...headers, ['cross-origin-resource-policy', 'same-origin']] }
}

function varyByOrigin(headers: Headers): Headers {
  const at = headers.findIndex(([name]) => name === 'vary')
  if (at < 0) return [...headers, ['vary', 'Origin']]
  return headers.map(([name, value], index) => [name, index === at ? `${value}, Origin` : value])
}
