/**
 * What does a tenfold burst do? Captures at a steady rate, at ten times that for a minute, and at
 * the steady rate again in runs of five seconds until it is served as before. Every accepted event
 * must be stored once. Run: `npx tsx bench/burst.ts [RATE]`, after `npm run build`.
 */
import { systemClock } from '../src/core/clock.ts'
import { runOnce, startSplit, WORKLOADS } from './load/single-run.ts'

const RATE_PER_S = Number(process.argv[2] ?? 1_500)
const BURST = 10
const STEADY_S = 20
const BURST_S = 60
const STEP_S = 5
const STEPS_MAX = 12
/** Of the p99 before: machines that others use are not steady themselves. */
const AS_BEFORE = 2

const { product } = await startSplit()

async function step(name: string, ratePerS: number, seconds: number, seed: number) {
  const { report, run } = await runOnce({
    product,
    workload: WORKLOADS.capture,
    model: { kind: 'open', ratePerS, arrivals: 'poisson' },
    connections: 5_000,
    durationMs: seconds * 1_000,
    backlogMax: 10_000,
    seed,
    readBack: true,
    drainMs: 60_000,
  })
  const { figures, statuses, processes } = run
  const { conservation } = report
  const memory = processes.map((each) => `${each.name} ${Math.round(each.rssMbPeak)} MB`)
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
  const before = await step('before', RATE_PER_S, STEADY_S, 1)
  await step('burst', BURST * RATE_PER_S, BURST_S, 2)
  const endedAt = systemClock.monotonic()
  for (let count = 1; count <= STEPS_MAX; count++) {
    const after = await step('after', RATE_PER_S, STEP_S, 2 + count)
    if (after.shed + after.errors > 0 || after.p99 > AS_BEFORE * before.p99) continue
    const seconds = Math.round((systemClock.monotonic() - endedAt) / 1_000)
    process.stdout.write(`served as before within ${seconds} s of the burst\n`)
    break
  }
} finally {
  await product.stop()
}
