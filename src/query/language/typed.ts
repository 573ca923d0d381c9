/** Helpers of the checker for types and typed values. */
import type { PlainOperation, Typed } from '../../events/trees/expression.ts'
import type { ValueType } from '../../events/trees/value-type.ts'

/** True for a plain property, which can be read as any type. */
export function isProperty(node: Typed): boolean {
  return node.kind === 'property' || (node.kind === 'column' && node.isProperty)
}

const NAMES: Readonly<Record<ValueType, string>> = {
  String: 'a text',
  UInt64: 'a number',
  Int64: 'a number',
  Float64: 'a number',
  Bool: 'a condition',
  UUID: 'a UUID',
  DateTime: 'a time',
}

/** The name of a type in an error. */
export function nameOf(type: ValueType): string {
  return NAMES[type]
}

/** Makes the typed node of a call. */
export function apply(type: ValueType, operation: PlainOperation, args: readonly Typed[]): Typed {
  return { kind: 'apply', type, operation, args }
}
