/** Equal questions have one hash. */
import { createHash } from 'node:crypto'
import { InvariantError } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'

/** Raised when questions are to be answered differently: cached answers become void. */
const FORMAT = 5

/**
 * A hash of values, hexadecimal.
 * @throws {InvariantError} when a value holds a function: two that differ would have one hash.
 */
export function hashOf(...values: readonly unknown[]): string {
  const text = JSON.stringify([FORMAT, ...values], plain)
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Replaces values that JSON would change or leave out. */
function plain(key: string, value: unknown): unknown {
  if (key === 'zone' && isObject(value)) return [value['name'], value['weekStartDay']]
  if (typeof value === 'function') throw new InvariantError('a function has no hash')
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  if (key === 'members' && isObject(value)) return membersHash(value)
  if (value instanceof RegExp) return { pattern: String(value) }
  if (value instanceof Map) return { map: [...value] }
  if (value instanceof Set) return { set: [...value] }
  return value
}

/** Members of a cohort are hashed once, however often a question names it. */
function membersHash(members: object): unknown {
  const known = hashes.get(members)
  if (known !== undefined) return known
  const hash = { members: hashOf({ cohort: members }) }
  hashes.set(members, hash)
  return hash
}

const hashes = new WeakMap<object, unknown>()
