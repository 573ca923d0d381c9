import type { Value__Output } from '../../proto/gen/google/protobuf/Value.ts'
import { isRecord } from '../wire/proto/rules.ts'
import { fromValue, type Json, type JsonObject } from '../wire/proto/value.ts'

/**
 * Where a personal key may be in a body; one that is a map of names must not take it for a name.
 */
const KEY_MEMBER = 'personal_api_key'

/** An object in a field whose rules have refused everything else; an unset field is empty. */
export function objectOf(value: Value__Output | null): JsonObject {
  const json = fromValue(value)
  return isObject(json) ? json : {}
}

/** @param isName true when the map may have a member of this name after all. */
export function withoutKey(map: JsonObject, isName: (name: string) => boolean): JsonObject {
  if (!Object.hasOwn(map, KEY_MEMBER) || isName(KEY_MEMBER)) return map
  const { [KEY_MEMBER]: _key, ...others } = map
  return others
}

function isObject(json: Json): json is JsonObject {
  return isRecord(json)
}
