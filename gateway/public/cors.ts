/**
 * CORS headers that let pages of any origin call the public routes. The origin is echoed, never
 * `*`: browsers refuse `*` for requests with credentials, which the SDKs send. A header repeats
 * client input only when the input has the exact expected shape.
 */
const ORIGIN_LENGTH_MAX = 300
const ORIGIN = /^[a-z][a-z0-9+.-]{0,31}:\/\/[a-z0-9._~[\]:-]*(?=\/|$)/i
const HEADERS_LENGTH_MAX = 4_096
const HEADERS_MAX = 64
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/i
const HEADERS_DEFAULT = 'X-Requested-With,Content-Type'
const METHODS = 'GET, POST, OPTIONS'

export type HeaderList = readonly (readonly [name: string, value: string])[]

const NO_HEADERS: HeaderList = []

/**
 * CORS headers of an answer. Errors have them too: without them a browser hides the status and the
 * SDK retries for ever. Empty without a well-formed `Origin`.
 * @param requestedHeaders `Access-Control-Request-Headers` of a preflight; empty when missing.
 */
export function corsHeaders(origin: string, requestedHeaders: string): HeaderList {
  const allowed = allowedOrigin(origin)
  if (allowed === undefined) return NO_HEADERS
  return [
    ['Access-Control-Allow-Origin', allowed],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', METHODS],
    ['Access-Control-Allow-Headers', allowedHeaders(requestedHeaders)],
    ['Vary', 'Origin'],
  ]
}

/** `scheme://host[:port]` of an origin, `null` for an opaque one, undefined for anything else. */
function allowedOrigin(origin: string): string | undefined {
  if (origin === '' || origin.length > ORIGIN_LENGTH_MAX) return undefined
  return origin === 'null' ? 'null' : ORIGIN.exec(origin)?.[0]
}

function allowedHeaders(requested: string): string {
  if (requested === '' || requested.length > HEADERS_LENGTH_MAX) return HEADERS_DEFAULT
  const names = requested
    .split(',', HEADERS_MAX)
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name))
  return names.length === 0 ? HEADERS_DEFAULT : names.join(',')
}
