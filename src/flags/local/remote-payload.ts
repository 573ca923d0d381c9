/** Remote config: flags that are read by name for their payload, the same for every subject. */

import { objectOf, own } from '../../core/json.ts'
import type { FlagDefinition } from '../definition.ts'

/**
 * The payload of the flag when it is on, as JSON text, encrypted ones too; undefined when there is
 * none or the flag is switched off. A payload that is not JSON is returned as a JSON string.
 * Payloads of variants are not returned here.
 */
export function remotePayload({
  active,
  filters,
}: Pick<FlagDefinition, 'active' | 'filters'>): string | undefined {
  if (!active) return undefined
  const payload = own(objectOf(own(objectOf(filters), 'payloads')), 'true') ?? ''
  if (typeof payload !== 'string') return JSON.stringify(payload)
  if (payload.trim() === '') return undefined
  return isJson(payload) ? payload : JSON.stringify(payload)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // A text typed in without quotes.
  }
}
