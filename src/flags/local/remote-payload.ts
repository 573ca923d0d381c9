/** Flags that are asked for by name, for what they carry: everybody gets the same. */

import { objectOf, own } from '../../core/json.ts'
import type { FlagDefinition } from '../definition.ts'

/**
 * The payload of the flag when it is on, as JSON text, encrypted ones too; undefined when there is
 * none or the flag is switched off. A text that is no JSON, which a payload may be, stands for
 * itself. Variants have payloads of their own, which nobody gets here.
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
    return false // A text that somebody has typed in without quotes.
  }
}
