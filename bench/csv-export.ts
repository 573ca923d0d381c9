/**
 * How much memory does a CSV export of 100,000 events take? Starts the product, stores the events,
 * reads the export quickly and slowly, and prints time, size and the growth of memory.
 * Run: `npx tsx bench/csv-export.ts [--split]`, after `npm run build`.
 */
import { readFileSync } from 'node:fs'
import { systemClock } from '../src/core/clock.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { startProduct } from './load/machine/product.ts'
import { isManaged } from './load/workload/management-api.ts'
import { storeEvents } from './load/workload/stored-events.ts'

const EVENTS = 100_000
const SAMPLE_MS = 20
const WARM_UP_LIMIT = 2_000

const topology = process.argv.includes('--split') ? 'split' : 'standalone'
const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('interrupted')))
const product = await startProduct(systemClock, {
  topology,
  projects: 1,
  environment: {},
  signal: stop.signal,
})
try {
  const [project] = product.projects
  if (project === undefined || !isManaged(project)) throw new Error('no project')
  const nowMs = systemClock.now()
  await storeEvents(product.url, project, { count: EVENTS, distinctIds: 10_000, seed: 1, nowMs })
  const url = `${product.url}/api/projects/${project.projectId}/events/?format=csv&limit=`
  const key = project.personalApiKey
  await read(`${url}${WARM_UP_LIMIT}`, key, 0)
  const rows = []
  for (const pauseMs of [0, 0, 0, 2]) rows.push(await measured(`${url}${EVENTS}`, key, pauseMs))
  const report = { environment: readEnvironment(), topology, events: EVENTS, rows }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
} finally {
  await product.stop()
}

async function measured(address: string, personalKey: string, pauseMs: number) {
  const before = rssBytes()
  let peak = before
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      peak = Math.max(peak, rssBytes())
      await systemClock.sleep(SAMPLE_MS)
    }
  })()
  const startedAt = systemClock.monotonic()
  const { bytes, lines } = await read(address, personalKey, pauseMs)
  isDone = true
  await watch
  const ms = Math.round(systemClock.monotonic() - startedAt)
  return { pauseMs, ms, lines, megabytes: megabytes(bytes), grownMb: megabytes(peak - before) }
}

/** @param pauseMs pause after each piece, for a reader that is slower than the export. */
async function read(address: string, personalKey: string, pauseMs: number) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${personalKey}` } })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`the export answered ${response.status}: ${await response.text()}`)
  }
  let bytes = 0
  let lines = 0
  for await (const piece of response.body) {
    bytes += piece.length
    for (const byte of piece) if (byte === 10) lines += 1
    if (pauseMs > 0) await systemClock.sleep(pauseMs)
  }
  return { bytes, lines }
}

/** Resident memory of the product's processes without Postgres. */
function rssBytes(): number {
  let pages = 0
  for (const { name, pids } of product.groups) {
    if (name === 'postgres') continue
    for (const pid of pids()) {
      pages += Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0)
    }
  }
  return pages * 4_096
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 104_857.6) / 10
}
