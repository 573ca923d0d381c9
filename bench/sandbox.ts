/**
 * How many events a second does one sandboxed `processEvent` take, on one thread? Sends batches of
 * 128 events with 20 properties, one of which the plugin changes. Prints the median of 5 runs of 2
 * s. On a busy machine processor time says more than wall time, since threads of plugins have the
 * lowest priority. Run: `npx tsx bench/sandbox.ts`.
 */
import { systemClock } from '../src/core/clock.ts'
import { projectId } from '../src/core/ids.ts'
import { silentLog } from '../src/core/log.ts'
import type { PluginEvent, PluginHost } from '../src/plugins/ports.ts'
import { createSandboxLoader } from '../src/plugins/sandbox/sandbox-loader.ts'
import { createSourceCompiler } from '../src/plugins/settings/source-code.ts'
import type { PluginDefinition } from '../src/project/plugin-ports.ts'

const RUNS = 5
const RUN_MS = 2_000
const BATCH_EVENTS = 128
const SOURCES = {
  plain: `export function processEvent(event) {
    event.properties.$property_3 = 'changed'
    return event
  }`,
  async: `export async function processEvent(event) {
    event.properties.$property_3 = 'changed'
    return event
  }`,
}

function benchEvent(at: number): PluginEvent {
  const entries = Array.from({ length: 20 }, (_, n) => [
    `$property_${n}`,
    n % 3 === 0 ? n * at : `some value of property ${n}`,
  ])
  return {
    uuid: '018f0000-0000-7000-8000-000000000001',
    event: '$pageview',
    distinct_id: `user-${at}`,
    team_id: 1,
    properties: Object.fromEntries(entries),
    timestamp: '2024-01-01T00:00:00.000Z',
    now: '2024-01-01T00:00:00.000Z',
    ip: '203.0.113.7',
    site_url: 'http://localhost:8000',
  }
}

const none = async () => {
  throw new Error('not of use here')
}
const host: PluginHost = {
  storage: { get: none, set: none, del: none },
  cache: {
    get: none,
    set: none,
    incr: none,
    expire: none,
    lpush: none,
    lrange: none,
    llen: none,
    lpop: none,
    lrem: none,
  },
  enqueueJob: none,
  locate: none,
  fetch: none,
  capture: none,
  cursor: { init: none, increment: none },
  log: () => {},
}

function definition(source: string): PluginDefinition {
  return {
    projectId: projectId(1),
    organizationId: '01800000-0000-7000-8000-000000000001',
    step: { configId: 1, pluginId: 1, pluginName: 'Bench', order: 1, stamp: '1' },
    settings: {},
    attachments: new Map(),
    logLevel: 0,
    code: { kind: 'source', file: 'index.ts', source },
  }
}

/** Median, lowest and highest. */
function shown(rates: number[]): string {
  const [first = 0, ...others] = rates.map(Math.round).sort((a, b) => a - b)
  const all = [first, ...others]
  return `${all[Math.floor(all.length / 2)]} (min ${first}, max ${all.at(-1)})`
}

const loader = createSandboxLoader({
  clock: systemClock,
  log: silentLog,
  compile: createSourceCompiler(),
})
const events = Array.from({ length: BATCH_EVENTS }, (_, at) => benchEvent(at))
for (const [name, source] of Object.entries(SOURCES)) {
  const loaded = await loader.load(definition(source), host)
  if (!loaded.ok) throw new Error(loaded.error.message)
  const rates: number[] = []
  const cpuRates: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const start = performance.now()
    const cpu = process.cpuUsage()
    let count = 0
    while (performance.now() - start < RUN_MS) {
      const answers = await loaded.instance.process(events)
      count += answers.filter(({ kind }) => kind === 'kept').length
    }
    // The first run warms up.
    if (run === 0) continue
    rates.push((count * 1_000) / (performance.now() - start))
    const { user, system } = process.cpuUsage(cpu)
    cpuRates.push((count * 1_000_000) / (user + system))
  }
  process.stdout.write(`${name}: ${shown(rates)} events/s\n`)
  process.stdout.write(`${name}: ${shown(cpuRates)} events/s of processor time, both threads\n`)
  await loaded.instance.teardown()
}
await loader.close()
