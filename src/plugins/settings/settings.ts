/** Merges writes into the settings of one plugin config, and shows them without secrets. */

import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { isSealed } from '../../core/secrets/sealed-json.ts'
import type { ConfigSchema, Setting } from '../../project/plugin-config-schema.ts'
import { echo } from '../../wire/details.ts'

/** Characters of a config's settings as JSON. */
const PLUGIN_SETTINGS_CHARS_MAX = 65_536

/** Shown in place of a secret. A write of this text keeps the stored secret. */
export const SECRET_MASK = '******** SECRET ********'

/** The facts of an uploaded file that are shown. */
export type AttachmentInfo = {
  readonly id: string
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
}

export type SettingError = {
  /** Undefined when the error is not about a single setting. */
  readonly key: string | undefined
  readonly detail: string
}

/**
 * Treatment of settings that a write does not name. `replace` clears them, except secrets and
 * files, because a form sends all settings. `change` keeps them, for `…/settings/`.
 */
export type WriteMode = 'replace' | 'change'

export type MergedSettings = {
  readonly settings: JsonObject
  /** Keys of the files to delete. */
  readonly clearedFiles: readonly string[]
}

/**
 * Null clears a setting. For a secret, null and the mask keep the stored value, and an empty text
 * clears it. Parts of a form write files; null deletes a file when mode is `change`.
 */
export function mergeSettings(
  schema: ConfigSchema,
  stored: JsonObject,
  given: JsonObject,
  mode: WriteMode,
): Result<MergedSettings, SettingError> {
  const merged = new Map(
    Object.entries(stored).filter(([key]) => mode === 'change' || schema.get(key)?.isSecret),
  )
  const clearedFiles: string[] = []
  for (const [key, value] of Object.entries(given)) {
    const setting = schema.get(key)
    if (setting === undefined) return err({ key, detail: 'The plugin has no such setting.' })
    if (isSealed(value)) return err({ key, detail: 'A value may not be marked as sealed.' })
    if (setting.isAttachment) {
      if (value === null && mode === 'change') clearedFiles.push(key)
      else if (!isShownFile(value)) return err({ key, detail: NOT_A_FILE })
      continue
    }
    if (setting.isSecret && (value === null || value === SECRET_MASK)) continue
    const problem = value === null ? undefined : choiceProblem(setting, value)
    if (problem !== undefined) return err({ key, detail: problem })
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  const settings = toObject(merged)
  if (JSON.stringify(settings).length > PLUGIN_SETTINGS_CHARS_MAX) {
    const detail = `The settings together are longer than ${PLUGIN_SETTINGS_CHARS_MAX} characters.`
    return err({ key: undefined, detail })
  }
  return ok({ settings, clearedFiles })
}

/**
 * The settings that everybody may see: secrets are masked, and files are described. A setting that
 * the plugin no longer declares is left out, because nothing tells whether it was secret.
 * @param changed secrets to mark as changed, for the audit log.
 */
export function shownSettings(
  schema: ConfigSchema,
  settings: JsonObject,
  files: readonly AttachmentInfo[],
  changed: ReadonlySet<string> = new Set(),
): JsonObject {
  const shown: Record<string, Json> = {}
  const mask = (key: string) => (changed.has(key) ? `${SECRET_MASK} (changed)` : SECRET_MASK)
  for (const [key, value] of Object.entries(settings)) {
    const setting = schema.get(key)
    if (setting === undefined || setting.isAttachment) continue
    setOwn(shown, key, setting.isSecret && value !== '' ? mask(key) : value)
  }
  for (const file of files) {
    const setting = schema.get(file.key)
    if (setting?.isAttachment !== true) continue
    setOwn(shown, file.key, setting.isSecret ? secretFile(mask(file.key)) : shownFile(file))
  }
  return shown
}

/** Keys of the secrets that differ. Their masks look the same. */
export function changedSecrets(
  schema: ConfigSchema,
  before: { settings: JsonObject; files: readonly AttachmentInfo[] },
  after: { settings: JsonObject; files: readonly AttachmentInfo[] },
): ReadonlySet<string> {
  const text = (settings: JsonObject, key: string) =>
    Object.hasOwn(settings, key) ? JSON.stringify(settings[key]) : undefined
  const idOf = (files: readonly AttachmentInfo[], key: string) =>
    files.find((file) => file.key === key)?.id
  const changed = new Set<string>()
  for (const [key, { isSecret }] of schema) {
    if (!isSecret) continue
    const isSame =
      text(before.settings, key) === text(after.settings, key) &&
      idOf(before.files, key) === idOf(after.files, key)
    if (!isSame) changed.add(key)
  }
  return changed
}

const NOT_A_FILE = 'This setting is a file: send it as the part add_attachment[key] of a form.'

/** A client may send back a file as it was shown. */
function isShownFile(value: Json): boolean {
  return value === null || (isObject(value) && 'uid' in value)
}

function choiceProblem({ choices, isSecret }: Setting, value: Json): string | undefined {
  if (choices === undefined || choices.some((choice) => choice === value)) return undefined
  // The value of a secret is never repeated.
  if (isSecret) return 'The value is not a valid choice.'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${echo(text)}" is not a valid choice.`
}

function shownFile({ id, size, fileName, contentType }: AttachmentInfo): Json {
  return { uid: id, saved: true, size, name: fileName, type: contentType }
}

function secretFile(mask: string): Json {
  return { uid: -1, saved: true, size: -1, name: mask, type: 'application/octet-stream' }
}

function toObject(settings: ReadonlyMap<string, Json>): JsonObject {
  const object: Record<string, Json> = {}
  for (const [key, value] of settings) setOwn(object, key, value)
  return object
}
