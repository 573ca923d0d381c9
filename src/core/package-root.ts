import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder that holds `proto/` and `migrations/`; found from the sources and from `dist/`. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'proto')) && existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`no package root above ${start}`)
  }
}

/** Version of this binary, from package.json. */
export function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  const isPackage = typeof content === 'object' && content !== null && 'version' in content
  return isPackage ? String(content.version) : 'unknown'
}
