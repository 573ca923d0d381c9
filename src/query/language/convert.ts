/** Converts values between the types of the language. */
import { isUuid } from '../../core/ids.ts'
import { parseIsoTime } from '../../events/time/iso-time.ts'
import type { Typed } from '../../events/trees/expression.ts'
import { isNumeric, type ValueType } from '../../events/trees/value-type.ts'
import { microsOf } from '../bounds.ts'
import { apply, isProperty } from './typed.ts'

/**
 * The same value as `type`, or undefined when it cannot have that type. A property is read as the
 * wanted type, and is null when it cannot be. A text literal may be a time. A UUID may be a text.
 */
export function convert(node: Typed, type: ValueType): Typed | undefined {
  if (node.kind === 'null') return { ...node, type }
  if (node.type === type) return node
  if (isNumeric(node.type) && isNumeric(type)) return apply(type, 'number', [node])
  if (isProperty(node)) return readProperty(node, type)
  if (type === 'String' && node.type === 'UUID') return apply(type, 'text', [node])
  if (type === 'DateTime' && node.kind === 'constant' && node.type === 'String') {
    const instant = parseIsoTime(node.value.trim())
    return instant === undefined ? instant : { ...node, type, value: microsOf(instant) }
  }
  return undefined
}

function readProperty(node: Typed, type: ValueType): Typed | undefined {
  switch (type) {
    case 'String':
      return node
    case 'Float64':
    case 'Int64':
    case 'UInt64':
      return apply('Float64', 'read_number', [node])
    case 'Bool':
      return apply(type, 'read_condition', [node])
    case 'DateTime':
      return apply(type, 'read_time', [node])
    case 'UUID':
      return undefined
    default:
      return type satisfies never
  }
}

export type Unified = { readonly type: ValueType; readonly nodes: readonly Typed[] }
/** `odd` is the index of the value whose type does not match the others. */
export type Mismatch = { readonly odd: number; readonly type: ValueType }

/** Gives values that are compared, or among which one is chosen, a common type. */
export function unify(nodes: readonly Typed[]): Unified | Mismatch {
  const type = commonType(nodes)
  const converted: Typed[] = []
  for (const [index, node] of nodes.entries()) {
    const one = convert(asUuidText(node, nodes), type)
    if (one === undefined) return { odd: index, type }
    converted.push(one)
  }
  return { type: converted.some(isFloat) && isNumeric(type) ? 'Float64' : type, nodes: converted }
}

/**
 * The type of the first value that has a settled one. Numbers widen, and a UUID becomes a text
 * beside texts.
 */
function commonType(nodes: readonly Typed[]): ValueType {
  const settled = nodes.filter((node) => node.kind !== 'null' && !isProperty(node))
  const [first] = settled.filter((node) => !isWritten(node)).concat(settled)
  if (first === undefined) return 'String'
  if (first.type === 'UUID') return nodes.every(isUuidOrNull) ? 'UUID' : 'String'
  if (!isNumeric(first.type)) return first.type
  if (settled.some(isFloat)) return 'Float64'
  return settled.every(({ type }) => type === 'UInt64') ? 'UInt64' : 'Int64'
}

/** True for a text literal, which may stand for a time or a UUID. */
function isWritten(node: Typed): boolean {
  return node.kind === 'constant' && node.type === 'String'
}

function isUuidOrNull(node: Typed): boolean {
  return node.type === 'UUID' || node.kind === 'null'
}

function isFloat(node: Typed): boolean {
  return node.type === 'Float64'
}

/** A text literal that is a UUID in lower case, as the UUID beside it is shown. */
function asUuidText(node: Typed, beside: readonly Typed[]): Typed {
  if (node.kind !== 'constant' || !isWritten(node) || !isUuid(node.value)) return node
  const isCompared = beside.some(({ type }) => type === 'UUID')
  return isCompared ? { ...node, value: node.value.toLowerCase() } : node
}
