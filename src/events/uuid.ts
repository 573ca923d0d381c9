/**
 * UUIDs of events: reading them, deriving them from message ids, and making new ones. Rows that
 * are listed in the order of their ids take `v7` of the package `uuid` instead, which keeps the
 * order within a millisecond.
 */

import { randomUUID } from 'node:crypto'
import { v5 } from 'uuid'
import { isUuid } from '../core/ids.ts'

/** Uuid without hyphens, in braces, or as a URN: Python writes `uuid4().hex` and `.urn`. */
const OTHER_FORM = /^(?:([0-9a-f]{32})|\{([0-9a-f-]{36})\}|urn:uuid:([0-9a-f-]{36}))$/i
/** Length of the longest form, the URN. */
const LENGTH_MAX = 45
const HYPHENS = /^(.{8})(.{4})(.{4})(.{4})/
const NIL = '00000000-0000-0000-0000-000000000000'
/** Names of third-party message ids. A stored format: changing it stores retries twice. */
const MESSAGE_NAMESPACE = '8a6f1d0e-3b52-5c47-9e0b-6d2f4c1a7e93'

/**
 * Lower-case UUID with hyphens, or undefined when `value` is none. The nil UUID means "no value" and
 * would make every event that carries it a duplicate of the first.
 */
export function parseUuid(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return undefined
  if (value.length === 36) return usualForm(value)
  const [, hex, braced, urn] = OTHER_FORM.exec(value) ?? []
  return usualForm(hex === undefined ? (braced ?? urn ?? '') : hex.replace(HYPHENS, '$1-$2-$3-$4-'))
}

function usualForm(text: string): string | undefined {
  return isUuid(text) && text !== NIL ? text.toLowerCase() : undefined
}

/**
 * Event uuid of a third-party message id: itself when it is a UUID with hyphens, else derived from
 * it. Never throws: of half a surrogate pair, which a client may cut a text to, U+FFFD is taken.
 */
export function messageUuid(projectId: number, messageId: string): string {
  const known = usualForm(messageId)
  // Bytes, because `v5` throws for a text with a lone surrogate.
  return known ?? v5(Buffer.from(`${projectId}:${messageId}`), MESSAGE_NAMESPACE)
}

/**
 * Makes version 7 UUIDs: 48 bits of milliseconds, then 74 random bits, which `randomUUID` takes
 * from a batch of entropy it keeps. Sorted by millisecond, in no order within one.
 */
export function createUuidV7(now: () => number): () => string {
  let prefixMs = -1
  let prefix = ''
  return () => {
    const ms = now()
    if (ms !== prefixMs) {
      const hex = ms.toString(16).padStart(12, '0')
      prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
      prefixMs = ms
    }
    return prefix + randomUUID().slice(15)
  }
}
