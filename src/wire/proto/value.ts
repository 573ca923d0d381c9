/**
 * Converts plain JSON to google.protobuf.Value, Struct and ListValue and back. Keys keep their
 * order; the key `__proto__` is ordinary data.
 */
import { isList, type Json, type JsonObject, setOwn } from '../../core/json.ts'

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

/** Recursive: callers bound the depth first. Numbers that JSON cannot hold become null. */
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
  for (const key of Object.keys(json)) setOwn(fields, key, toValue(json[key] ?? null))
  return { fields }
}

export function toListValue(json: readonly Json[]): ListValueMessage {
  return { values: json.map(toValue) }
}

/** Null for a Value without a kind, which is how an absent value is sent. */
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
  for (const [key, value] of Object.entries(fields)) setOwn(json, key, fromValue(value))
  return json
}

export function fromListValue(list: unknown): Json[] {
  if (typeof list !== 'object' || list === null || !('values' in list)) return []
  return Array.isArray(list.values) ? list.values.map(fromValue) : []
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
