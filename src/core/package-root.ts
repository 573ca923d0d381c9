import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder that holds `proto/` and `migrations/`, from the sources and from `dist/` alike. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'proto')) && existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`no package root above ${start}`)
  }
}
