/** Properties of an event that its person gets as well: which they are, and when they count. */

import { isObject, type JsonDraft, type JsonObject, setOwn } from '../core/json.ts'
import { exactJson } from '../core/json-text/exact-numbers.ts'
import { plainText } from './clean-event-text.ts'
import type { PersonChange } from './event.ts'
import type { RawEvent } from './raw-event.ts'

/** Describe the page and the device of the moment: by themselves they change no person. */
const DESCRIBING_THE_MOMENT = [
  '$browser',
  '$browser_version',
  '$device_type',
  '$current_url',
  '$pathname',
  '$os',
  '$os_version',
  '$referring_domain',
  '$referrer',
]

/** Properties that describe where a person comes from. */
const DESCRIBING = [
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
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

const GEOIP = '$geoip_'
const GEOIP_THAT_COUNTS: ReadonlySet<string> = new Set(['$geoip_country_name', '$geoip_city_name'])

/** Events whose only purpose is their person: all properties that they promote count. */
const ABOUT_PERSONS: ReadonlySet<string> = new Set([
  '$identify',
  '$set',
  '$create_alias',
  '$merge_dangerously',
])

type Description = {
  readonly name: string
  /** The name of the first value ever seen. */
  readonly initialName: string
  readonly isVolatile: boolean
}

/** Sorted as Postgres sorts names, short ones first, so that it has nothing to sort. */
const DESCRIPTIONS: readonly Description[] = [
  ...DESCRIBING_THE_MOMENT.map((name) => describing(name, true)),
  ...DESCRIBING.map((name) => describing(name, false)),
].sort(({ name: a }, { name: b }) => a.length - b.length || (a < b ? -1 : 1))

function describing(name: string, isVolatile: boolean): Description {
  return { name, initialName: initialNameOf(name), isVolatile }
}

function initialNameOf(name: string): string {
  return `$initial_${name.replace('$', '')}`
}

const DESCRIBED: ReadonlySet<string> = new Set(DESCRIPTIONS.map(({ name }) => name))
const BY_INITIAL_NAME = new Map(DESCRIPTIONS.map(({ name, initialName }) => [initialName, name]))

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

/** JSON texts of objects, or empty. */
export type PersonTexts = Pick<PersonChange, 'set' | 'setOnce' | 'volatile'>

/** Names of properties `$geoip_…` that a plugin has set on the person as well. */
export type Located = { readonly set: readonly string[]; readonly setOnce: readonly string[] }
const NOT_LOCATED: Located = { set: [], setOnce: [] }

/**
 * Texts of what an event sets on its person: `$set` and `$set_once` of its properties, and the
 * properties that describe the person, whose values win. A property that the client names in its
 * `$set` counts. The properties are left as they are.
 * @param name of the event.
 */
export function personTexts(
  name: string,
  properties: JsonDraft,
  located: Located = NOT_LOCATED,
): PersonTexts {
  const countsAll = ABOUT_PERSONS.has(name)
  const ownSet = objectAt(properties, '$set')
  const ownOnce = objectAt(properties, '$set_once')
  let set = ownSet === undefined ? '' : ownMembers(ownSet, properties, (key) => key)
  let setOnce =
    ownOnce === undefined ? '' : ownMembers(ownOnce, properties, (key) => BY_INITIAL_NAME.get(key))
  let volatile = ''
  for (const { name: key, initialName, isVolatile } of DESCRIPTIONS) {
    const value = properties[key]
    // A key without a value is none: it is not in the JSON text.
    if (value === undefined) continue
    const text = exactJson(value)
    if (ownSet === undefined || !Object.hasOwn(ownSet, key)) {
      if (isVolatile && !countsAll) volatile += `,"${key}":${text}`
      else set += `,"${key}":${text}`
    }
    if (ownOnce === undefined || !Object.hasOwn(ownOnce, initialName)) {
      setOnce += `,"${initialName}":${text}`
    }
  }
  for (const key of located.set) {
    const member = `,${JSON.stringify(key)}:${exactJson(properties[key])}`
    if (countsAll || GEOIP_THAT_COUNTS.has(key)) set += member
    else volatile += member
  }
  for (const key of located.setOnce) {
    setOnce += `,${JSON.stringify(initialNameOf(key))}:${exactJson(properties[key])}`
  }
  return { set: closed(set), setOnce: closed(setOnce), volatile: closed(volatile) }
}

/**
 * Takes what a plugin has copied from the `$geoip_…` of an event into its `$set` and `$set_once` out
 * of them: they are the client's.
 * @param before the change of the event before its plugins.
 */
export function takeLocated(properties: JsonDraft, before: PersonTexts): Located {
  return {
    set: takeCopies(properties, '$set', before.set, (name) => name),
    setOnce: takeCopies(properties, '$set_once', before.setOnce, initialNameOf),
  }
}

function takeCopies(
  properties: JsonDraft,
  key: '$set' | '$set_once',
  before: string,
  nameOf: (name: string) => string,
): string[] {
  const held = objectAt(properties, key)
  if (held === undefined) return []
  const taken = Object.keys(properties).filter((name) => {
    const copy = nameOf(name)
    if (!name.startsWith(GEOIP) || !Object.hasOwn(held, copy)) return false
    return held[copy] === properties[name] && !before.includes(`${JSON.stringify(copy)}:`)
  })
  for (const name of taken) delete held[nameOf(name)]
  if (taken.length > 0 && Object.keys(held).length === 0) delete properties[key]
  return taken
}

/** Members of an object of the client, each with a comma before it. */
function ownMembers(
  own: JsonDraft,
  properties: JsonDraft,
  described: (key: string) => string | undefined,
): string {
  let text = ''
  for (const key of Object.keys(own)) {
    const name = described(key)
    const isDescribed = name !== undefined && DESCRIBED.has(name) && properties[name] !== undefined
    const value = isDescribed ? properties[name] : own[key]
    if (value === undefined) continue
    text += `,${JSON.stringify(key)}:${exactJson(value)}`
  }
  return text
}

function closed(members: string): string {
  return members === '' ? '' : `{${members.slice(1)}}`
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
