import { isRecord } from '../wire/proto/rules.ts'
import { type Json, type JsonObject, put } from '../wire/proto/value.ts'

/** One setting that a plugin declares. */
export type Setting = {
  readonly isSecret: boolean
  /** Its value is an uploaded file. */
  readonly isAttachment: boolean
  /** Values that it may have; undefined when any will do. */
  readonly choices: readonly Json[] | undefined
}

/** By key, in the order declared. */
export type ConfigSchema = ReadonlyMap<string, Setting>

/**
 * Reads the settings that a plugin declares: a list of entries with a `key`, or an object of
 * entries by key. Entries without a key are text for people; what is no entry is passed over, as
 * plugins in the wild are. A key declared twice is secret when either says so. Never throws.
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

/** What the plugin is given: the stored settings, and for those not stored what is declared. */
export function withDefaults(schema: Json, settings: JsonObject): JsonObject {
  const filled: Record<string, Json> = {}
  for (const [key, entry] of entriesOf(schema)) {
    const value = entry['default']
    if (value !== undefined && entry['type'] !== 'attachment') put(filled, key, value)
  }
  for (const [key, value] of Object.entries(settings)) put(filled, key, value)
  return filled
}

function entriesOf(schema: Json): readonly (readonly [string, JsonObject])[] {
  if (Array.isArray(schema)) {
    return schema.flatMap((entry: Json) => {
      if (!isJsonObject(entry) || typeof entry['key'] !== 'string') return []
      return [[entry['key'], entry] as const]
    })
  }
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([key, entry]) =>
    isJsonObject(entry) ? [[key, entry] as const] : [],
  )
}

function isJsonObject(json: Json): json is JsonObject {
  return isRecord(json)
}
