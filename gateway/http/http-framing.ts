/**
 * Decides where a request's body ends. The rules are stricter than both parsers': a proxy in front
 * may read the same bytes differently, which allows request smuggling (RFC 9112, section 11.2).
 */
import { HTTP_HEADERS_MAX } from '../../src/core/limits/limits.ts'

export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'refused' }

const NONE: Framing = { kind: 'none' }
const CHUNKED: Framing = { kind: 'chunked' }
const REFUSED: Framing = { kind: 'refused' }

const METHOD = /^[A-Z]+$/
const PATH = /^\/[^\0-\x20\x7f]*$/
/** Fifteen digits stay below the largest safe integer. */
const LENGTH = /^[0-9]{1,15}$/

/** `headers`: flat list of lower-case names and values, in the order sent. */
export function readFraming(method: string, path: string, headers: readonly string[]): Framing {
  if (!isMethod(method) || !PATH.test(path)) return REFUSED
  if (headers.length > 2 * HTTP_HEADERS_MAX) return REFUSED
  let length: string | undefined
  let encoding: string | undefined
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]
    if (name === 'host') hosts++
    if (name === 'content-length') {
      if (length !== undefined) return REFUSED
      length = headers[at + 1] ?? ''
    }
    if (name === 'transfer-encoding') {
      if (encoding !== undefined) return REFUSED
      encoding = headers[at + 1] ?? ''
    }
  }
  if (hosts !== 1) return REFUSED
  return bodyFraming(method, length, encoding)
}

function bodyFraming(
  method: string,
  length: string | undefined,
  encoding: string | undefined,
): Framing {
  if (encoding !== undefined) {
    const exact = encoding === 'chunked' && length === undefined
    return exact && !BODYLESS.has(method) ? CHUNKED : REFUSED
  }
  if (length === undefined) return NONE
  if (!LENGTH.test(length)) return REFUSED
  const bytes = Number(length)
  if (bytes === 0) return NONE
  // Some client libraries send a GET with the body `{}`: an exact length is unambiguous.
  return method === 'HEAD' ? REFUSED : { kind: 'length', bytes }
}

function isMethod(method: string): boolean {
  return method === 'POST' || method === 'GET' || METHOD.test(method)
}

/** Methods whose chunked bodies are read differently by different parsers. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])
