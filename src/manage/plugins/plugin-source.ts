/** The files of a plugin between a request and the store. */
import type { Struct } from '../../../proto/gen/google/protobuf/Struct.ts'
import type { Value__Output } from '../../../proto/gen/google/protobuf/Value.ts'
import type { PluginSource } from '../../../proto/gen/sluice/v1/PluginSource.ts'
import { invalid } from '../../access/errors.ts'
import type { CompileFrontend } from '../../plugins/settings/frontend.ts'
import { type Manifest, parseManifest } from '../../plugins/settings/manifest.ts'
import { readSourceChange, type SourceChange } from '../../plugins/settings/source-files.ts'
import type { Db } from '../../postgres/db.ts'
import {
  deleteSourceFiles,
  listSourceFiles,
  type SavedSourceFile,
  type SourceFile,
  saveSourceFiles,
} from '../../store/plugins/plugin-source-store.ts'
import { echo } from '../../wire/details.ts'
import { toStruct } from '../../wire/proto/value.ts'
import { objectOf, withoutKey } from '../wire-value.ts'

/** Files as they will be saved: everything that can be wrong with them is known by now. */
export type PreparedSource = {
  readonly saved: readonly SavedSourceFile[]
  readonly removed: readonly string[]
  /** Undefined when `plugin.json` is not among them. */
  readonly manifest: Manifest | undefined
}

/**
 * Reads `{file name: text or null}`, and compiles the frontend. A frontend that does not compile is
 * saved with its error, which its author sees in the browser.
 *
 * @param parent the field that holds the files; empty when they are the whole body.
 * @throws {AppError} `invalid_argument` of the file at fault, `resource_exhausted` when too many
 * frontends are being compiled.
 */
export async function prepareSource(
  compile: CompileFrontend,
  files: Value__Output | null,
  parent: '' | 'files',
): Promise<PreparedSource> {
  const attrOf = (file: string) => (parent === '' ? echo(file) : `${parent}__${echo(file)}`)
  const given = parent === '' ? withoutKey(objectOf(files), () => false) : objectOf(files)
  const change = readSourceChange(given)
  if (!change.ok) throw invalid(change.error.detail, attrOf(change.error.file))
  const manifest = manifestOf(change.value, attrOf('plugin.json'))
  const saved: SavedSourceFile[] = []
  const removed: string[] = []
  for (const [filename, source] of change.value) {
    if (source === null) removed.push(filename)
    else if (filename !== 'frontend.tsx') saved.push(plainFile(filename, source))
    else saved.push({ filename, source, ...(await compile(source)) })
  }
  return { saved, removed, manifest }
}

/** A file that is saved as it is. */
export function plainFile(filename: string, source: string): SavedSourceFile {
  return { filename, source, compiled: null, error: null }
}

/** @param before the files as they are. */
export function changesSource(
  { saved, removed }: PreparedSource,
  before: readonly SourceFile[],
): boolean {
  const sources = new Map(before.map(({ filename, source }) => [filename, source]))
  return (
    saved.some(({ filename, source }) => sources.get(filename) !== source) ||
    removed.some((filename) => sources.has(filename))
  )
}

/** @returns the files after the change, by name. */
export async function saveSource(
  tx: Db,
  plugin: number,
  { saved, removed }: PreparedSource,
): Promise<SourceFile[]> {
  if (removed.length > 0) await deleteSourceFiles(tx, plugin, removed)
  if (saved.length > 0) await saveSourceFiles(tx, plugin, saved)
  return await listSourceFiles(tx, plugin)
}

export function toPluginSource(files: readonly SourceFile[]): PluginSource {
  const texts = Object.fromEntries(files.map(({ filename, source }) => [filename, source]))
  // The generated type lacks `readonly`, nothing else.
  return { files: toStruct(texts) as Struct }
}

function manifestOf(change: SourceChange, attr: string): Manifest | undefined {
  const text = change.get('plugin.json') ?? undefined
  if (text === undefined) return undefined
  const manifest = parseManifest(text)
  if (!manifest.ok) throw invalid(manifest.error, attr)
  return manifest.value
}
