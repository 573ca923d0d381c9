/** Makes the typed node of a call. */
import type { PlainOperation, Typed } from '../../events/trees/expression.ts'
import type { ValueType } from '../../events/trees/value-type.ts'

export function apply(type: ValueType, operation: PlainOperation, args: readonly Typed[]): Typed {
  return { kind: 'apply', type, operation, args }
}
