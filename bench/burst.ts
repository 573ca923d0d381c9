/**
 * What does a tenfold burst do? Steady clients send events at a constant rate. For one minute,
 * burst clients send nine times as many beside them. Prints how both are served. The product must
 * shed what it cannot take with 503 and `Retry-After`, store every accepted event once, and serve
 * the steady clients as before within 30 s after the burst; otherwise the script exits with 1.
 * Run: `npx tsx bench/burst.ts [RATE] [--times 10] [--connections N] [--batch 1]`, after
 * `npm run build`. The generator needs as many open files as connections.
 */
import { Command } from 'commander'
import { systemClock } from '../src/core/clock.ts'
import {
  GATEWAY_INFLIGHT_BYTES_MAX,
  HTTP_INFLIGHT_REQUESTS_MAX,
} from '../src/core/limits/limits.ts'
import { type Span, servedAsBefore, spanOf } from './burst/spans.ts'
import { type Conservation, conservationOf, settledCount } from './load/conservation.ts'
import { withDatabase } from './load/machine/database.ts'
import type { Product } from './load/machine/product.ts'
import { decimalNumber, wholeNumber } from './load/plan/option-parsers.ts'
import type { RunReport } from './load/report/report.ts'
import { figure, textTable } from './load/report/text-table.ts'
import { runOnce, startSplit, stopWhenInterrupted, WORKLOADS } from './load/single-run.ts'
import { addCounts, type Counts, emptyCounts } from './load/tally.ts'

type Options = {
  times: number
  connections?: number
  batch: number
  seconds: number
  before: number
  after: number
}

/** More than a gateway takes, so that it must shed requests. */
const CONNECTIONS = 1.4 * HTTP_INFLIGHT_REQUESTS_MAX
/** Fewer, since the gateway's bound on bytes is met before its bound on requests. */
const CONNECTIONS_OF_BATCHES = 4_000
/** The other connections belong to the burst. */
const STEADY_SHARE = 1 / 4
/** Each connection is used at least this often, since servers close idle connections. */
const IDLE_S_MAX = 4
const BACKLOG_MAX = 10_000
/** Longest time that a load spends connecting; no span includes it. */
const CONNECT_S_MAX = 10
const DRAIN_MS = 60_000
const RECOVERY_S_MAX = 30

await new Command('burst')
  .description('what a tenfold burst does')
  .argument('[rate]', 'events a second before and after', wholeNumber(1, 1_000_000), 2_500)
  .option('--times <factor>', 'of the burst', decimalNumber(1.1, 1_000), 10)
  .option('--connections <count>', 'of all clients', wholeNumber(8, 100_000))
  .option('--batch <events>', 'in each request', wholeNumber(1, 10_000), 1)
  .option('--seconds <seconds>', 'of the burst', wholeNumber(1, 3_600), 60)
  .option('--before <seconds>', 'the second half is compared with', wholeNumber(2, 3_600), 20)
  .option('--after <seconds>', 'to be served as before', wholeNumber(10, 3_600), 45)
  .action(main)
  .parseAsync()

