/** Event properties that describe the person as well: which they are, and how they are set. */

import { isObject, type Json, type JsonDraft, type JsonObject, setOwn } from '../core/json.ts'
import { plainText } from './clean-event-text.ts'
import type { RawEvent } from './raw-event.ts'

/** Event properties that also describe the person. */
const DESCRIBING = [
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
  '$browser',
  '$browser_version',
  '$device_type',
  '$current_url',
  '$pathname',
  '$os',
  '$os_version',
  '$referring_domain',
  '$referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_name',
  'utm_term',
  'gclid',
  'gad_source',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
]

/**
 * The same with the names of the first values ever seen. In the order of these in Postgres, short
 * ones first, so that it has nothing to sort.
 */
const DESCRIPTIONS = DESCRIBING.map((name) => ({
  name,
  initialName: `$initial_${name.replace('$', '')}`,
})).sort(({ initialName: a }, { initialName: b }) => a.length - b.length || (a < b ? -1 : 1))

/**
 * Merges the event's top-level `$set`, `$set_once` and `$unset` into those of its properties, the
 * top level winning per key. Values of the wrong type are no request and are left as they are.
 */
export function promote(raw: Pick<RawEvent, 'properties' | 'set' | 'setOnce' | 'unset'>): void {
  const { properties } = raw
  if (isObject(raw.set)) overlay(ownObject(properties, '$set'), raw.set)
  if (isObject(raw.setOnce)) overlay(ownObject(properties, '$set_once'), raw.setOnce)
  if (raw.unset !== undefined && raw.unset !== null) {
    const names = new Set([...unsetNames(properties['$unset']), ...unsetNames(raw.unset)])
    if (names.size > 0) properties['$unset'] = [...names]
  }
}

/** Adds the values that describe the person to `$set` and `$set_once`; the event's values win. */
export function describePerson(properties: JsonDraft): void {
  let set: JsonDraft | undefined
  let setOnce: JsonDraft | undefined
  for (const { name: key, initialName } of DESCRIPTIONS) {
    // A key without a value is none: it is not in the JSON text.
    if (properties[key] === undefined) continue
    set ??= ownObject(properties, '$set')
    setOnce ??= ownObject(properties, '$set_once')
    set[key] = properties[key]
    setOnce[initialName] = properties[key]
  }
}

/** JSON texts of `$set` and `$set_once`; empty where there is none. */
export type DescribedTexts = { readonly set: string; readonly setOnce: string }

/**
 * As `describePerson`, as texts: an object that is not there is not made, so that nothing has to be
 * written as JSON twice. Objects that are there are changed.
 */
export function describedTexts(properties: JsonDraft): DescribedTexts {
  const heldSet = objectAt(properties, '$set')
  const heldOnce = objectAt(properties, '$set_once')
  let set = ''
  let setOnce = ''
  for (const { name: key, initialName } of DESCRIPTIONS) {
    const value = properties[key]
    if (value === undefined) continue
    const text = heldSet === undefined || heldOnce === undefined ? JSON.stringify(value) : ''
    if (heldSet === undefined) set += `${set === '' ? '{' : ','}"${key}":${text}`
    else heldSet[key] = value
    if (heldOnce === undefined) setOnce += `${setOnce === '' ? '{' : ','}"${initialName}":${text}`
    else heldOnce[initialName] = value
  }
  return {
    set: heldSet === undefined ? closed(set) : JSON.stringify(heldSet),
    setOnce: heldOnce === undefined ? closed(setOnce) : JSON.stringify(heldOnce),
  }
}

function closed(text: string): string {
  return text === '' ? '' : `${text}}`
}

/**
 * Takes back what `describePerson` has added, so that it can be added anew once properties have
 * changed: a value that is gone does not describe the person either.
 */
export function undescribePerson(properties: JsonDraft): void {
  for (const { name, initialName } of DESCRIPTIONS) {
    if (!Object.hasOwn(properties, name)) continue
    forgetSame(properties, '$set', name, properties[name])
    forgetSame(properties, '$set_once', initialName, properties[name])
  }
}

function forgetSame(
  properties: JsonDraft,
  key: '$set' | '$set_once',
  name: string,
  value: Json | undefined,
): void {
  const held = objectAt(properties, key)
  if (held === undefined || !Object.hasOwn(held, name)) return
  if (JSON.stringify(held[name]) !== JSON.stringify(value)) return
  delete held[name]
  if (Object.keys(held).length === 0) delete properties[key]
}

/** `$unset` is a list of names, or an object whose keys are the names. */
export function unsetNames(value: unknown): string[] {
  if (isObject(value)) return Object.keys(value)
  if (!Array.isArray(value)) return []
  const names: string[] = []
  for (const name of value) {
    if (typeof name === 'string' || typeof name === 'number') names.push(plainText(name))
  }
  return names
}

function ownObject(properties: JsonDraft, key: '$set' | '$set_once'): JsonDraft {
  const held = objectAt(properties, key)
  if (held !== undefined) return held
  const made: JsonObject = {}
  setOwn(properties, key, made)
  return made
}

function objectAt(properties: JsonDraft, key: '$set' | '$set_once'): JsonDraft | undefined {
  const held = properties[key]
  return isObject(held) ? held : undefined
}

/** Copies the own keys of `source` over those of `target`. */
function overlay(target: JsonDraft, source: JsonObject): void {
  for (const key of Object.keys(source)) setOwn(target, key, source[key])
}
