/** Runs made-up test files through the runner of `npm test`. */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { type RunOptions, runTests } from '../../scripts/testing/run-tests.mjs'
import { packageRoot } from '../../src/core/package-root.ts'

const BUILD = join(packageRoot, 'node_modules', '.cache', 'sluice', 'test-build')
const TAP = join(BUILD, 'node_modules', 'tap', 'index.js')

/** Result of a run: failures and shaky tests by title, and the last output of each file. */
export type Outcome = {
  readonly passed: boolean
  readonly count: number
  readonly failures: readonly string[]
  readonly shaky: readonly string[]
  readonly told: readonly string[]
}

/** Writes modules of test files; gives the options that make a run take them. */
export function writeFiles(t: Test, files: Readonly<Record<string, string>>): RunOptions {
  const folder = t.testdir()
  const moduleOf = (file: string) => join(folder, basename(file).replace(/ts$/, 'mjs'))
  for (const [file, code] of Object.entries(files)) {
    writeFileSync(moduleOf(file), `import t from ${JSON.stringify(TAP)}\n${code}\n`)
  }
  return { moduleOf, tapFile: join(folder, 'run.tap') }
}

/** Runs made-up test files as `npm test` would. The first folder below `test` decides how, as there. */
export async function runFiles(
  t: Test,
  files: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<Outcome> {
  const told: string[] = []
  const { passed, summary } = await runTests(Object.keys(files), {
    ...writeFiles(t, files),
    tell: (line) => told.push(line.replace(/ [\d.]+ s$/, '')),
    ...options,
  })
  const failures = summary.failures.flatMap(({ title, assertions }) => [
    title,
    ...assertions.map((each) => `${title}: ${each.title}`),
  ])
  const shaky = summary.shaky.map(({ title }) => title)
  return { passed, count: summary.passed, failures, shaky, told }
}
