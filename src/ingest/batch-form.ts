import { err, ok, type Result } from '../core/result.ts'
import { isObject } from './json.ts'

/** Refuses the whole request: nothing of it is stored. */
export type PayloadError = { readonly code: 'no_data' | 'invalid_payload' }

const INVALID = err({ code: 'invalid_payload' } as const)

/**
 * The items of a payload: of an array, of the `batch` of an envelope, or the one event that an
 * object is. An empty `batch` holds nothing, whatever is beside it. Items are not checked.
 */
export function batchItems(payload: unknown): Result<readonly unknown[], PayloadError> {
  if (Array.isArray(payload)) return payload.length === 0 ? err({ code: 'no_data' }) : ok(payload)
  if (!isObject(payload)) return err({ code: 'no_data' })
  const batch = payload['batch']
  if (batch === undefined || batch === null) return ok([payload])
  return Array.isArray(batch) ? ok(batch) : INVALID
}
