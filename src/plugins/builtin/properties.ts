/** Where an event holds properties, and how settings name them. Linear in the event. */
import type { Json } from '../../wire/proto/value.ts'
import type { PluginEvent } from '../ports.ts'

export type Properties = { [key: string]: Json }

/** As written, and at its dots: `a.b` is the property of that name, and the `b` within `a`. */
export type PropertyPath = {
  readonly name: string
  readonly segments: readonly string[]
}

/** What holds a property, and its key there. */
export type Found = (holder: Properties, key: string) => void

export function isProperties(value: Json | undefined): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function propertyPath(name: string): PropertyPath {
  return { name, segments: name.split('.') }
}

/** The event's own ones and those for its person, each object once. */
export function propertySets({ properties, $set, $set_once }: PluginEvent): readonly Properties[] {
  const sets = [properties]
  for (const value of [properties['$set'], properties['$set_once'], $set, $set_once]) {
    if (isProperties(value) && !sets.includes(value)) sets.push(value)
  }
  return sets
}

/**
 * Calls `found` for everything in the sets that the path names, also in each item of a list. It may
 * be called twice for one place, and may delete what it is called for.
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

/** As deep as JSON may nest. */
function walk(value: Json | undefined, segments: readonly string[], at: number, found: Found) {
  if (isList(value)) {
    for (const item of value) walk(item, segments, at, found)
    return
  }
  const key = segments[at]
  if (key === undefined || !isProperties(value) || !Object.hasOwn(value, key)) return
  if (at === segments.length - 1) found(value, key)
  else walk(value[key], segments, at + 1, found)
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
