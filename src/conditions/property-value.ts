/** Values of properties as texts and numbers, which is how filters compare them. */
import { objectOf, own } from '../core/json.ts'
import { FLAG_SUBJECT_LENGTH_MAX } from '../core/limits/limits.ts'

/**
 * Text of a JSON value: strings as they are, others as compact JSON. `undefined` for a list or
 * object whose text would exceed `FLAG_SUBJECT_LENGTH_MAX`: writing it out would hold the loop.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  if (value === null) return 'null'
  if (remainder(value, FLAG_SUBJECT_LENGTH_MAX) < 0) return undefined
  return JSON.stringify(value)
}

/** The rest of `budget` characters after writing `value`; negative as soon as it is spent. */
function remainder(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length
  if (typeof value !== 'object' || value === null) return budget - 1
  let left = budget - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      left = remainder(item, left - 1)
      if (left < 0) break
    }
    return left
  }
  const object = objectOf(value)
  for (const key in object) {
    left = remainder(own(object, key), left - key.length - 4)
    if (left < 0) break
  }
  return left
}

const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const NUMERIC_LENGTH_MAX = 400

/** A number, or a text that is wholly one; else `undefined`. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > NUMERIC_LENGTH_MAX) return undefined
  if (!NUMERIC.test(value)) return undefined
  return Number(value)
}
