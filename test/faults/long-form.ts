/**
 * The long form: `npm run test:faults -- --long [names]`. Each scenario has a cluster of its own, at
 * the promised load; the promises that no fault excuses are asserted, the figures are a table.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import { assertKept, startWorld } from './harness/world.ts'
import { killLoop } from './long/kill-loop.ts'
import { SCENARIOS } from './long/scenarios.ts'
import { type Row, rowOf, tableOf } from './long/table.ts'

/** 500 events a second: half of them alone, half of them in batches of five. */
const RATES = { capture: 250, batch: 50, decide: 100, changes: 2, persons: 4 }
/** Promised bound; with NATS away other gateways have 2 s. */
const NEWS_MS = 2_000

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 32))
const names = process.argv.slice(2)
const isAsked = (name: string) => names.length === 0 || names.some((part) => name.includes(part))
const scenarios = [...SCENARIOS, killLoop(seed)].filter(({ name }) => isAsked(name))
const rows: Row[] = []

t.setTimeout(0)
t.test('the long form', { timeout: 0 }, async (t) => {
  for (const { name, workers = 3, spills, refuses, run } of scenarios) {
    await t.test(name, { timeout: 1_800_000 }, async (t) => {
      const world = await startWorld(t, { workers, gateways: 2, rates: RATES, fsync: true })
      if (spills) await world.load.set({ persons: false })
      const { span, also } = await run(t, world)
      const outcome = await world.finish({ changeMs: NEWS_MS })
      rows.push(rowOf(name, world, { span, outcome, also }))
      keep(tableOf(rows))
      assertKept(t, outcome, { mayShed: refuses === true })
    })
  }
})

/** Writes the table after each scenario, so that an interrupted run has its results so far. */
function keep(table: string): void {
  const path = process.env['SLUICE_FAULTS_TABLE']
  if (path === undefined) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, table)
}
