/** Secrets of plugin configs as the store holds them: sealed, each for its project, plugin and key. */
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { openJson, sealAnew } from '../../core/secrets/sealed-json.ts'

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
    return sealAnew(ring, placeOf(owner, key), { value, before: given.stored[key] })
  })
}

function mapped(settings: JsonObject, change: (key: string, value: Json) => Json): JsonObject {
  const object: Record<string, Json> = {}
  for (const [key, value] of Object.entries(isObject(settings) ? settings : {})) {
    setOwn(object, key, change(key, value))
  }
  return object
}
