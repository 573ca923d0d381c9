/** `sluice bench`: measures a server, or starts this product and measures it. */
import { type Command, Option } from 'commander'
import { runBench, tryRate } from '../../bench/load/bench.ts'
import { pinTo } from '../../bench/load/machine/environment.ts'
import type { BenchDeps } from '../../bench/load/machine/prepare.ts'
import {
  type ColumnsOptions,
  type Product,
  startProduct,
} from '../../bench/load/machine/product.ts'
import { mixShares } from '../../bench/load/plan/option-parsers.ts'
import type { BenchPlan, EventWorkload, Workload } from '../../bench/load/plan/plan.ts'
import {
  type CommonOptions,
  namedGroups,
  namedProjects,
  planOf,
  problemWithOptions,
} from '../../bench/load/plan/plan-options.ts'
import { findHighestRate } from '../../bench/load/plan/rate-search.ts'
import { compared, type Measured } from '../../bench/load/report/baseline.ts'
import {
  loadBaseline,
  problemWithPaths,
  writeReportFiles,
} from '../../bench/load/report/report-files.ts'
import { renderReport } from '../../bench/load/report/report-text.ts'
import { DEFAULT_MIX, type Mix } from '../../bench/load/workload/mixed-source.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { registerInsightsBench } from './bench-insights.ts'
import {
  addBatchOptions,
  addCommonOptions,
  addDecideOptions,
  addEventOptions,
  addManagementOptions,
  type BatchOptions,
  type DecideOptions,
  type EventOptions,
  type ManagementOptions,
} from './bench-options.ts'
import { registerOverloadBench } from './bench-overload.ts'
import { commandLog, print, serverConfig } from './command.ts'
import { onStopSignals, UsageError } from './command-end.ts'
import { urlOf } from './events/instance-place.ts'

const HELP = `
By default the model is closed: every connection is kept busy, which finds the highest rate. With
--rate the model is open: requests are sent by a schedule, and latency counts from the scheduled
moment. --ramp is open too: one run for each rate, until the generator reaches its own limit.

Before the load a page view of each visitor (20,000 at most) is stored, in batches and one after the
other, so that persons exist to whom page views return. It takes some seconds, whatever --rate is;
--plain needs none of it. "bench decide" makes flags, and asks each distinct id once with --mode hot;
"bench management" stores events to list.

Exit status: 1 when a threshold is broken, when rps or p99 is worse than that of --baseline by more
than --max-regression, when an accepted event is not stored, when an answer has the wrong body, or
when the generator was too busy to judge; 2 for wrong usage; else 0.`

/** Adds `bench` and its workloads. Figures go to standard output, progress to standard error. */
export function registerBench(program: Command): void {
  const bench = program
    .command('bench')
    .description('measure a server, or start this product and measure it')
  const add = (name: string, description: string) =>
    addCommonOptions(bench.command(name).description(description)).addHelpText('after', HELP)
  addEventOptions(add('capture', 'send single events to /capture/')).action(
    async (options: CommonOptions & EventOptions) => {
      await run(options, { kind: 'capture', batch: 1, ...eventShape(options) })
    },
  )
  addBatchOptions(addEventOptions(add('batch', 'send batches of events to /batch/'))).action(
    async (options: CommonOptions & EventOptions & BatchOptions) => {
      await run(options, { kind: 'batch', batch: options.batch, ...eventShape(options) })
    },
  )
  addDecideOptions(add('decide', 'ask /decide/?v=2 for the flags of distinct ids')).action(
    async ({ mode, flags, ...options }: CommonOptions & DecideOptions) => {
      await run(options, { kind: 'decide', mode, flags })
    },
  )
  addManagementOptions(add('management', 'send one kind of GET with a personal key')).action(
    async ({ route, events, ...options }: CommonOptions & ManagementOptions) => {
      await run(options, { kind: 'management', route, events })
    },
  )
  const mixed = add('mixed', 'send all kinds in one load, each with its share of the requests')
  addBatchOptions(addEventOptions(addManagementOptions(addDecideOptions(mixed))))
    .addOption(
      new Option('--mix <shares>', 'of the requests; they need not add up to 100')
        .argParser(mixShares)
        .default(mixShares(DEFAULT_MIX), DEFAULT_MIX),
    )
    .action(async (options: CommonOptions & MixedOptions) => {
      const { mix, mode, flags, route, events, batch } = options
      const shape = { mix, mode, flags, route, events, batch, ...eventShape(options) }
      await run(options, { kind: 'mixed', ...shape })
    })
  registerInsightsBench(bench)
  registerOverloadBench(bench)
}

type MixedOptions = EventOptions & BatchOptions & DecideOptions & ManagementOptions & { mix: Mix }

function eventShape(options: EventOptions): Omit<EventWorkload, 'kind' | 'batch'> {
  const { properties, valueBytes, plain, workload, gzipShare, uuid } = options
  const uuidVersion = uuid === '4' ? 4 : 7
  const shape = plain ? 'plain' : workload
  return { properties, valueBytes, shape, gzipShare, uuidVersion }
}

async function run(options: CommonOptions, workload: Workload): Promise<void> {
  const problem = problemWithOptions(options) ?? problemWithPaths(options)
  if (problem !== undefined) throw new UsageError(`bench: ${problem}`)
  const before = baselineOf(options, workload)
  const log = commandLog('info')
  const stop = new AbortController()
  // The product started for a measurement must not outlive the bench, however that ends.
  const off = onStopSignals({
    stop: () => stop.abort(new AppError('cancelled', 'interrupted')),
    force: () => process.exit(1),
  })
  let product: Product | undefined
  try {
    product = options.self ? await startSelf(options, stop.signal) : undefined
    if (options.generatorCpus !== undefined) pinTo(options.generatorCpus)
    const plan = planOf(options, workload, targetOf(options, product), [
      ...(product?.groups ?? []),
      ...namedGroups(options),
    ])
    if (!plan.ok) throw new UsageError(`bench: ${plan.error}`)
    const work = measure({ clock: systemClock, log }, plan.value, options, before)
    await untilAborted(stop.signal, work)
  } finally {
    await product?.stop()
    off()
    // The load runs until its phase is over, and would keep the process up that long.
    if (stop.signal.aborted) process.exit(1)
  }
}

/** @throws {UsageError} when the file cannot be read or is of another bench. */
function baselineOf({ baseline }: CommonOptions, workload: Workload): Measured | undefined {
  if (baseline === undefined) return undefined
  const before = loadBaseline(baseline)
  if (!before.ok) throw new UsageError(`bench: ${before.error}`)
  if (before.value.bench === workload.kind) return before.value
  throw new UsageError(`bench: --baseline ${baseline} is of bench ${before.value.bench}`)
}

/** Processes inherit their CPUs, so Postgres and the product are started before this one moves. */
function startSelf(options: CommonOptions, signal: AbortSignal): Promise<Product> {
  if (options.serverCpus !== undefined) pinTo(options.serverCpus)
  const { topology, workers, gateways, projects, env: environment } = options
  const wanted = { topology, workers, gateways, projects, environment, signal }
  return startProduct(systemClock, { ...wanted, columns: columnsOf(options) })
}

function columnsOf({ eventsUrl, store }: CommonOptions): ColumnsOptions | undefined {
  return eventsUrl === undefined || store === 'postgres' ? undefined : { url: eventsUrl }
}

function targetOf(
  options: CommonOptions,
  product: Product | undefined,
): Pick<BenchPlan, 'url' | 'projects' | 'databaseUrl'> {
  if (product !== undefined) return product
  const { url = urlOf(undefined, serverConfig()), databaseUrl } = options
  return { url, projects: namedProjects(options), databaseUrl }
}

async function measure(
  deps: BenchDeps,
  plan: BenchPlan,
  options: CommonOptions,
  before: Measured | undefined,
): Promise<void> {
  const measured = options.slo ? await searchRate(deps, plan) : await runBench(deps, plan)
  if (measured === undefined) {
    print('no rate keeps the thresholds')
    process.exitCode = 1
    return
  }
  const report = before === undefined ? measured : compared(measured, before, options.maxRegression)
  print(renderReport(report))
  writeReportFiles(report, options)
  if (!report.verdict.ok) process.exitCode = 1
}

const SEARCH_PRECISION = 0.03
const SEARCH_STEPS_MAX = 16

/** Searches, then measures the rate that was found with all the runs asked for. */
async function searchRate(deps: BenchDeps, plan: BenchPlan) {
  const { model } = plan
  if (model.kind !== 'open') throw new AppError('internal', 'a search needs an open model')
  const found = await findHighestRate((ratePerS) => tryRate(deps, plan, ratePerS), {
    startPerS: model.ratePerS,
    precision: SEARCH_PRECISION,
    stepsMax: SEARCH_STEPS_MAX,
  })
  deps.log.info('search done', found)
  if (found.best === undefined) return undefined
  return runBench(deps, {
    ...plan,
    model: { ...model, ratePerS: found.best },
    settings: { ...plan.settings, rate: found.best, search: found.steps },
  })
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
    work.then(resolve, reject)
  })
}
