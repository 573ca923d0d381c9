import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import { cleanObject, cleanText, mayHoldUnstorable } from '../../src/core/clean-text.ts'
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { cleanExact, exactJson } from '../../src/core/json-text/exact-numbers.ts'
import { DISTINCT_ID_LENGTH_MAX } from '../../src/core/limits/limits.ts'
import { cutText, plainText } from '../../src/events/clean-event-text.ts'
import type { MembersShape } from './decide-answer.ts'

export type DecideRequest = {
  readonly wire: DecideQuestion__Output
  /** Text of everything but project and distinct id: part of the cache key. */
  readonly key: string
}

/** Separates the parts of a cache key: JSON text and ids never hold it unescaped. */
const SEPARATOR = '\n'

/**
 * Reads the question of a decoded decide body; `undefined` without a distinct id. A field of the
 * wrong type counts as absent: old clients send null groups, lists, and numbers as ids.
 */
export function readDecideRequest(
  fields: JsonObject,
  projectId: number,
  shape: MembersShape,
): DecideRequest | undefined {
  const given = fields['distinct_id'] ?? fields['$distinct_id']
  if (given === undefined || given === null) return undefined
  const flagKeys = textList(fields['flag_keys_to_evaluate'])
  const contexts = textList(fields['evaluation_contexts'] ?? fields['evaluation_environments'])
  const wire: DecideQuestion__Output = {
    project_id: projectId,
    distinct_id: idOf(given),
    shape,
    anon_distinct_id: idOf(fields['$anon_distinct_id']),
    device_id: idOf(fields['$device_id']),
    groups: objectText(fields['groups']),
    person_properties: objectText(fields['person_properties']),
    group_properties: objectText(fields['group_properties']),
    has_flag_keys: flagKeys !== undefined,
    flag_keys: flagKeys ?? [],
    evaluation_runtime: runtimeOf(fields['evaluation_runtime']),
    evaluation_contexts: contexts ?? [],
  }
  return { wire, key: keyOf(wire) }
}

function keyOf(wire: DecideQuestion__Output): string {
  const plain =
    wire.anon_distinct_id === '' &&
    wire.device_id === '' &&
    wire.groups === '' &&
    wire.person_properties === '' &&
    wire.group_properties === '' &&
    !wire.has_flag_keys &&
    wire.evaluation_runtime === '' &&
    wire.evaluation_contexts.length === 0
  if (plain) return wire.shape
  return [
    wire.shape,
    JSON.stringify(wire.anon_distinct_id),
    JSON.stringify(wire.device_id),
    wire.groups,
    wire.person_properties,
    wire.group_properties,
    wire.has_flag_keys ? JSON.stringify(wire.flag_keys) : '',
    wire.evaluation_runtime,
    JSON.stringify(wire.evaluation_contexts),
  ].join(SEPARATOR)
}

function idOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return cleanText(cutText(plainText(value), DISTINCT_ID_LENGTH_MAX))
}

/**
 * JSON text of an object; empty for an empty object and for any other value. Text is cleaned: group
 * keys are looked up in the database, and text that it refuses would fail the whole micro-batch.
 */
function objectText(value: unknown): string {
  if (!isObject(value)) return ''
  const text = exactJson(value)
  if (text === '{}') return ''
  return mayHoldUnstorable(text) ? exactJson(cleanObject(value, cleanExact)) : text
}

function textList(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((item): item is string => typeof item === 'string')
}

function runtimeOf(value: unknown): string {
  return value === 'server' || value === 'client' ? value : ''
}
