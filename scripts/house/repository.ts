/** Access to the files of the repository, on disk or in memory. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'

/** The files of the repository, by their paths from its root with slashes. */
export type Repository = {
  readonly paths: readonly string[]
  has(path: string): boolean
  /** Read once and kept. @throws when there is no such file. */
  text(path: string): string
}

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.tap', '.data'])

export function readRepository(root: string = packageRoot): Repository {
  const paths = pathsBelow(root, '')
  const known = new Set(paths)
  const texts = new Map<string, string>()
  return {
    paths,
    has: (path) => known.has(path),
    text(path) {
      const kept = texts.get(path)
      if (kept !== undefined) return kept
      const text = readFileSync(join(root, path), 'utf8')
      texts.set(path, text)
      return text
    },
  }
}

/** A repository in memory, for tests of the rules. */
export function memoryRepository(files: Readonly<Record<string, string>>): Repository {
  const paths = Object.keys(files)
  return {
    paths,
    has: (path) => files[path] !== undefined,
    text(path) {
      const text = files[path]
      if (text === undefined) throw new Error(`no file ${path}`)
      return text
    },
  }
}

function pathsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    if (SKIPPED.has(name)) return []
    const path = folder === '' ? name : `${folder}/${name}`
    return statSync(join(root, path)).isDirectory() ? pathsBelow(root, path) : [path]
  })
}
