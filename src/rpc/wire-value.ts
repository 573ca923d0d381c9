import type { Struct } from '../../proto/gen/google/protobuf/Struct.ts'
import type { Value } from '../../proto/gen/google/protobuf/Value.ts'
import { type Json, type JsonObject, toStruct, toValue } from '../wire/proto/value.ts'

/** JSON as a generated message type holds it; the generated one lacks `readonly`, nothing else. */
export function toWireValue(json: Json): Value {
  return toValue(json) as Value
}

/** As `toWireValue`, of an object. */
export function toWireStruct(json: JsonObject): Struct {
  return toStruct(json) as Struct
}
