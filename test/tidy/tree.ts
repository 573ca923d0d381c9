import { readRepository } from '../../scripts/house/repository.ts'
import { readTree } from '../../scripts/house/tree.ts'

/** The one reading of the repository that all rules share. */
export const repository = readRepository()
export const tree = readTree(repository)

const GENERATED = /^gateway\/client\//

/** Sources in TypeScript that are written by hand. */
export const sources = tree.sources.filter((path) => /\.tsx?$/.test(path) && !GENERATED.test(path))
/** Sources that are shipped and serve. */
export const product = sources.filter((path) => /^(?:src|gateway|cluster)\//.test(path))

/** Paths of the files that a file refers to. */
export function targetsOf(path: string): readonly string[] {
  return tree.importsOf(path).map(({ target }) => target)
}

/** Code without comments, for rules about words that mean code, not sentences. */
export function codeOf(path: string): string {
  return repository
    .text(path)
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
}

/** Whether a file holds the words of these rules, so that they do not mean it. */
export function isRule(path: string): boolean {
  return path.startsWith('test/tidy/')
}

/** Whether a file is in one of the rooms of SQL. */
export function mayHoldSql(path: string): boolean {
  return /^src\/(?:postgres|embedded|store|event-store|replication|privacy|backup)\//.test(path)
}
