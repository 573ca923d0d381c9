/**
 * Parsed JSON. The keys of an object come from the client: known ones are read with `own`, all of
 * them are copied with `setOwn`, so that `__proto__` is a key like any other.
 */

/** Value of `JSON.parse`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }
/** An object that its owner still changes. A key that is undefined is left out of its text. */
export type JsonDraft = { [key: string]: Json | undefined }

const EMPTY_OBJECT: JsonObject = Object.freeze({})

/** @param value JSON: no instance of a class. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Narrows to a read-only list, which `Array.isArray` does not. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** The object itself, or an empty one: null and lists count as empty. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : EMPTY_OBJECT
}

/** The list itself, or an empty one. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The texts of a list, or none. */
export function textsIn(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}

/** An own property, so that `__proto__` and `constructor` are ordinary keys; else `undefined`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/**
 * Sets an own property whatever its name. A plain assignment to `__proto__` would change the
 * prototype instead of storing the client's key as data.
 */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  } else {
    target[key] = value
  }
}

/** True when JSON nests more than `levels` levels of arrays and objects. */
export function isDeeperThan(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  return levels === 0 || Object.values(json).some((each) => isDeeperThan(each, levels - 1))
}
