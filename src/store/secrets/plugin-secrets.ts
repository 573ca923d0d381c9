/** Secrets of plugin configs as the store holds them: sealed, each for its project, plugin and key. */
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts'
import { type KeyRing, sealedBy } from '../../core/secrets/key-ring.ts'
import { isSealed, openJson, sealedBytes, sealJson } from '../../core/secrets/sealed-json.ts'

export type SecretsOwner = { readonly projectId: number; readonly pluginId: number }

export function placeOf({ projectId, pluginId }: SecretsOwner, key: string): string {
  return `plugin setting ${projectId} ${pluginId} ${key}`
}

/** All of them as they were given. @throws {AppError} as `KeyRing.open`. */
export function openSettings(ring: KeyRing, owner: SecretsOwner, settings: JsonObject): JsonObject {
  return mapped(settings, (key, value) => openJson(ring, value, placeOf(owner, key)))
}

/**
 * The settings with each of `names` sealed under the first key. An empty text is no secret. A value
 * that is sealed in `stored` and the same is left as it is, unless another key sealed it.
 */
export function sealSettings(
  ring: KeyRing,
  owner: SecretsOwner,
  given: {
    readonly settings: JsonObject
    readonly names: ReadonlySet<string>
    readonly stored: JsonObject
  },
): JsonObject {
  return mapped(given.settings, (key, value) => {
    if (!given.names.has(key) || value === '') return value
    const place = placeOf(owner, key)
    const before = given.stored[key]
    const [first] = ring.ids
    if (isSealed(value)) {
      if (first === undefined || sealedBy(sealedBytes(value)) === first) return value
      return sealJson(ring, openJson(ring, value, place), place)
    }
    // Without a key, what an older release stored stays as it is; nothing is added.
    if (first === undefined && JSON.stringify(before) === JSON.stringify(value)) return value
    const isSame =
      isSealed(before) &&
      sealedBy(sealedBytes(before)) === first &&
      JSON.stringify(openJson(ring, before, place)) === JSON.stringify(value)
    return isSame ? before : sealJson(ring, value, place)
  })
}

function mapped(settings: JsonObject, change: (key: string, value: Json) => Json): JsonObject {
  const object: Record<string, Json> = {}
  for (const [key, value] of Object.entries(isObject(settings) ? settings : {})) {
    setOwn(object, key, change(key, value))
  }
  return object
}
