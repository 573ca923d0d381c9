/** Reads `plugin.json`, the manifest of a plugin. */

import { cleanJson } from '../../core/clean-text.ts'
import { isDeeperThan, isObject, type Json } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** Characters of `plugin.json`, which is parsed on the event loop, and settings it may declare. */
const PLUGIN_MANIFEST_CHARS_MAX = 65_536
const PLUGIN_SETTINGS_MAX = 200

/** The members that the server uses; undefined where the file has none. */
export type Manifest = {
  readonly name: string | undefined
  readonly configSchema: Json | undefined
  readonly publicJobs: Json | undefined
}

const NAME_LENGTH_MAX = 200

/**
 * Reads a manifest. Other members are the author's own and ignored. The error is a text for people.
 * Never throws.
 */
export function parseManifest(text: string): Result<Manifest, string> {
  if (text.length > PLUGIN_MANIFEST_CHARS_MAX) {
    return err(`The file is longer than ${PLUGIN_MANIFEST_CHARS_MAX} characters.`)
  }
  const json = parse(text)
  if (!isObject(json)) return err('The file must hold a JSON object.')
  if (isDeeperThan(json, JSON_DEPTH_MAX)) {
    return err(`The file nests more than ${JSON_DEPTH_MAX} levels.`)
  }
  const { name, config, publicJobs } = json
  if (name !== undefined && !isName(name)) {
    return err(`"name" must be a text of 1 to ${NAME_LENGTH_MAX} characters.`)
  }
  if (config !== undefined && !isConfig(config)) {
    return err(`"config" must be a list or an object of at most ${PLUGIN_SETTINGS_MAX} settings.`)
  }
  if (publicJobs !== undefined && !isJobs(publicJobs)) {
    return err('"publicJobs" must be an object of objects.')
  }
  return ok({
    name: name?.trim(),
    configSchema: config === undefined ? undefined : cleanJson(config),
    publicJobs: publicJobs === undefined ? undefined : cleanJson(publicJobs),
  })
}

function isName(name: unknown): name is string {
  if (typeof name !== 'string') return false
  const trimmed = name.trim()
  return trimmed !== '' && !trimmed.includes('\0') && [...trimmed].length <= NAME_LENGTH_MAX
}

function isConfig(config: unknown): config is Json {
  if (!Array.isArray(config) && !isObject(config)) return false
  const entries: readonly unknown[] = Object.values(config)
  return entries.length <= PLUGIN_SETTINGS_MAX && entries.every(isObject)
}

function isJobs(jobs: unknown): jobs is Json {
  if (!isObject(jobs)) return false
  return Object.values(jobs).every(
    (job) => isObject(job) && (job['payload'] === undefined || isObject(job['payload'])),
  )
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined // No JSON text is undefined. The caller words the error.
  }
}
