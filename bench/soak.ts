/**
 * Does memory grow in steady use? Starts gateway and worker with all their stores and loads them at
 * a fixed rate for half an hour. Prints requests and memory of each minute, and the trend of memory
 * over the last two thirds: `flat` below 5 %, `unclear` when the change is within its own error.
 * Exits with 1 when a process group of the product grows, or an accepted event is not stored once.
 * Run: `npx tsx bench/soak.ts [--minutes 30] [--rate N] [--work capture|batch|decide|cold]`, after
 * `npm run build`.
 */
import { Command, Option } from 'commander'
import type { Product } from './load/machine/product.ts'
import { decimalNumber, wholeNumber } from './load/plan/option-parsers.ts'
import type { BenchReport } from './load/report/report.ts'
import { textTable } from './load/report/text-table.ts'
import { runOnce, startSplit, stopWhenInterrupted, WORKLOADS } from './load/single-run.ts'
import { minutesTable, trendsOf, trendsTable } from './soak/soak-tables.ts'

type Options = {
  minutes: number
  rate?: number
  work: keyof typeof WORKLOADS
  connections: number
}

/** Share of the rate of a closed run; used without `--rate`. */
const SHARE = 0.7
/** Node compiles hot code for half a minute. */
const WARMUP_MS = 30_000
const CLOSED_MS = 10_000
const DRAIN_MS = 60_000

await new Command('soak')
  .description('memory in steady use')
  .option('--minutes <minutes>', 'of load', decimalNumber(0.05, 10_080), 30)
  .option('--rate <requests>', 'a second, else 70 % of a closed run', wholeNumber(1, 1_000_000))
  .addOption(
    new Option('--work <kind>', 'of requests').choices(Object.keys(WORKLOADS)).default('capture'),
  )
  .option('--connections <count>', 'of the open model', wholeNumber(1, 10_000), 256)
  .action(soak)
  .parseAsync()

async function soak(options: Options): Promise<void> {
  const { product, signal } = await startSplit()
  stopWhenInterrupted(product, signal)
  try {
    const workload = WORKLOADS[options.work]
    const ratePerS = options.rate ?? (await findRate(product, options))
    print(`${options.work}, ${ratePerS} requests/s for ${options.minutes} minutes`)
    const { report, run } = await runOnce({
      product,
      workload,
      model: { kind: 'open', ratePerS, arrivals: 'poisson' },
      connections: options.connections,
      durationMs: options.minutes * 60_000,
      readBack: true,
      drainMs: DRAIN_MS,
    })
    const trends = trendsOf(run)
    print(...textTable(minutesTable(run)))
    print(...textTable(trendsTable(trends)))
    const { counts, figures, generator } = run
    print(`accepted ${counts.accepted}, errors ${figures.errors}, shed ${figures.shed}`)
    if (generator.saturated !== undefined) print(`generator saturated: ${generator.saturated}`)
    print(conservationText(report))
    const grown = trends.slice(1).filter(({ verdict }) => verdict === 'grows')
    if (grown.length > 0 || report.conservation?.verdict === 'broken') process.exitCode = 1
  } finally {
    await product.stop()
  }
}

/** Requests a second, from a closed run of a product that has warmed up. */
async function findRate(product: Product, { work }: Options): Promise<number> {
  const { run } = await runOnce({
    product,
    workload: WORKLOADS[work],
    model: { kind: 'closed' },
    warmupMs: WARMUP_MS,
    durationMs: CLOSED_MS,
  })
  print(`closed: ${Math.round(run.figures.rps)} requests/s, p99 ${run.figures.p99} ms`)
  return Math.max(1, Math.round(run.figures.rps * SHARE))
}

/** Counts only stored events of this load: earlier ones have another name. */
function conservationText({ conservation }: BenchReport): string {
  if (conservation === undefined) return 'conservation: nothing is stored'
  const { verdict, accepted, stored, detail } = conservation
  return `conservation ${verdict}: ${accepted} accepted, ${stored} stored (${detail})`
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
