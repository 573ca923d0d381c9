// The recorded time of each test file, which orders a run.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../ensure.mjs'
import { tierOf } from './test-files.mjs'

const RECORDED = join(root, 'scripts', 'testing', 'costs.json')
/** Seconds. Shorter times are not recorded. */
const SECONDS_MIN = 0.5
/** The assumed time of a file without a record, by tier. */
const USUAL = { faults: 40, integration: 5, clients: 5, console: 60, sim: 30 }

/**
 * Sorts files so that the longest come first.
 * @param {readonly string[]} paths
 * @param {Readonly<Record<string, number>>} costs
 */
export function longestFirst(paths, costs = readCosts()) {
  const costOf = (path) => costs[path] ?? USUAL[tierOf(path)] ?? 0
  return [...paths].sort((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))
}

function readCosts() {
  return JSON.parse(readFileSync(RECORDED, 'utf8'))
}

/**
 * Keeps the times of a run for later ones.
 * @param times `{ name, seconds }` of each file that ran.
 * @param tests all there are: what is no test any more is dropped.
 */
export function recordCosts(times, tests) {
  const all = {
    ...readCosts(),
    ...Object.fromEntries(times.map(({ name, seconds }) => [name, seconds])),
  }
  const entries = Object.entries(all)
    .filter(([path, seconds]) => tests.includes(path) && seconds >= SECONDS_MIN)
    .map(([path, seconds]) => [path, Math.round(seconds * 2) / 2])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
}
