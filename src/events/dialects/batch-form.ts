/** The forms in which a request holds several events, and why a payload is refused. */

import { isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** Refuses the whole request: nothing of it is stored. The status is that of the code. */
export type PayloadError =
  | { readonly status: 400; readonly code: 'no_data' | 'invalid_payload' }
  | { readonly status: 413; readonly code: 'request_too_large' }

export const INVALID_PAYLOAD = err({ status: 400, code: 'invalid_payload' } as const)
export const NO_DATA = err({ status: 400, code: 'no_data' } as const)
export const TOO_LARGE = err({ status: 413, code: 'request_too_large' } as const)

/**
 * The items of a payload: of an array, of the `batch` of an envelope, or the one event that an
 * object is. An empty `batch` holds nothing, whatever is beside it. Items are not checked.
 */
export function batchItems(payload: unknown): Result<readonly unknown[], PayloadError> {
  if (Array.isArray(payload)) return payload.length === 0 ? NO_DATA : ok(payload)
  if (!isObject(payload)) return NO_DATA
  const batch = payload['batch']
  if (batch === undefined || batch === null) return ok([payload])
  return Array.isArray(batch) ? ok(batch) : INVALID_PAYLOAD
}
