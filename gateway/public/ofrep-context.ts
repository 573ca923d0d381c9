import { isObject, type Json, type JsonObject, own, setOwn } from '../../src/core/json.ts'
import { err, ok, type Result } from '../../src/core/result.ts'

/** The protocol's codes for a request that cannot be evaluated. */
export type ContextErrorCode = 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING'

export type ContextError = { readonly code: ContextErrorCode; readonly details: string }

/** A field of decide, with a test for values that belong to it. */
type Reserved = { readonly field: string; readonly takes: (value: unknown) => boolean }

/**
 * Context attributes that are fields of decide, under the names that either family of clients uses.
 * Every other attribute is a person property, and so is one of these whose value does not fit: an
 * application may have a `groups` list of its own.
 */
const RESERVED: ReadonlyMap<string, Reserved> = new Map<string, Reserved>([
  ['groups', { field: 'groups', takes: isObject }],
  ['groupProperties', { field: 'group_properties', takes: isObject }],
  ['group_properties', { field: 'group_properties', takes: isObject }],
  ['anonymousId', { field: '$anon_distinct_id', takes: isId }],
  ['$anon_distinct_id', { field: '$anon_distinct_id', takes: isId }],
  ['$device_id', { field: '$device_id', takes: isId }],
  ['evaluationContexts', { field: 'evaluation_contexts', takes: isTextList }],
  ['evaluation_contexts', { field: 'evaluation_contexts', takes: isTextList }],
  ['evaluationRuntime', { field: 'evaluation_runtime', takes: isRuntime }],
  ['evaluation_runtime', { field: 'evaluation_runtime', takes: isRuntime }],
])

/** Reads `{"context": {"targetingKey": …}}` into the fields that decide reads. */
export function readOfrepContext(body: unknown): Result<JsonObject, ContextError> {
  if (!isObject(body)) return refused('PARSE_ERROR', 'The body is not a JSON object.')
  const context = own(body, 'context')
  if (context === undefined || context === null) return NO_TARGETING_KEY
  if (!isObject(context)) return refused('INVALID_CONTEXT', 'context is not an object.')
  const targetingKey = own(context, 'targetingKey')
  if (targetingKey === undefined || targetingKey === null) return NO_TARGETING_KEY
  if (!isId(targetingKey)) {
    return refused('INVALID_CONTEXT', 'context.targetingKey is not a text.')
  }
  if (String(targetingKey).trim() === '') return NO_TARGETING_KEY
  return ok({ distinct_id: targetingKey, ...attributesOf(context) })
}

function attributesOf(context: JsonObject): JsonObject {
  const fields: Record<string, Json> = {}
  const properties: Record<string, Json> = {}
  for (const [name, value] of Object.entries(context)) {
    if (name === 'targetingKey') continue
    const reserved = RESERVED.get(name)
    if (reserved?.takes(value) === true) fields[reserved.field] = value
    else setOwn(properties, name, value)
  }
  return { ...fields, person_properties: properties }
}

function refused(code: ContextErrorCode, details: string): Result<never, ContextError> {
  return err({ code, details })
}

const NO_TARGETING_KEY = refused('TARGETING_KEY_MISSING', 'context.targetingKey is missing.')

/** A number counts as its text, as in every id. */
function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isRuntime(value: unknown): boolean {
  return value === 'server' || value === 'client'
}
