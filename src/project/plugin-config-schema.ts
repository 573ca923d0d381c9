/** The settings that a plugin declares. */
import { isObject, type Json, type JsonObject, setOwn } from '../core/json.ts'

/** One setting that a plugin declares. */
export type Setting = {
  readonly isSecret: boolean
  /** True when its value is an uploaded file. */
  readonly isAttachment: boolean
  /** The values that it may have; undefined when any will do. */
  readonly choices: readonly Json[] | undefined
}

/** By key, in the order of the declaration. */
export type ConfigSchema = ReadonlyMap<string, Setting>

/**
 * Reads the settings that a plugin declares: a list of entries with a `key`, or an object of
 * entries by key. Entries without a key are text for people. Values that are no entry are ignored,
 * because published plugins have them. A key declared twice is secret when either entry says so.
 * Never throws.
 */
export function readConfigSchema(schema: Json): ConfigSchema {
  const settings = new Map<string, Setting>()
  for (const [key, entry] of entriesOf(schema)) {
    const isSecret = Boolean(entry['secret']) || settings.get(key)?.isSecret === true
    const choices: unknown = entry['choices']
    settings.set(key, {
      isSecret,
      isAttachment: entry['type'] === 'attachment',
      choices: entry['type'] === 'choice' && Array.isArray(choices) ? choices : undefined,
    })
  }
  return settings
}

/** The settings with `names` marked as secret, whatever is declared: they were saved as secrets. */
export function withSecrets(schema: ConfigSchema, names: readonly string[]): ConfigSchema {
  const kept = new Set(names)
  return new Map(
    [...schema].map(([key, setting]) => [
      key,
      kept.has(key) ? { ...setting, isSecret: true } : setting,
    ]),
  )
}

/** The settings that the plugin gets: the stored ones, and the declared defaults of the others. */
export function withDefaults(schema: Json, settings: JsonObject): JsonObject {
  const filled: Record<string, Json> = {}
  for (const [key, entry] of entriesOf(schema)) {
    const value = entry['default']
    if (value !== undefined && entry['type'] !== 'attachment') setOwn(filled, key, value)
  }
  for (const [key, value] of Object.entries(settings)) setOwn(filled, key, value)
  return filled
}

function entriesOf(schema: Json): readonly (readonly [string, JsonObject])[] {
  if (Array.isArray(schema)) {
    return schema.flatMap((entry: Json) => {
      if (!isObject(entry) || typeof entry['key'] !== 'string') return []
      return [[entry['key'], entry] as const]
    })
  }
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([key, entry]) =>
    isObject(entry) ? [[key, entry] as const] : [],
  )
}
