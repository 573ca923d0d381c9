/** Merges the fields of an update with the stored ones. */
import type { Json } from '../core/json.ts'
import { fromValue } from '../wire/proto/value.ts'

/** Merges fields of an update with stored ones: absent fields keep the stored value. */
export type Merger = {
  /** A field that may be set to null. */
  orNull<T>(name: string, given: T | undefined, kept: T | null): T | null
  /** A field that may not. */
  orKept<T>(given: T | undefined, kept: T): T
  /** A field of `google.protobuf.Value`. */
  json(name: string, given: unknown, kept: Json): Json
}

/** @param nullFields names of the fields that the request sets to null. */
export function merger(nullFields: readonly string[]): Merger {
  return {
    orNull: (name, given, kept) => (nullFields.includes(name) ? null : (given ?? kept)),
    orKept: (given, kept) => given ?? kept,
    json(name, given, kept) {
      if (nullFields.includes(name)) return null
      return given === null || given === undefined ? kept : fromValue(given)
    },
  }
}

/**
 * Tags as they are stored: trimmed, in lower case, each once, sorted. Undefined when the request
 * has no tags.
 */
export function tagsOf(given: readonly Json[] | undefined): string[] | undefined {
  if (given === undefined) return undefined
  const texts = given.filter((item) => typeof item === 'string')
  const tags = texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')
  return [...new Set(tags)].sort()
}
