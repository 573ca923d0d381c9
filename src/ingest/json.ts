/**
 * A parsed JSON object. Its keys come from the client: read known ones only, copy with `setOwn`.
 */
export type JsonObject = { [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Sets an own property whatever its name. A plain assignment to `__proto__` would change the
 * prototype instead of storing the client's key as data.
 */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
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

/** Copies the own keys of `source` over those of `target`. */
export function overlay(target: JsonObject, source: JsonObject): void {
  for (const key of Object.keys(source)) setOwn(target, key, source[key])
}
