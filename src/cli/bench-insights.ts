/** `sluice bench insights`: measures questions about events on a data set of its own. */
import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import {
  type InsightsBenchOptions,
  insightsReportText,
  runInsightsBench,
} from '../../bench/insights/insights-bench.ts'
import { decimalNumber, wholeNumber } from '../../bench/load/plan/option-parsers.ts'
import { problemWithPaths } from '../../bench/load/report/report-files.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { commandLog, print } from './command.ts'
import { onStopSignals, UsageError } from './command-end.ts'

const HELP = `
Starts this product with a Postgres of its own, writes the data set by SQL (5 million events take
minutes and 4 GB of the temporary folder), asks each question cold (past the cache), again with
nothing new, and again after a few events of today, and removes everything.`

type Options = Omit<InsightsBenchOptions, 'store'> & {
  readonly json?: string
  readonly eventsUrl?: string
}

/** Adds `insights` to the benches. The table goes to standard output, progress to standard error. */
export function registerInsightsBench(bench: Command): void {
  bench
    .command('insights')
    .description('ask questions about stored events')
    .option('--events <count>', 'events of 90 days', wholeNumber(1_000, 1e9), 5_000_000)
    .option('--persons <count>', 'persons of the events', wholeNumber(1, 1e8), 100_000)
    .option('--runs <count>', 'of each question in each state', wholeNumber(1, 1_000), 7)
    .option('--capture <rate>', 'also load captures and decides a second', decimalNumber(0.1, 1e6))
    .option('--duration <seconds>', 'of each load', decimalNumber(0.1, 3_600), 10)
    .option(
      '--events-url <url>',
      'of an empty database of ClickHouse, which gets a copy and answers',
    )
    .option('--json <file>', 'also write the report to this file')
    .addHelpText('after', HELP)
    .action(run)
}

async function run(options: Options): Promise<void> {
  const { events, persons, runs, capture, duration, json, eventsUrl } = options
  const problem = problemWithPaths(json === undefined ? {} : { json })
  if (problem !== undefined) throw new UsageError(`bench: ${problem}`)
  const stop = new AbortController()
  const off = onStopSignals({
    stop: () => stop.abort(new AppError('cancelled', 'interrupted')),
    force: () => process.exit(1),
  })
  try {
    const deps = { clock: systemClock, log: commandLog('info'), eventsUrl }
    const store = eventsUrl === undefined ? 'postgres' : 'clickhouse'
    const asked = { events, persons, runs, capture, duration, store } as const
    const report = await runInsightsBench(deps, asked, stop.signal)
    print(insightsReportText(report))
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  } finally {
    off()
  }
}
