/** Tree of a stored cohort definition, whichever of its forms it was saved in. */

import { isObject, type JsonObject, listOf, own } from '../core/json.ts'
import { COHORT_DEPTH_MAX } from '../core/limits/limits.ts'

export type Shape =
  | { readonly kind: 'every' | 'some'; readonly parts: readonly Shape[] }
  | { readonly kind: 'leaf'; readonly leaf: JsonObject }
  /** Neither, or too deep: matches nobody. */
  | { readonly kind: 'unreadable' }

const EVERYONE: Shape = { kind: 'every', parts: [] }
const UNREADABLE: Shape = { kind: 'unreadable' }

/** Reads `{properties: <definition>}`, or the definition itself. Never throws. */
export function readShape(filters: unknown): Shape {
  const wrapped = isObject(filters) && Object.hasOwn(filters, 'properties')
  return readPart(wrapped ? own(filters, 'properties') : filters, 0)
}

/** A group, a leaf, or a bare list of leaves; an empty one holds everyone. */
function readPart(value: unknown, depth: number): Shape {
  if (depth > COHORT_DEPTH_MAX) return UNREADABLE
  if (value === null || value === undefined) return EVERYONE
  if (Array.isArray(value)) {
    return { kind: 'every', parts: value.map((item: unknown) => readPart(item, depth + 1)) }
  }
  if (!isObject(value)) return UNREADABLE
  if (Object.hasOwn(value, 'key') || typeof own(value, 'type') === 'string') {
    if (!Object.hasOwn(value, 'values')) return { kind: 'leaf', leaf: value }
  }
  const parts = listOf(own(value, 'values')).map((item) => readPart(item, depth + 1))
  const type = own(value, 'type')
  const some = typeof type === 'string' && type.toUpperCase() === 'OR' && parts.length > 0
  return { kind: some ? 'some' : 'every', parts }
}
