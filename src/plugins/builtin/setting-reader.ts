/** Reads the settings of a built-in plugin, which a form or an API call has stored. */
import { assert } from '../../core/code.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { SettingError } from './errors.ts'

/** Entries of a list setting of a built-in plugin, and characters of one entry. */
const BUILTIN_LIST_MAX = 200
const BUILTIN_ENTRY_CHARS_MAX = 400

/** One setting, in the form of an entry of `config` in a `plugin.json`. */
export type SettingEntry = {
  readonly key: string
  readonly name: string
  readonly type: 'string' | 'choice'
  /** Used when the setting is absent or empty. */
  readonly default?: string
  readonly hint?: string
  readonly required?: boolean
  readonly secret?: boolean
  readonly choices?: readonly string[]
  readonly order: number
}

/** @throws {SettingError} from each method when the setting does not have that form. */
export type SettingReader = {
  /** Trimmed text; empty when there is none. */
  text(key: string): string
  /** Accepts numbers as text. Both bounds are included. */
  number(key: string, bounds: { readonly min: number; readonly max: number }): number
  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice
  /** `yes` or `no`. */
  isOn(key: string): boolean
  /**
   * Entries separated by commas or line ends, or a JSON list of texts. Each entry once, none empty.
   */
  list(key: string): readonly string[]
}

export function readSettings(schema: readonly SettingEntry[], settings: JsonObject): SettingReader {
  const value = (key: string): Json => {
    const entry = schema.find((each) => each.key === key)
    assert(entry !== undefined, `no setting ${key} is declared`)
    const given = Object.hasOwn(settings, key) ? (settings[key] ?? null) : null
    if (!isEmpty(given)) return given
    if (entry.required === true) throw new SettingError(`The setting "${key}" is required.`)
    return entry.default ?? ''
  }
  const text = (key: string): string => {
    const found = value(key)
    if (typeof found === 'string') return found.trim()
    if (typeof found === 'number') return String(found)
    throw new SettingError(`The setting "${key}" must be a text.`)
  }
  const choice = <Choice extends string>(key: string, choices: readonly Choice[]): Choice => {
    const found = text(key)
    const chosen = choices.find((each) => each === found)
    if (chosen !== undefined) return chosen
    throw new SettingError(`The setting "${key}" must be one of ${choices.join(', ')}.`)
  }
  return {
    text,
    choice,
    isOn: (key) => choice(key, ['yes', 'no']) === 'yes',
    number(key, { min, max }) {
      const found = DECIMAL.test(text(key)) ? Number(text(key)) : Number.NaN
      if (found >= min && found <= max) return found
      throw new SettingError(`The setting "${key}" must be a number from ${min} to ${max}.`)
    },
    list: (key) => listOf(key, value(key)),
  }
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/

function isEmpty(value: Json): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}

function listOf(key: string, value: Json): readonly string[] {
  const items = typeof value === 'string' ? value.split(/[,\n]/) : value
  if (!isTexts(items)) {
    throw new SettingError(`The setting "${key}" must be a list of texts, separated by commas.`)
  }
  const entries = new Set(items.map((item) => item.trim()).filter((item) => item !== ''))
  if (entries.size > BUILTIN_LIST_MAX) {
    throw new SettingError(`The setting "${key}" has more than ${BUILTIN_LIST_MAX} entries.`)
  }
  for (const entry of entries) {
    if (entry.length <= BUILTIN_ENTRY_CHARS_MAX) continue
    const most = `${BUILTIN_ENTRY_CHARS_MAX} characters`
    throw new SettingError(`The setting "${key}" has an entry of more than ${most}.`)
  }
  return [...entries]
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
