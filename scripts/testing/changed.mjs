// Finds the tests that a change reaches: the tests that import a changed file, directly or not.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, say } from '../ensure.mjs'
import { buildTests } from './test-build.mjs'
import { allTests } from './test-files.mjs'

/**
 * The tests that reach the files which differ from `base`, new files included. A test that starts
 * the product reaches all of it, which no import shows: `npm test` runs those.
 * @throws {Error} when git does not know `base`.
 */
export async function changedTests(base = 'HEAD') {
  const changed = [
    ...git(['diff', '--name-only', base, '--']),
    ...git(['ls-files', '--others', '--exclude-standard']),
  ]
  const imports = await buildTests()
  const { tests, unreached } = testsReaching(changed, imports, allTests(), sourceText)
  for (const path of unreached) say(`no test imports ${path}`)
  return tests
}

/**
 * @param {readonly string[]} changed
 * @param {ReadonlyMap<string, readonly string[]>} imports files that each source imports.
 * @param {readonly string[]} tests
 * @param {(path: string) => string} textOf text of a source, for files that are read, not imported.
 * @returns {{ tests: readonly string[], unreached: readonly string[] }} `unreached`: changed files
 * that no test of `tests` reaches.
 */
export function testsReaching(changed, imports, tests, textOf) {
  const importers = importersOf(imports)
  const found = new Set()
  const unreached = []
  for (const path of changed) {
    const starts = isImported(path, imports, importers) ? [path] : readersOf(path, imports, textOf)
    const reached = reachedFrom(starts, importers)
    const isReached = tests.some((test) => reached.has(test))
    if (!isReached) unreached.push(path)
    for (const test of tests) if (reached.has(test)) found.add(test)
  }
  return { tests: [...found], unreached }
}

function isImported(path, imports, importers) {
  return importers.has(path) || (imports.has(path) && /\.(test|fault)\.ts$/.test(path))
}

function importersOf(imports) {
  const importers = new Map()
  for (const [path, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  }
  return importers
}

/** Sources that name the file, or the folder that it is in: `a/b`, or `'a', 'b'`. */
function readersOf(path, imports, textOf) {
  const names = [path, dirname(path)].filter((name) => name !== '.')
  const forms = names.flatMap((name) => [
    `'${name}'`,
    `${name}/`,
    `'${name.split('/').join("', '")}'`,
  ])
  return [...imports.keys()].filter((source) => {
    const text = textOf(source)
    return source === path || forms.some((form) => text.includes(form))
  })
}

function reachedFrom(starts, importers) {
  const reached = new Set(starts)
  for (const path of reached)
    for (const importer of importers.get(path) ?? []) reached.add(importer)
  return reached
}

function sourceText(path) {
  return readFileSync(join(root, path), 'utf8')
}

function git(args) {
  const text = execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  return text.split('\n').filter((line) => line !== '')
}
