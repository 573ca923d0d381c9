/** What replies are made of, and which of them may be sent. */

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
