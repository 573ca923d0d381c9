/** The settings that a plugin declares, as the form shows them. */
import type { Json } from '../../../client/index.ts'
import { isRecord, type JsonRecord, parsedJson } from '../../data/json.ts'

export type Setting = {
  readonly key: string
  readonly name: string
  readonly hint: string | undefined
  readonly type: 'string' | 'choice' | 'json' | 'attachment'
  readonly choices: readonly Json[]
  readonly default: Json | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
}

/** In their order. Entries without a key are text for people, and have no field. */
export function settingsOf(schema: Json): readonly Setting[] {
  const entries: readonly (readonly [Json | undefined, Json])[] = Array.isArray(schema)
    ? (schema as readonly Json[]).map((entry) => [
        isRecord(entry) ? entry['key'] : undefined,
        entry,
      ])
    : isRecord(schema)
      ? Object.entries(schema)
      : []
  return entries.flatMap(([key, entry]) =>
    typeof key === 'string' && isRecord(entry) ? [settingOf(key, entry)] : [],
  )
}

function settingOf(key: string, entry: JsonRecord): Setting {
  const { name, hint, type, choices, required, secret } = entry
  return {
    key,
    name: typeof name === 'string' && name !== '' ? name : key,
    hint: typeof hint === 'string' ? hint : undefined,
    type: type === 'choice' || type === 'json' || type === 'attachment' ? type : 'string',
    choices: Array.isArray(choices) ? (choices as readonly Json[]) : [],
    default: entry['default'],
    isRequired: required === true,
    isSecret: secret === true,
  }
}

const MASK = /^\*+ SECRET \*+/

/** Whether the value is the mask of a secret that is set. */
export function isMasked(value: Json | undefined): boolean {
  return typeof value === 'string' && MASK.test(value)
}

/** The settings of a config, which are the text of JSON. */
export function valuesOf(config: string): JsonRecord {
  const read = parsedJson(config)
  return isRecord(read) ? read : {}
}

/** A value as a field shows it. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
