/**
 * What does a tenfold burst do? Captures at a steady rate, at ten times that for a minute, and at
 * the steady rate again in runs of five seconds until it is served as before. Every accepted event
 * must be stored once. Run: `npx tsx bench/burst.ts [RATE]`, after `npm run build`.
 */
import { systemClock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { silentLog } from '../src/core/log.ts'
import { runBench } from './load/bench.ts'
import type { BenchPlan } from './load/plan.ts'
import { startProduct } from './load/product.ts'

const RATE_PER_S = Number(process.argv[2] ?? 1_500)
const BURST = 10
const STEADY_S = 20
const BURST_S = 60
const STEP_S = 5
const STEPS_MAX = 12
/** Of the p99 before: machines that others use are not steady themselves. */
const AS_BEFORE = 2

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new AppError('cancelled', 'interrupted')))
const product = await startProduct(systemClock, {
  topology: 'split',
  projects: 1,
  environment: {},
  signal: stop.signal,
})

function planOf(ratePerS: number, seconds: number, seed: number): BenchPlan {
  return {
    workload: {
      kind: 'capture',
      batch: 1,
      properties: 10,
      valueBytes: 16,
      webProperties: false,
      gzipShare: 0,
      uuidVersion: 7,
    },
    url: product.url,
    projects: product.projects,
    databaseUrl: product.databaseUrl,
    model: { kind: 'open', ratePerS, arrivals: 'poisson' },
    connections: 5_000,
    warmupMs: 0,
    durationMs: seconds * 1_000,
    runs: 1,
    timeoutMs: 10_000,
    backlogMax: 10_000,
    distinctIds: 100_000,
    zipfExponent: undefined,
    seed,
    expectedIntervalMs: undefined,
    thresholds: [],
    readBack: true,
    drainMs: 60_000,
    groups: product.groups,
    settings: {},
  }
}

async function run(name: string, ratePerS: number, seconds: number, seed: number) {
  const plan = planOf(ratePerS, seconds, seed)
  const { runs, conservation } = await runBench({ clock: systemClock, log: silentLog }, plan)
  const [only] = runs
  if (only === undefined) throw new AppError('internal', 'no run was made')
  const { figures, statuses, processes } = only
  const memory = processes.map(({ name, rssMbPeak }) => `${name} ${Math.round(rssMbPeak)} MB`)
  const line = [
    `${name}: asked ${ratePerS}/s, accepted ${Math.round(figures.rps)}/s`,
    `shed ${figures.shed}, errors ${figures.errors}`,
    `p50 ${figures.p50} ms, p99 ${figures.p99} ms of those served`,
    `answers ${JSON.stringify(statuses)}`,
    memory.join(', '),
    `conservation ${conservation?.verdict === 'holds' ? 'holds' : JSON.stringify(conservation)}`,
  ]
  process.stdout.write(`${line.join('; ')}\n`)
  return figures
}

try {
  const before = await run('before', RATE_PER_S, STEADY_S, 1)
  await run('burst', BURST * RATE_PER_S, BURST_S, 2)
  const endedAt = systemClock.monotonic()
  for (let step = 1; step <= STEPS_MAX; step++) {
    const after = await run('after', RATE_PER_S, STEP_S, 2 + step)
    if (after.shed + after.errors > 0 || after.p99 > AS_BEFORE * before.p99) continue
    const seconds = Math.round((systemClock.monotonic() - endedAt) / 1_000)
    process.stdout.write(`served as before within ${seconds} s of the burst\n`)
    break
  }
} finally {
  await product.stop()
}
