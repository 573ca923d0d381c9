/**
 * Shape between dialects and the parser: every dialect is read into it, and none of its values is
 * trusted.
 */

import { isObject, type JsonDraft } from '../core/json.ts'
import type { WarningReason } from './warnings/warning-reasons.ts'

/**
 * One event as its client spells it, brought into one shape whatever the dialect. Values are as
 * untrusted as before; `properties` belongs to the parser, which changes it in place.
 */
export type RawEvent = {
  readonly name: unknown
  readonly distinctId: unknown
  readonly properties: JsonDraft
  readonly timestamp: unknown
  readonly offset: unknown
  readonly sentAt: unknown
  /** A valid UUID, or undefined to make a new one. */
  readonly uuid: string | undefined
  readonly set: unknown
  readonly setOnce: unknown
  readonly unset: unknown
}

/**
 * Reason why an event is accepted and not stored. The last one applies to the protocol that answers
 * for each event; others refuse the request.
 */
export type DropReason = Extract<
  WarningReason,
  | 'not_an_object'
  | 'no_name'
  | 'no_distinct_id'
  | 'not_analytics'
  | 'unknown_type'
  | 'bad_properties'
  | 'too_large'
>

/** Outcome of reading one item. */
export type RawResult =
  | { readonly kind: 'raw'; readonly raw: RawEvent }
  | { readonly kind: 'dropped'; readonly reason: DropReason }

export const BAD_PROPERTIES = { kind: 'dropped', reason: 'bad_properties' } as const

/**
 * Reads `properties`: missing, null and empty are an empty object. PHP clients send `[]` for an
 * empty object. Undefined when it is something else.
 */
export function readProperties(value: unknown): JsonDraft | undefined {
  if (isObject(value)) return value
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  return isEmpty ? {} : undefined
}