async function main(rate: number, options: Options): Promise<void> {
  const { product, signal } = await startSplit()
  stopWhenInterrupted(product, signal)
  try {
    const { steady, burst } = await loadBoth(product, rate, options)
    const problems = await tell(product, steady, burst, options)
    for (const problem of problems) print(`not as it must be: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  } finally {
    await product.stop()
  }
}

type Both = { readonly steady: RunReport; readonly burst: RunReport }

async function loadBoth(product: Product, rate: number, options: Options): Promise<Both> {
  const { batch, before, seconds, after } = options
  const connections = options.connections ?? (batch === 1 ? CONNECTIONS : CONNECTIONS_OF_BATCHES)
  const load = async (events: number, share: number, durationS: number, seed: number) => {
    const ratePerS = events / batch
    const { run } = await runOnce({
      product,
      workload: batch === 1 ? WORKLOADS.capture : { ...WORKLOADS.batch, batch },
      model: { kind: 'open', ratePerS, arrivals: 'poisson' },
      connections: Math.ceil(Math.min(connections * share, ratePerS * IDLE_S_MAX)),
      durationMs: durationS * 1_000,
      backlogMax: BACKLOG_MAX,
      seed,
    })
    return run
  }
  const burstLater = async () => {
    await systemClock.sleep((CONNECT_S_MAX + before) * 1_000)
    return await load(rate * (options.times - 1), 1 - STEADY_SHARE, seconds, 2)
  }
  const [steady, burst] = await Promise.all([
    load(rate, STEADY_SHARE, before + 2 * CONNECT_S_MAX + seconds + after, 1),
    burstLater(),
  ])
  return { steady, burst }
}

/** Prints the results. Returns the broken promises as sentences. */
async function tell(
  product: Product,
  steady: RunReport,
  burst: RunReport,
  { before, batch }: Options,
): Promise<string[]> {
  const startedAt = Date.parse(burst.startedAt) - Date.parse(steady.startedAt)
  const from = Math.floor(startedAt / 1_000)
  const to = Math.ceil((startedAt + burst.durationMs) / 1_000)
  const usual = spanOf(steady.seconds.slice(Math.floor(before / 2), before))
  const after = steady.seconds.slice(to)
  print(
    ...spansTable([
      ['before', usual],
      ['burst, steady clients', spanOf(steady.seconds.slice(from, to))],
      ['burst, its own clients', spanOf(burst.seconds)],
      ['after', spanOf(after)],
    ]),
  )
  const counts = emptyCounts()
  for (const run of [steady, burst]) addCounts(counts, run.counts)
  const bare = steady.shedWithoutRetryAfter + burst.shedWithoutRetryAfter
  print(`of ${counts.sent} requests ${counts.accepted} accepted, ${counts.shed} shed`)
  print(`shed without Retry-After: ${bare}; errors: ${errorsText(counts)}`)
  const unsent = (steady.open?.dropped ?? 0) + (burst.open?.dropped ?? 0)
  print(`never sent, as no connection came free in time: ${unsent}`)
  const peaks = steady.processes.map(({ name, rssMbPeak }) => `${name} ${Math.round(rssMbPeak)} MB`)
  print(`memory at most: ${peaks.join(', ')}`)
  for (const { generator } of [steady, burst]) {
    if (generator.saturated !== undefined) print(`generator saturated: ${generator.saturated}`)
  }
  const conservation = await conserve(product, counts, batch)
  const { verdict, accepted, stored, detail } = conservation
  print(`conservation ${verdict}: ${accepted} events accepted, ${stored} stored (${detail})`)
  const recoveryS = servedAsBefore(after, usual)
  print(
    recoveryS === undefined
      ? `not served as before in the ${after.length} s after the burst`
      : `served as before ${recoveryS} s after the burst`,
  )
  return problemsOf({ counts, bare, conservation, recoveryS })
}

function problemsOf(seen: {
  counts: Counts
  bare: number
  conservation: Conservation
  recoveryS: number | undefined
}): string[] {
  const problems: string[] = []
  if (seen.counts.shed === 0) {
    const megabytes = GATEWAY_INFLIGHT_BYTES_MAX / 1_048_576
    problems.push(
      `nothing was shed: less waited at the gateway than ${HTTP_INFLIGHT_REQUESTS_MAX} requests ` +
        `or ${megabytes} MB of bodies; a higher rate or more connections are needed`,
    )
  }
  if (seen.bare > 0) problems.push('a 503 did not say when to come again')
  if (errorsOf(seen.counts).length > 0) problems.push('there are errors besides 503')
  if (seen.conservation.verdict !== 'holds') problems.push(seen.conservation.detail)
  if ((seen.recoveryS ?? Number.POSITIVE_INFINITY) > RECOVERY_S_MAX) {
    problems.push(`not served as before within ${RECOVERY_S_MAX} s`)
  }
  return problems
}

/** Compares stored events with those of both loads; the product has no others. */
function conserve({ databaseUrl }: Product, counts: Counts, batch: number): Promise<Conservation> {
  return withDatabase(databaseUrl, async (sql) => {
    const readBack = async () => {
      const [row] = await sql<{ count: bigint }[]>`select count(*) from events`
      return Number(row?.count)
    }
    const options = { accepted: counts.accepted * batch, deadlineMs: DRAIN_MS }
    const stored = await settledCount({ clock: systemClock, readBack }, options)
    return conservationOf(counts, batch, stored)
  })
}

function spansTable(spans: readonly (readonly [string, Span])[]): string[] {
  return textTable({
    head: ['requests', 'sent/s', 'accepted/s', 'shed', 'errors', 'p99 ms', 'worst p99 ms'],
    rows: spans.map(([name, span]) => [
      name,
      figure(Math.round(span.sent / span.seconds)),
      figure(Math.round(span.accepted / span.seconds)),
      figure(span.shed),
      figure(span.errors),
      figure(span.p99),
      figure(span.p99Worst),
    ]),
  })
}

function errorsOf(counts: Counts): string[] {
  const kinds = ['refused', 'failed', 'invalid', 'timeout', 'reset', 'protocol'] as const
  return kinds.filter((kind) => counts[kind] > 0).map((kind) => `${kind} ${counts[kind]}`)
}

function errorsText(counts: Counts): string {
  return errorsOf(counts).join(', ') || 'none'
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
