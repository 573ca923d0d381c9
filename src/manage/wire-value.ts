/** JSON in the fields of messages: as a handler reads it and as an answer holds it. */
import type { ListValue } from '../../proto/gen/google/protobuf/ListValue.ts'
import type { Struct } from '../../proto/gen/google/protobuf/Struct.ts'
import type { Value, Value__Output } from '../../proto/gen/google/protobuf/Value.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { fromValue, toListValue, toStruct, toValue } from '../wire/proto/value.ts'

/** Name under which the body of a request may hold a personal key. */
const KEY_MEMBER = 'personal_api_key'

/** JSON as a generated message type holds it; the generated one lacks `readonly`, nothing else. */
export function toWireValue(json: Json): Value {
  return toValue(json) as Value
}

/** `toWireValue` for an object. */
export function toWireStruct(json: JsonObject): Struct {
  return toStruct(json) as Struct
}

/** `toWireValue` for a list. */
export function toWireList(json: readonly Json[]): ListValue {
  return toListValue(json) as ListValue
}

/** An object in a field whose rules have refused everything else; an unset field is empty. */
export function objectOf(value: Value__Output | null): JsonObject {
  const json = fromValue(value)
  return isObject(json) ? json : {}
}

/**
 * A map of names from a body, without the personal key that the body may hold beside the names.
 * @param isName true when the map may have a member of this name after all.
 */
export function withoutKey(map: JsonObject, isName: (name: string) => boolean): JsonObject {
  if (!Object.hasOwn(map, KEY_MEMBER) || isName(KEY_MEMBER)) return map
  const { [KEY_MEMBER]: _key, ...others } = map
  return others
}

/** Messages have no other form of null than an absent field. */
export function given<Name extends string, T>(name: Name, value: T | null): { [N in Name]?: T } {
  // One member of the name, or none.
  return (value === null ? {} : { [name]: value }) as { [N in Name]?: T }
}
