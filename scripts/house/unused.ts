/** Finds exports that nothing uses. */
import type { Export } from './exports.ts'
import type { Tree } from './tree.ts'

/** An export without a user, and what to do about it. */
export type Unused = Export & {
  readonly path: string
  /**
   * `dead`: nothing uses it, not even its file. `own`: only its file uses it, so it need not be
   * exported. `tests`: only tests use it.
   */
  readonly why: 'dead' | 'own' | 'tests'
}

/**
 * Exports of the files of `paths` that no other file imports. An export that its own file uses may
 * exist for a test, and an exported type for other files' signatures that name it.
 */
export function unusedExports(tree: Tree, paths: readonly string[]): readonly Unused[] {
  const byProduct = namesAskedFor(
    tree,
    tree.sources.filter((path) => !isTest(path)),
  )
  const byTests = namesAskedFor(tree, tree.sources.filter(isTest))
  return paths.flatMap((path) =>
    tree.exportsOf(path).flatMap((found): readonly Unused[] => {
      if (asksFor(byProduct, path, found.name)) return []
      const isTested = asksFor(byTests, path, found.name)
      if (found.isUsedHere && (isTested || found.kind === 'type')) return []
      const why = isTested ? 'tests' : found.isUsedHere ? 'own' : 'dead'
      return [{ ...found, path, why }]
    }),
  )
}

function isTest(path: string): boolean {
  return path.startsWith('test/')
}

/** The imported names of each file; `undefined` means all. */
type Asked = ReadonlyMap<string, ReadonlySet<string> | undefined>

function asksFor(asked: Asked, path: string, name: string): boolean {
  return asked.has(path) && (asked.get(path)?.has(name) ?? true)
}

function namesAskedFor(tree: Tree, paths: readonly string[]): Asked {
  const asked = new Map<string, Set<string> | undefined>()
  const add = (target: string, names: readonly string[] | undefined): void => {
    if (asked.has(target) && asked.get(target) === undefined) return
    if (names === undefined) {
      asked.set(target, undefined)
    } else {
      const known = asked.get(target) ?? new Set()
      for (const name of names) known.add(name)
      asked.set(target, known)
    }
    passOn(target, names)
  }
  /** A name that is imported from a file which re-exports another one may be the other's. */
  const passOn = (target: string, names: readonly string[] | undefined): void => {
    if (!tree.repository.has(target)) return
    if (!tree.repository.text(target).includes('export * from')) return
    for (const { target: behind, kind, names: passed } of tree.importsOf(target))
      if (kind === 'reexport' && passed === undefined) add(behind, names)
  }
  for (const path of paths)
    for (const { target, kind, names } of tree.importsOf(path))
      if (kind !== 'reexport' || names !== undefined) add(target, names)
  return asked
}
