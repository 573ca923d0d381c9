/** Reads a plugin from its author's files: a folder, or one module. */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { isObject, type Json, type JsonObject, setOwn } from '../../core/json.ts'
import { type Manifest, parseManifest } from '../../plugins/settings/manifest.ts'
import { readSourceChange, SOURCE_FILE_NAMES } from '../../plugins/settings/source-files.ts'
import { readConfigSchema } from '../../project/plugin-config-schema.ts'
import type { PluginCode, PluginFile } from '../../project/plugin-ports.ts'
import { UsageError } from '../command-end.ts'

export type PluginFolder = {
  /** Absolute path. */
  readonly folder: string
  /** The name in `plugin.json`, or that of the folder or file. */
  readonly name: string
  /** File name to text, with the names that files of plugins have. */
  readonly files: Readonly<Record<string, string>>
  readonly configSchema: Json
  readonly code: PluginCode
}

/** @throws {UsageError} when it is not a plugin, or has a file that the server would refuse. */
export function readPluginFolder(path: string): PluginFolder {
  const target = resolve(path)
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`${path}: there is no such file or folder`)
  const files = stats.isDirectory() ? filesOf(target) : { [moduleNameOf(path)]: readText(target) }
  const checked = readSourceChange(files)
  if (!checked.ok) throw new UsageError(`${path}: ${checked.error.file}: ${checked.error.detail}`)
  const manifest = manifestOf(path, files['plugin.json'])
  return {
    folder: stats.isDirectory() ? target : dirname(target),
    name: manifest?.name ?? basename(target, extname(target)),
    files,
    configSchema: manifest?.configSchema ?? [],
    code: codeOf(path, files),
  }
}

export type GivenSettings = {
  readonly settings: JsonObject
  readonly attachments: ReadonlyMap<string, PluginFile>
}

/**
 * Reads a JSON object of settings. The value of a file setting is a path, relative to that file.
 * @throws {UsageError} also for a setting that the plugin does not declare.
 */
export function readSettings(file: string | undefined, configSchema: Json): GivenSettings {
  const attachments = new Map<string, PluginFile>()
  if (file === undefined) return { settings: {}, attachments }
  const given = readJson(file)
  if (!isObject(given)) throw new UsageError(`${file}: not a JSON object`)
  const schema = readConfigSchema(configSchema)
  const settings: Record<string, Json> = {}
  for (const [key, value] of Object.entries(given)) {
    const setting = schema.get(key)
    if (setting === undefined) {
      throw new UsageError(`${file}: plugin.json declares no setting ${JSON.stringify(key)}`)
    }
    if (!setting.isAttachment) setOwn(settings, key, value)
    else attachments.set(key, readAttachment(file, key, value))
  }
  return { settings, attachments }
}

/** @throws {UsageError} when the file cannot be read or is not JSON. */
export function readJson(file: string): Json {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'not JSON' : String(error)
    throw new UsageError(`${file}: ${reason}`)
  }
}

function filesOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of SOURCE_FILE_NAMES) {
    const path = join(folder, name)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) files[name] = readText(path)
  }
  return files
}

function moduleNameOf(path: string): 'index.ts' | 'index.js' {
  const extension = extname(path)
  if (extension === '.ts') return 'index.ts'
  if (extension === '.js' || extension === '.mjs') return 'index.js'
  throw new UsageError(`${path}: a module that ends in .ts or .js is expected, or a folder`)
}

function manifestOf(path: string, text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined
  const manifest = parseManifest(text)
  if (!manifest.ok) throw new UsageError(`${path}: plugin.json: ${manifest.error}`)
  return manifest.value
}

function codeOf(path: string, files: Readonly<Record<string, string>>): PluginCode {
  for (const file of ['index.ts', 'index.js'] as const) {
    const source = files[file]
    if (source !== undefined) return { kind: 'source', file, source }
  }
  throw new UsageError(`${path}: there is neither an index.ts nor an index.js`)
}

const CONTENT_TYPE = 'application/octet-stream'

function readAttachment(file: string, key: string, value: unknown): PluginFile {
  if (typeof value !== 'string') throw new UsageError(`${file}: ${key} is a file: give its path`)
  const path = resolve(dirname(file), value)
  try {
    return { contentType: CONTENT_TYPE, fileName: basename(path), contents: readFileSync(path) }
  } catch (error) {
    throw unreadable(value, error)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
  return new UsageError(`${file}: cannot be read (${code})`)
}
