/** Checks the requests of `fetch`, and changes them at redirects as browsers do. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import {
  PLUGIN_FETCH_BYTES_MAX,
  PLUGIN_FETCH_HEADER_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'
import type { HostRequest } from '../ports.ts'

/** Characters of the URL of a `fetch`. */
const PLUGIN_FETCH_URL_CHARS_MAX = 8_192
/** Headers of a `fetch`. */
const PLUGIN_FETCH_HEADERS_MAX = 64

/** A failure whose message the plugin may see. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
}

type Header = readonly [name: string, value: string]

export type CheckedRequest = {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: readonly Header[]
  readonly body: Buffer | undefined
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
/** Headers of the connection or the transfer, which the server sets itself. */
const IGNORED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Headers that another origin must not get. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** @throws {FetchFailed} when a part of the request is not allowed. */
export function checkRequest(request: HostRequest): CheckedRequest {
  const url = checkUrl(request.url)
  const method = request.method.toUpperCase()
  if (!METHODS.has(method)) throw new FetchFailed('fetch: the method is not supported')
  const headers = checkHeaders(request.headers)
  const body = request.body === undefined ? undefined : Buffer.from(request.body)
  if (body === undefined) return { url, method, headers, body }
  if (method === 'GET' || method === 'HEAD') {
    throw new FetchFailed(`fetch: a ${method} request has no body`)
  }
  if (body.length > PLUGIN_FETCH_BYTES_MAX) {
    throw new FetchFailed(`fetch: the body is larger than ${PLUGIN_FETCH_BYTES_MAX} bytes`)
  }
  const isTyped = headers.some(([name]) => name === 'content-type')
  if (isTyped || typeof request.body !== 'string') return { url, method, headers, body }
  const typed: Header = ['content-type', 'text/plain;charset=UTF-8']
  return { url, method, headers: [...headers, typed], body }
}

/**
 * The request after a redirect: `POST` becomes `GET` after 301 and 302, every method but `HEAD`
 * after 303. Another origin gets no credentials.
 * @throws {FetchFailed} when it leads to a URL that is not allowed.
 */
export function redirected(
  request: CheckedRequest,
  status: number,
  location: string,
): CheckedRequest {
  if (!URL.canParse(location, request.url.href)) {
    throw new FetchFailed('fetch failed: a redirect leads to no URL')
  }
  const url = checkUrl(new URL(location, request.url).href)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isPost = request.method === 'POST' && (status === 301 || status === 302)
  const becomesGet = isPost || (status === 303 && !isRead)
  const isSameOrigin = url.origin === request.url.origin
  const headers = request.headers.filter(
    ([name]) =>
      (isSameOrigin || !CREDENTIALS.has(name)) && !(becomesGet && name.startsWith('content-')),
  )
  return becomesGet
    ? { url, method: 'GET', headers, body: undefined }
    : { ...request, url, headers }
}

function checkUrl(text: string): URL {
  if (text.length > PLUGIN_FETCH_URL_CHARS_MAX) {
    throw new FetchFailed(`fetch: the URL is longer than ${PLUGIN_FETCH_URL_CHARS_MAX} characters`)
  }
  if (!URL.canParse(text)) throw new FetchFailed('fetch: this is no URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFailed('fetch: only http and https are supported')
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailed('fetch: a URL with credentials is not allowed')
  }
  url.hash = ''
  return url
}

function checkHeaders(given: HostRequest['headers']): Header[] {
  if (given.length > PLUGIN_FETCH_HEADERS_MAX) {
    throw new FetchFailed(`fetch: more than ${PLUGIN_FETCH_HEADERS_MAX} headers`)
  }
  let bytes = 0
  const headers: Header[] = []
  for (const [name, value] of given) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
    if (bytes > PLUGIN_FETCH_HEADER_BYTES_MAX) {
      throw new FetchFailed(`fetch: more than ${PLUGIN_FETCH_HEADER_BYTES_MAX} bytes of headers`)
    }
    checkHeader(name, value)
    const lower = name.toLowerCase()
    if (!IGNORED.has(lower)) headers.push([lower, value])
  }
  return headers
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    // Node's message may quote the value, so it is left out.
    throw new FetchFailed('fetch: a header cannot be sent')
  }
}
