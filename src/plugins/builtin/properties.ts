/** Finds the properties of an event that settings name. The time is linear in the event. */
import { isList, isObject, type Json } from '../../core/json.ts'
import type { PluginEvent } from '../ports.ts'

export type Properties = { [key: string]: Json }

/**
 * A name as written, and split at its dots: `a.b` names the property `a.b` and the `b` within `a`.
 */
export type PropertyPath = {
  readonly name: string
  readonly segments: readonly string[]
}

/** Called with the object that has a property, and the key there. */
export type Found = (holder: Properties, key: string) => void

export function propertyPath(name: string): PropertyPath {
  return { name, segments: name.split('.') }
}

/** The event's own properties and those that it sets on its person, each object once. */
export function propertySets({ properties, $set, $set_once }: PluginEvent): readonly Properties[] {
  const sets = [properties]
  for (const value of [properties['$set'], properties['$set_once'], $set, $set_once]) {
    if (isObject(value) && !sets.includes(value)) sets.push(value)
  }
  return sets
}

/**
 * Calls `found` for every property in the sets that the path names, also within items of lists. It
 * may be called twice for one property, and may delete that property.
 */
export function visitPath(
  sets: readonly Properties[],
  { name, segments }: PropertyPath,
  found: Found,
): void {
  for (const set of sets) {
    if (Object.hasOwn(set, name)) found(set, name)
    if (segments.length > 1) walk(set, segments, 0, found)
  }
}

/** The depth is bounded by that of JSON. */
function walk(value: Json | undefined, segments: readonly string[], at: number, found: Found) {
  if (isList(value)) {
    for (const item of value) walk(item, segments, at, found)
    return
  }
  const key = segments[at]
  if (key === undefined || !isObject(value) || !Object.hasOwn(value, key)) return
  if (at === segments.length - 1) found(value, key)
  else walk(value[key], segments, at + 1, found)
}
