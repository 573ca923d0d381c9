/** Reads events of the capture protocol v1. */

import { isObject, type Json, type JsonDraft, type JsonObject } from '../../core/json.ts'
import { ok, type Result } from '../../core/result.ts'
import { BAD_PROPERTIES, type RawResult, readProperties } from '../raw-event.ts'
import { parseUuid } from '../uuid.ts'
import { INVALID_PAYLOAD, type PayloadError } from './batch-form.ts'

/** The client library of a request: its events do not name it themselves. */
export type Sdk = { readonly name: string; readonly version: string }

/** Faults of an item that is stored nevertheless. */
export type V1Note = 'invalid_uuid' | 'invalid_options'

type Option = {
  readonly name: string
  readonly property: string
  read(value: unknown): Json | undefined
}

/** Options of an event, each with its property. Undefined: it cannot be read. */
const OPTIONS: readonly Option[] = [
  { name: 'cookieless_mode', property: '$cookieless_mode', read: readBoolean },
  { name: 'disable_skew_correction', property: '$ignore_sent_at', read: readBoolean },
  { name: 'process_person_profile', property: '$process_person_profile', read: readBoolean },
  { name: 'product_tour_id', property: '$product_tour_id', read: readText },
]
const NO_OPTIONS: JsonObject = {}

/** The items of an envelope, which is the protocol's only form. */
export function v1Items(payload: unknown): Result<readonly unknown[], PayloadError> {
  const batch = isObject(payload) ? payload['batch'] : undefined
  return Array.isArray(batch) ? ok(batch) : INVALID_PAYLOAD
}

/**
 * Reads an event of the capture protocol v1. Values that older protocols send as `$` properties
 * have fields of their own there, and become these properties again for the rest of the product.
 */
export function readV1Event(item: JsonObject, sdk: Sdk | undefined): RawResult {
  const properties = readProperties(item['properties'])
  if (properties === undefined) return BAD_PROPERTIES
  putText(properties, '$session_id', item['session_id'])
  putText(properties, '$window_id', item['window_id'])
  const options = optionsOf(item)
  for (const { name, property, read } of OPTIONS) {
    const value = read(options[name])
    if (value !== undefined) properties[property] = value
  }
  if (sdk !== undefined) {
    properties['$lib'] = sdk.name
    properties['$lib_version'] = sdk.version
  }
  return {
    kind: 'raw',
    raw: {
      name: item['event'],
      distinctId: item['distinct_id'],
      properties,
      timestamp: item['timestamp'],
      offset: undefined,
      sentAt: undefined,
      uuid: uuidOf(item),
      set: item['$set'],
      setOnce: item['$set_once'],
      unset: item['$unset'],
    },
  }
}

/** Clients look up results by the text that they sent; empty when there is none. */
export function givenUuid(item: JsonObject): string {
  const given = item['uuid']
  return typeof given === 'string' ? given : ''
}

export function v1NoteOf(item: JsonObject): V1Note | undefined {
  if (uuidOf(item) === undefined) return 'invalid_uuid'
  const options = item['options']
  if (options === undefined || options === null) return undefined
  if (!isObject(options)) return 'invalid_options'
  const isUnreadable = ({ name, read }: Option) =>
    (options[name] ?? undefined) !== undefined && read(options[name]) === undefined
  return OPTIONS.some(isUnreadable) ? 'invalid_options' : undefined
}

function uuidOf(item: JsonObject): string | undefined {
  return parseUuid(givenUuid(item).trim())
}

function optionsOf(item: JsonObject): JsonObject {
  return isObject(item['options']) ? item['options'] : NO_OPTIONS
}

function putText(properties: JsonDraft, name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') properties[name] = value
}

/** Clients made of loose types send numbers and texts for booleans. */
function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (typeof value !== 'string') return undefined
  const text = value.trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isInteger(value) ? String(value) : undefined
}
