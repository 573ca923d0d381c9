/** Rules for replies: their bodies, and the statuses and headers that may be sent. */

import type { HttpReply } from './http-server.ts'

const HEADER_NAME = /^[A-Za-z0-9-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

export function isStream(body: HttpReply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/**
 * Refuses line ends in headers: both servers write headers unchanged, so one could begin another.
 */
export function isLegal({ status, headers }: HttpReply): boolean {
  if (!Number.isInteger(status) || status < 200 || status > 599) return false
  if (headers === undefined) return true
  for (const [name, value] of headers) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return false
  }
  return true
}

type Headers = NonNullable<HttpReply['headers']>

const NO_SNIFF_NAME = 'x-content-type-options'
const NO_SNIFF = [NO_SNIFF_NAME, 'nosniff'] as const
const NO_SNIFF_ONLY: Headers = [NO_SNIFF]

/** Headers of every answer: no browser takes one for another type than it has. */
export function safeHeaders(headers: HttpReply['headers']): Headers {
  if (headers === undefined || headers.length === 0) return NO_SNIFF_ONLY
  for (const [name] of headers) {
    if (name.length === NO_SNIFF_NAME.length && name.toLowerCase() === NO_SNIFF_NAME) return headers
  }
  return [...headers, NO_SNIFF]
}
