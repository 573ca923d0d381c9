/** Finds the files that comments and documents name, and checks that they exist. */
import { posix } from 'node:path'
import type { Repository } from './repository.ts'

/** A file or folder of the repository that a text names. */
export type Reference = { readonly path: string; readonly line: number; readonly named: string }

const DOCUMENT = /(?<![\w./<*-])[\w.-]+(?:\/[\w.-]+)*\.md\b/g
const QUOTED = /`([^`\s]+)`/g
const SOURCE = /^[\w.<>*/-]+\.(?:ts|mjs|mts|proto|sql)$/
/** A source in a command of a document, or anywhere else in a text. */
const IN_A_COMMAND =
  /(?<![\w./<*`-])(?:src|gateway|cluster|bench|test|scripts)\/[\w./-]+\.(?:ts|tsx|mjs)\b(?!`)/g
const BELOW_A_TOP_FOLDER =
  /^(?:src|gateway|cluster|proto|bench|test|docs|deploy|examples|scripts|migrations)\/[\w.<>*/-]*$/

/**
 * The files of the repository that the comments of a source or the text of a document name:
 * documents and sources anywhere, folders in back quotes.
 */
export function referencesOf(path: string, text: string): readonly Reference[] {
  if (path.endsWith('.md')) return referencesIn(path, 1, text)
  const found: Reference[] = []
  let line = 1
  let end = 0
  for (const comment of text.matchAll(COMMENTS[posix.extname(path)] ?? SLASHES)) {
    if (!/`|\.md\b/.test(comment[0])) continue
    line += text.slice(end, comment.index).split('\n').length - 1
    end = comment.index
    found.push(...referencesIn(path, line, comment[0]))
  }
  return found
}

function referencesIn(path: string, first: number, text: string): readonly Reference[] {
  return text.split('\n').flatMap((line, index) => {
    const documents = line.includes('.md')
      ? [...line.matchAll(DOCUMENT)].map(([named]) => named)
      : []
    const quoted = [...line.matchAll(QUOTED)]
      .map(([, named = '']) => named)
      .filter((named) => SOURCE.test(named) || BELOW_A_TOP_FOLDER.test(named))
    const commands = [...line.matchAll(IN_A_COMMAND)].map(([named]) => named)
    return [...documents, ...quoted, ...commands].map((named) => ({
      path,
      line: first + index,
      named,
    }))
  })
}

/**
 * Checks that a reference leads to a file: from the root, from the folder of the file, or, for a
 * name without its first folders, as the end of a path. `<name>` and `*` match any text.
 */
export function referenceCheck({ paths }: Repository): (reference: Reference) => boolean {
  const known = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= parts.length; to++) known.add(parts.slice(from, to).join('/'))
  }
  return ({ path, named }) => {
    const wanted = named.replace(/\/$/, '')
    if (known.has(wanted) || known.has(posix.join(posix.dirname(path), wanted))) return true
    if (!/[<*]/.test(wanted)) return false
    const pattern = new RegExp(
      `^${wanted
        .split(/<[^>]*>|\*+/)
        .map(escaped)
        .join('[^/]*')}$`,
    )
    return [...known].some((path) => pattern.test(path))
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const COMMENTS: Readonly<Record<string, RegExp>> = {
  '.sql': /--.*$/gm,
  '.yaml': /#.*$/gm,
  '.yml': /#.*$/gm,
}
const SLASHES = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm
