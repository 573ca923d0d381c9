/** `sluice bench insights`: measures questions about events on a data set of its own. */
import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { BESIDES, type BesideKind } from '../../bench/insights/beside.ts'
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
nothing new, and again after a few events of today, and removes everything. With --capture it loads
captures and decides in turn alone and beside those questions, the page of a site, viewers of a
shared one, or a process that only computes (--beside questions, page, shared or spin).`

type Options = Omit<InsightsBenchOptions, 'store' | 'beside'> & {
  readonly beside?: BesideKind
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
    .option('--runs <count>', 'of each question in each state', wholeNumber(0, 1_000), 7)
    .option('--capture <rate>', 'also load captures and decides a second', decimalNumber(0.1, 1e6))
    .addOption(
      new Option('--beside <load>', 'beside those captures: questions by default').choices(
        Object.keys(BESIDES),
      ),
    )
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
  const { beside = 'questions' } = options
  const problem = problemWithPaths(json === undefined ? {} : { json })
  if (problem !== undefined) throw new UsageError(`bench: ${problem}`)
  if (options.beside !== undefined && capture === undefined) {
    throw new UsageError('bench: --beside needs --capture')
  }
  const stop = new AbortController()
  const off = onStopSignals({
    stop: () => stop.abort(new AppError('cancelled', 'interrupted')),
    force: () => process.exit(1),
  })
  try {
    const deps = { clock: systemClock, log: commandLog('info'), eventsUrl }
    const store = eventsUrl === undefined ? 'postgres' : 'clickhouse'
    const asked = { events, persons, runs, capture, beside, duration, store } as const
    const report = await runInsightsBench(deps, asked, stop.signal)
    print(insightsReportText(report))
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  } finally {
    off()
  }
}
