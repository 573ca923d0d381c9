// Paths of test files, and how each is run. A tier is the first folder below `test/`.
import { statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { filesIn, root } from '../ensure.mjs'

const TEST = /\.test\.ts$/
/** Files that only `npm run test:faults` runs, for their time. */
const FAULT = /\.fault\.ts$/
/** Files of these tiers start nothing that outlives them, and most take milliseconds. */
const UNITS = ['unit', 'contract']
/** Files that share a Postgres, in which each makes databases of its own, or start the product. */
const SERVERS = /^test\/(?:integration\/(?!scripts\/)|clients\/)/
/** Files that show pages in a browser, which they share. */
const BROWSER =
  /^test\/console\/|^test\/clients\/(?:.*-(?:browser|js|lite|page|web-provider)|examples|samples)\./
/** Their files may run the product from `dist`, NATS and Redis. */
const PRODUCT_TIERS = [
  'integration',
  'faults',
  'clients',
  'columns',
  'console',
  'contract',
  'fuzz',
  '',
]
/** A cluster of processes under load needs more than a test that waits for its database. */
const WEIGHTS = { faults: 2 }

/** Every file that `npm test` runs. */
export function allTests() {
  return filesBelow('test').filter((path) => TEST.test(path) && !isColumns(path))
}

/** Every file that is left to `npm run test:columns`, for the engine that it needs. */
export function allColumns() {
  return filesBelow('test').filter((path) => TEST.test(path) && isColumns(path))
}

/** Every file that is left to `npm run test:faults`. */
export function allFaults() {
  return filesBelow('test').filter((path) => FAULT.test(path))
}

/**
 * Test files that the paths name: files, and folders with all below them.
 * @throws {Error} when a path is not there or holds no test.
 */
export function testsAt(paths, folder = process.cwd()) {
  const found = paths.flatMap((given) => {
    const path = relative(root, resolve(folder, given))
    const entry = statSync(join(root, path), { throwIfNoEntry: false })
    if (entry === undefined) throw new Error(`${given} is not there`)
    if (!entry.isDirectory()) return [path]
    const tests = filesBelow(path).filter((file) => TEST.test(file))
    if (tests.length === 0) throw new Error(`${given} holds no test`)
    return tests
  })
  return [...new Set(found)]
}

export function tierOf(path) {
  const [, tier, ...rest] = path.split(sep)
  return rest.length === 0 ? '' : tier
}

export function isColumns(path) {
  return tierOf(path) === 'columns'
}

export function isUnit(path) {
  return UNITS.includes(tierOf(path))
}

/** The name of the group of files with which this one shares processes; `undefined` when it shares none. */
export function groupOf(path) {
  if (isUnit(path)) return 'units'
  if (BROWSER.test(path)) return 'browser'
  return SERVERS.test(path) ? 'servers' : undefined
}

export function needsProduct(path) {
  return PRODUCT_TIERS.includes(tierOf(path))
}

export function weightOf(path) {
  return WEIGHTS[tierOf(path)] ?? 1
}

function filesBelow(folder) {
  return filesIn(join(root, folder)).map((path) => relative(root, path))
}
