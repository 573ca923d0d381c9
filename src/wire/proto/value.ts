/**
 * Plain JSON to google.protobuf.Value, Struct and ListValue and back. Keys keep their order, and a
 * key `__proto__` is data like any other.
 */

/** What `JSON.parse` gives. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export type ValueMessage =
  | { readonly nullValue: 'NULL_VALUE' }
  | { readonly boolValue: boolean }
  | { readonly numberValue: number }
  | { readonly stringValue: string }
  | { readonly structValue: StructMessage }
  | { readonly listValue: ListValueMessage }
export type StructMessage = { readonly fields: Readonly<Record<string, ValueMessage>> }
export type ListValueMessage = { readonly values: readonly ValueMessage[] }

const NULL: ValueMessage = { nullValue: 'NULL_VALUE' }

/** Bound the depth first: this recurses. Numbers that JSON cannot hold become null. */
export function toValue(json: Json): ValueMessage {
  if (json === null) return NULL
  if (typeof json === 'string') return { stringValue: json }
  if (typeof json === 'number') return Number.isFinite(json) ? { numberValue: json } : NULL
  if (typeof json === 'boolean') return { boolValue: json }
  if (isList(json)) return { listValue: toListValue(json) }
  return { structValue: toStruct(json) }
}

export function toStruct(json: JsonObject): StructMessage {
  const fields: Record<string, ValueMessage> = {}
  for (const key of Object.keys(json)) put(fields, key, toValue(json[key] ?? null))
  return { fields }
}

export function toListValue(json: readonly Json[]): ListValueMessage {
  return { values: json.map(toValue) }
}

/** Anything that is not a Value of one kind is null: an unset Value is how nothing travels. */
export function fromValue(value: unknown): Json {
  if (typeof value !== 'object' || value === null) return null
  if ('stringValue' in value)
    return typeof value.stringValue === 'string' ? value.stringValue : null
  if ('numberValue' in value) return finite(value.numberValue)
  if ('boolValue' in value) return value.boolValue === true
  if ('structValue' in value) return fromStruct(value.structValue)
  if ('listValue' in value) return fromListValue(value.listValue)
  return null
}

export function fromStruct(struct: unknown): JsonObject {
  const json: Record<string, Json> = {}
  if (typeof struct !== 'object' || struct === null || !('fields' in struct)) return json
  const { fields } = struct
  if (typeof fields !== 'object' || fields === null) return json
  for (const [key, value] of Object.entries(fields)) put(json, key, fromValue(value))
  return json
}

export function fromListValue(list: unknown): Json[] {
  if (typeof list !== 'object' || list === null || !('values' in list)) return []
  return Array.isArray(list.values) ? list.values.map(fromValue) : []
}

/** Sets an own property under every name, where a plain assignment would set the prototype. */
export function put<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    const own = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(target, key, own)
  } else {
    target[key] = value
  }
}

function isList(json: readonly Json[] | JsonObject): json is readonly Json[] {
  return Array.isArray(json)
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
