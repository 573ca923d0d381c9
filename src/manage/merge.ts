import { fromValue, type Json } from '../wire/proto/value.ts'

/** How the fields of an update and what is stored make one: absent fields keep what is stored. */
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
