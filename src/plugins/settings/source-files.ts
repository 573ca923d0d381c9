/** The files of a plugin. */
import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../core/json.ts'
import { PLUGIN_FILE_BYTES_MAX, PLUGIN_FRONTEND_CHARS_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** When a plugin has both modules, the TypeScript one is used. */
export const SOURCE_FILE_NAMES = [
  'index.ts',
  'index.js',
  'plugin.json',
  'frontend.tsx',
  'site.ts',
] as const

export type SourceFileName = (typeof SOURCE_FILE_NAMES)[number]

/** File name to text; null deletes a file. */
export type SourceChange = ReadonlyMap<SourceFileName, string | null>

export type SourceError = { readonly file: string; readonly detail: string }

/** Reads `{file name: text or null}`. Never throws. */
export function readSourceChange(files: JsonObject): Result<SourceChange, SourceError> {
  const change = new Map<SourceFileName, string | null>()
  for (const [file, text] of Object.entries(files)) {
    const name = SOURCE_FILE_NAMES.find((known) => known === file)
    if (name === undefined) {
      return err({ file, detail: `A plugin has no file but ${SOURCE_FILE_NAMES.join(', ')}.` })
    }
    if (text !== null && typeof text !== 'string') {
      return err({ file, detail: 'The text of the file is expected, or null.' })
    }
    const problem = text === null ? undefined : sizeProblem(name, text)
    if (problem !== undefined) return err({ file, detail: problem })
    change.set(name, text)
  }
  return ok(change)
}

/** Digests that stand for the files' text in the audit log. */
export function fileDigests(
  files: readonly { readonly filename: string; readonly source: string }[],
): JsonObject {
  const digests: Record<string, Json> = {}
  for (const { filename, source } of files) {
    const sha256 = createHash('sha256').update(source).digest('hex')
    digests[filename] = { sha256, bytes: Buffer.byteLength(source) }
  }
  return digests
}

function sizeProblem(name: SourceFileName, text: string): string | undefined {
  if (name === 'frontend.tsx' && text.length > PLUGIN_FRONTEND_CHARS_MAX) {
    return `The file is longer than ${PLUGIN_FRONTEND_CHARS_MAX} characters.`
  }
  if (Buffer.byteLength(text) > PLUGIN_FILE_BYTES_MAX) {
    return `The file is larger than ${PLUGIN_FILE_BYTES_MAX} bytes.`
  }
  return undefined
}
