/**
 * Ids that clients send as numbers, with all their digits. `JSON.parse` reads an integer beyond 2^53
 * as the nearest double: two users whose ids differ in the last digits would be one.
 */
import { isObject } from '../../src/core/json.ts'

/** Members of an event, of its properties or of a question about flags that name a person. */
const ID_NAMES = [
  'distinct_id',
  '$distinct_id',
  '$anon_distinct_id',
  'alias',
  'userId',
  'anonymousId',
  'previousId',
] as const
/** Such a member with an integer of 16 digits or more. In a string its quotes are escaped. */
const LONG_ID =
  /(?<!\\)("(?:\$?distinct_id|\$anon_distinct_id|alias|userId|anonymousId|previousId)"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g

/** True when an id of a payload, as it was parsed, is an integer that is not the one sent. */
export function losesDigits(payload: unknown): boolean {
  if (!isObject(payload)) return Array.isArray(payload) && payload.some(itemLosesDigits)
  const { batch } = payload
  return Array.isArray(batch) ? batch.some(itemLosesDigits) : itemLosesDigits(payload)
}

/** The same JSON text, where long ids are texts. */
export function withIdsAsTexts(text: string): string {
  return text.replace(LONG_ID, '$1"$2"')
}

function itemLosesDigits(item: unknown): boolean {
  if (!isObject(item)) return false
  if (hasLongId(item)) return true
  const { properties } = item
  return isObject(properties) && hasLongId(properties)
}

function hasLongId(members: Readonly<Record<string, unknown>>): boolean {
  for (const name of ID_NAMES) {
    const id = members[name]
    if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)) return true
  }
  return false
}
