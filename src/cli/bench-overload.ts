/** `sluice bench overload`: behaviour when more events arrive than can be stored. */
import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { startProduct, type Topology } from '../../bench/load/machine/product.ts'
import { numberList, wholeNumber } from '../../bench/load/plan/option-parsers.ts'
import { problemWithPaths } from '../../bench/load/report/report-files.ts'
import {
  CLICKHOUSE_FAULTS,
  type ClickHouseFault,
  startClickHouseRelay,
} from '../../bench/overload/clickhouse-relay.ts'
import { type OverloadOptions, runOverload } from '../../bench/overload/overload.ts'
import { overloadText } from '../../bench/overload/overload-text.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { commandLog, print } from './command.ts'
import { onStopSignals, UsageError } from './command-end.ts'

const HELP = `
Starts this product with a Postgres of its own, finds the highest rate of page views over the given
connections, and then offers it several times as many, with decides and management calls beside.
Latencies count from the moment a request was sent; those of decides and management calls from the
moment it should have been.

Exit status: 1 when an accepted event is not stored, or a 503 has no Retry-After; else 0.`

type Options = Omit<OverloadOptions, 'flushMs' | 'clickhouse'> & {
  readonly topology: Topology
  readonly slowFlushes: number
  readonly eventsUrl?: string
  readonly clickhouse?: ClickHouseFault
  readonly json?: string
}

/** Adds `overload` to the benches: the table to standard output, progress to standard error. */
export function registerOverloadBench(bench: Command): void {
  bench
    .command('overload')
    .description('offer several times as many captures as can be stored')
    .option('--topology <topology>', 'standalone or split', 'standalone')
    .option('--connections <count>', 'of the captures', wholeNumber(1, 100_000), 1_000)
    .option('--times <factors>', 'of the highest rate, a load for each', numberList, [3, 5, 10])
    .option('--seconds <seconds>', 'of each load', wholeNumber(1, 3_600), 60)
    .option('--busy <processes>', 'that compute beside the load', wholeNumber(0, 64), 0)
    .option('--slow-flushes <ms>', 'by which each takes longer', wholeNumber(0, 10_000), 0)
    .option('--events-url <url>', 'an empty database of ClickHouse for the events')
    .addOption(
      new Option('--clickhouse <fault>', 'of ClickHouse beside the load').choices([
        ...CLICKHOUSE_FAULTS,
      ]),
    )
    .option('--json <file>', 'also write the report to this file')
    .addHelpText('after', HELP)
    .action(run)
}

async function run(options: Options): Promise<void> {
  const { topology, slowFlushes: flushMs, json, eventsUrl, clickhouse: fault, ...rest } = options
  const problem = problemWithPaths(json === undefined ? {} : { json })
  if (problem !== undefined) throw new UsageError(`bench: ${problem}`)
  if (topology !== 'standalone' && topology !== 'split') {
    throw new UsageError('bench: --topology is standalone or split')
  }
  if (fault !== undefined && eventsUrl === undefined) {
    throw new UsageError('bench: --clickhouse needs --events-url')
  }
  const stop = new AbortController()
  const off = onStopSignals({
    stop: () => stop.abort(new AppError('cancelled', 'interrupted')),
    force: () => process.exit(1),
  })
  const deps = { clock: systemClock, log: commandLog('info') }
  const relay = eventsUrl === undefined ? undefined : await startClickHouseRelay(eventsUrl)
  const product = await startProduct(systemClock, {
    topology,
    projects: 1,
    environment: {},
    signal: stop.signal,
    columns: relay && { url: relay.url },
  })
  try {
    stop.signal.addEventListener('abort', () => void product.stop().then(() => process.exit(1)))
    const report = await runOverload(deps, product, {
      ...rest,
      flushMs,
      clickhouse: relay && fault && { relay, fault },
    })
    print(overloadText(report))
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
    const isBare = report.loads.some((load) => load.refusedWithoutRetryAfter > 0)
    if (report.lost > 0 || isBare) process.exitCode = 1
  } finally {
    await product.stop()
    await relay?.stop()
    off()
  }
}
