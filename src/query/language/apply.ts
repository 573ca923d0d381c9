/** Makes the typed node of a call. */
import type { Build, Typed, ValueType } from './typed.ts'

export function apply(type: ValueType, args: readonly Typed[], build: Build): Typed {
  return { kind: 'apply', type, args, build }
}
