import type { Value } from '../../proto/gen/google/protobuf/Value.ts'
import { type Json, toValue } from '../core/proto/value.ts'

/** JSON as a generated message type holds it; the generated one lacks `readonly`, nothing else. */
export function toWireValue(json: Json): Value {
  return toValue(json) as Value
}
