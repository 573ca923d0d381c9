/**
 * Where does each microsecond of an event go? Starts the product, loads it, and profiles each of
 * its processes for some seconds. Prints time by stage and by function, and bytes allocated, an
 * event.
 * Run, after `npm run build`:
 * `npx tsx bench/profile.ts [capture|batch|pages|page-batch|decide|cold|flag]`
 * `[--functions N] [--connections N] [--warmup S] [--events-url URL]`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { packageRoot } from '../src/core/package-root.ts'
import { runOnce, startSplit, WORKLOADS } from './load/single-run.ts'
import { allocationsOf, type Spent, timesOf } from './profile/read-profile.ts'

/** Stages of an event by the code that runs; the first pattern that matches counts. */
const STAGES: readonly (readonly [stage: string, fits: RegExp])[] = [
  ['garbage collection', /^ \(garbage collector\)$/],
  ['native code: sockets, uWebSockets.js, built-in functions', /^ /],
  ['HTTP in and out', /^gateway\/http\//],
  ['decode the body', /^gateway\/body\//],
  [
    'encode and decode protobuf',
    /^(node_modules\/(protobufjs|@protobufjs|long)|src\/(wire\/proto|events\/batch-(en|de)coder))/,
  ],
  ['parse and normalise', /^src\/(events|wire\/validation)/],
  ['answer of decide', /^(gateway\/(cache|decide|cached)|src\/flags)/],
  ['micro-batches and routing', /^gateway\//],
  ['gRPC', /^node_modules\/@grpc/],
  ['HTTP/2 of Node', /^node:internal\/http2/],
  ['SQL driver', /^node_modules\/postgres/],
  ['Redis driver', /^node_modules\/(redis|@redis)/],
  ['NATS driver', /^node_modules\/nats/],
  ['writer and store', /^src\/(ingest|store|worker\/worker-writer)/],
  ['actors and RPC of the worker', /^src\/(actor|project|rpc|persons|plugins)/],
  ['cluster', /^cluster\//],
  ['rest of the product', /^(src|proto)\//],
  ['streams, timers and events of Node', /^node:/],
]

type Share = { readonly stage: string; readonly amount: number }

/** Sums by stage, the largest first. */
function stagesOf(spent: readonly Spent[]): Share[] {
  const sums = new Map<string, number>()
  for (const { where, name, amount } of spent) {
    const stage = stageOf(`${where} ${name}`)
    sums.set(stage, amount + (sums.get(stage) ?? 0))
  }
  return [...sums].map(([stage, amount]) => ({ stage, amount })).sort((a, b) => b.amount - a.amount)
}

function stageOf(text: string): string {
  return STAGES.find(([, fits]) => fits.test(text))?.[0] ?? 'anything else'
}

const DURATION_MS = 10_000
const LOOK_AFTER_MS = 2_000
const LOOK_MS = 6_000
const WRITE_MS_MAX = 30_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    functions: { type: 'string', default: '12' },
    connections: { type: 'string', default: '64' },
    // At these rates Node compiles hot code for half a minute.
    warmup: { type: 'string', default: '40' },
    // An empty database of ClickHouse.
    'events-url': { type: 'string' },
  },
})
const [name = 'capture'] = positionals
if (!isWorkload(name)) {
  throw new AppError('invalid_argument', `one of ${Object.keys(WORKLOADS).join(', ')}`)
}
const workload = WORKLOADS[name]
const warmupMs = Number(values.warmup) * 1_000

const folder = mkdtempSync(join(tmpdir(), 'sluice-profile-'))
const preload = pathToFileURL(join(packageRoot, 'bench', 'profile', 'preload.mjs')).href
const eventsUrl = values['events-url']
const { product, signal } = await startSplit({
  columns: eventsUrl === undefined ? undefined : { url: eventsUrl },
  environment: { NODE_OPTIONS: `--import ${preload}`, SLUICE_PROFILE_DIR: folder },
})
try {
  const watched = product.groups.filter(({ name }) => /^(worker|gateway)-/.test(name))
  const processes = watched.map((group) => ({ of: group.name, pid: group.pids()[0] ?? 0 }))
  const toggle = () => {
    for (const { pid } of processes) process.kill(pid, 'SIGUSR2')
  }
  const looking = (async () => {
    await systemClock.sleep(warmupMs + LOOK_AFTER_MS, signal)
    toggle()
    await systemClock.sleep(LOOK_MS, signal)
    toggle()
  })()
  const { run } = await runOnce({
    product,
    workload,
    model: { kind: 'closed' },
    connections: Number(values.connections),
    warmupMs,
    durationMs: DURATION_MS,
  })
  await looking
  const perS =
    workload.kind === 'decide' || workload.kind === 'management' ? run.figures.rps : run.figures.eps
  const seen = perS * (LOOK_MS / 1_000)
  print(`${name}: ${Math.round(perS)}/s, p99 ${run.figures.p99} ms`)
  for (const { name: of, cpuPercent } of run.processes) {
    print(`${of}: ${((cpuPercent * 10_000) / perS).toFixed(1)} us of processor time each`)
  }
  for (const { of, pid } of processes) {
    print(`\n## ${of}`)
    const times = timesOf(await profileOf(pid, 'cpu'))
    table('us', stagesOf(times), seen)
    functions('us', times, seen)
    functions('bytes', allocationsOf(await profileOf(pid, 'heap')), seen)
  }
} finally {
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function profileOf(pid: number, kind: 'cpu' | 'heap') {
  const giveUpAt = systemClock.monotonic() + WRITE_MS_MAX
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(folder, `${pid}.${kind}.json`), 'utf8'))
    } catch (error) {
      if (systemClock.monotonic() > giveUpAt) throw error
      await systemClock.sleep(200, signal) // The file is not complete yet.
    }
  }
}

function table(unit: string, rows: readonly { stage: string; amount: number }[], seen: number) {
  const all = rows.reduce((sum, { amount }) => sum + amount, 0)
  print(`${(all / seen).toFixed(1).padStart(8)} ${unit} in all`)
  for (const { stage, amount } of rows) {
    print(`${(amount / seen).toFixed(1).padStart(8)} ${unit} ${stage}`)
  }
}

function functions(unit: string, spent: readonly Spent[], seen: number) {
  print('')
  for (const { where, name, amount } of spent.slice(0, Number(values.functions))) {
    print(`${(amount / seen).toFixed(1).padStart(8)} ${unit} ${name} ${where}`)
  }
}

function isWorkload(name: string): name is keyof typeof WORKLOADS {
  return Object.hasOwn(WORKLOADS, name)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
