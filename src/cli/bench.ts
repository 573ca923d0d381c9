import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { runBench, tryRate } from '../../bench/load/bench.ts'
import { pinTo } from '../../bench/load/environment.ts'
import { MANAGEMENT_ROUTES, type ManagementRoute } from '../../bench/load/management-source.ts'
import {
  decimalNumber,
  idList,
  pidList,
  setting,
  textList,
  thresholdList,
  wholeNumber,
} from '../../bench/load/option-parsers.ts'
import type { BenchPlan, Workload } from '../../bench/load/plan.ts'
import {
  type CommonOptions,
  namedGroups,
  namedProjects,
  planOf,
} from '../../bench/load/plan-options.ts'
import { type Product, startProduct } from '../../bench/load/product.ts'
import { findHighestRate } from '../../bench/load/rate-search.ts'
import { renderReport } from '../../bench/load/report.ts'
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { commandLog, print } from './command.ts'
import { UsageError } from './usage-error.ts'

const HELP = `
The closed model (default) keeps every connection busy and finds the highest rate. With --rate the
model is open: requests leave when the schedule says, and latencies run from that moment.

Exit status: 0 when all holds; 1 when a threshold is broken, an accepted event is not stored, an
answer has the wrong body, or the generator was too busy for a verdict; 2 for wrong usage.`

/** Adds `bench capture|batch|decide|management`. Figures go to standard output, progress to standard error. */
export function registerBench(program: Command): void {
  const bench = program.command('bench').description('measure a server, or this product itself')
  const events = (command: Command) =>
    addEventOptions(addCommonOptions(command)).addHelpText('after', HELP)
  events(bench.command('capture').description('single events to /capture/')).action(
    async (options: CommonOptions & EventOptions) => {
      await run(options, eventWorkload('capture', 1, options))
    },
  )
  events(bench.command('batch').description('batches of events to /batch/'))
    .option('--batch <events>', 'events in a request', wholeNumber(1, 10_000), 100)
    .action(async (options: CommonOptions & EventOptions & { batch: number }) => {
      await run(options, eventWorkload('batch', options.batch, options))
    })
  addCommonOptions(bench.command('decide').description('flags of a distinct id from /decide/?v=2'))
    .option('--flags <count>', 'flags to make first, with --personal-api-key', flagCount, 20)
    .addOption(
      new Option('--mode <mode>', 'ids asked before, or never')
        .choices(['hot', 'cold'])
        .default('hot'),
    )
    .addHelpText('after', HELP)
    .action(async (options: CommonOptions & { flags: number; mode: 'hot' | 'cold' }) => {
      await run(options, { kind: 'decide', mode: options.mode, flags: options.flags })
    })
  addCommonOptions(bench.command('management').description('one kind of GET with a personal key'))
    .addOption(
      new Option('--route <route>', 'what is asked for')
        .choices(MANAGEMENT_ROUTES)
        .default('project'),
    )
    .option(
      '--events <count>',
      'stored first, unless they are',
      wholeNumber(0, 100_000_000),
      10_000,
    )
    .addHelpText('after', HELP)
    .action(async (options: CommonOptions & { route: ManagementRoute; events: number }) => {
      await run(options, { kind: 'management', route: options.route, events: options.events })
    })
}

const flagCount = wholeNumber(0, 1_000)

type EventOptions = {
  properties: number
  valueBytes: number
  webProperties: boolean
  gzipShare: number
  uuid: '4' | '7'
}

function eventWorkload(kind: 'capture' | 'batch', batch: number, options: EventOptions): Workload {
  const { properties, valueBytes, webProperties, gzipShare, uuid } = options
  const uuidVersion = uuid === '4' ? 4 : 7
  return { kind, batch, properties, valueBytes, webProperties, gzipShare, uuidVersion }
}

function addEventOptions(command: Command): Command {
  return command
    .option('--properties <count>', 'properties of an event', wholeNumber(0, 1_000), 10)
    .option('--value-bytes <bytes>', 'length of a text property', wholeNumber(0, 100_000), 16)
    .option('--web-properties', 'add those of a browser, which also change the person', false)
    .option('--gzip-share <share>', 'of requests, 0 to 1, sent compressed', decimalNumber(0, 1), 0)
    .addOption(
      new Option('--uuid <version>', 'of event uuids: 7 in time order, 4 at random')
        .choices(['4', '7'])
        .default('7'),
    )
}

function addCommonOptions(command: Command): Command {
  addTargetOptions(command)
  return command
    .option('--connections <count>', 'kept open', wholeNumber(1, 10_000), 64)
    .option('--duration <seconds>', 'measured, each run', decimalNumber(0.1, 86_400), 30)
    .option('--warmup <seconds>', 'before each run, not measured', decimalNumber(0, 3_600), 5)
    .option('--runs <count>', 'of which the median counts', wholeNumber(1, 100), 3)
    .option('--rate <requests>', 'a second: open model', decimalNumber(0.1, 1_000_000))
    .addOption(
      new Option('--arrivals <kind>', 'with --rate')
        .choices(['poisson', 'uniform'])
        .default('poisson'),
    )
    .option('--timeout <seconds>', 'of one request', decimalNumber(0.1, 60), 10)
    .option('--backlog <requests>', 'that may wait to be sent', wholeNumber(1, 10_000_000), 100_000)
    .option('--expected-interval <ms>', 'correct a closed run', decimalNumber(0.001, 60_000))
    .option('--distinct-ids <count>', 'to choose from', wholeNumber(1, 10_000_000), 100_000)
    .option('--zipf <exponent>', 'skew of distinct ids (default: uniform)', decimalNumber(0.01, 5))
    .option('--seed <number>', 'of all data but uuids', wholeNumber(0, 4_294_967_295), 1)
    .option('--threshold <list>', "fail unless it holds: 'rps>=15000,p99<=30'", thresholdList, [])
    .option('--slo', 'search the highest --rate that keeps --threshold', false)
    .option('--drain <seconds>', 'longest wait for stored events', decimalNumber(0, 3_600), 60)
    .option('--json <file>', 'write the report there too')
    .option('--generator-cpus <list>', 'run the generator there (taskset)')
}

function addTargetOptions(command: Command): void {
  command
    .option('--url <url>', 'server under test', 'http://127.0.0.1:8000')
    .addOption(
      new Option('--api-key <keys>', 'project keys, comma-separated')
        .argParser(textList)
        .env('SLUICE_BENCH_API_KEY'),
    )
    .option('--project-id <ids>', 'of those keys, to read back and to make flags', idList)
    .addOption(
      new Option('--personal-api-key <key>', 'to read back and to make flags').env(
        'SLUICE_BENCH_PERSONAL_API_KEY',
      ),
    )
    .option('--database-url <url>', 'read stored events back from Postgres itself')
    .option('--pids <list>', 'measure processes: gateway=123,worker=124', pidList, [])
    .option('--server-pid <pid>', 'measure a process and its children', wholeNumber(1, 4_194_304))
    .option('--self', 'start this product for the measurement', false)
    .addOption(
      new Option('--topology <kind>', 'with --self')
        .choices(['standalone', 'split'])
        .default('standalone'),
    )
    .option('--workers <count>', 'with --topology split', wholeNumber(1, 16), 1)
    .option('--gateways <count>', 'with --topology split, on one port', wholeNumber(1, 16), 1)
    .option('--projects <count>', 'with --self', wholeNumber(1, 20_000), 1)
    .option('--env <NAME=value>', 'with --self: a setting of its processes', setting, {})
    .option('--server-cpus <list>', 'with --self: run the product there (taskset)')
}

async function run(options: CommonOptions, workload: Workload): Promise<void> {
  const log = commandLog('info')
  const stop = new AbortController()
  // The product started for a measurement must not outlive it, whatever ends the bench.
  const interrupt = () => stop.abort(new AppError('cancelled', 'interrupted'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  let product: Product | undefined
  try {
    product = options.self ? await startSelf(options, stop.signal) : undefined
    if (options.generatorCpus !== undefined) pinTo(options.generatorCpus)
    const plan = planOf(options, workload, targetOf(options, product), [
      ...(product?.groups ?? []),
      ...namedGroups(options),
    ])
    if (!plan.ok) throw new UsageError(`bench: ${plan.error}`)
    await untilAborted(stop.signal, measure({ clock: systemClock, log }, plan.value, options))
  } finally {
    await product?.stop()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    // The load goes on until its phase is over, and would keep the process up that long.
    if (stop.signal.aborted) process.exit(1)
  }
}

/** Processes inherit where they may run: Postgres and the product are started before we move. */
function startSelf(options: CommonOptions, signal: AbortSignal): Promise<Product> {
  if (options.serverCpus !== undefined) pinTo(options.serverCpus)
  const { topology, workers, gateways, projects, env: environment } = options
  const wanted = { topology, workers, gateways, projects, environment, signal }
  return startProduct(systemClock, wanted)
}

function targetOf(
  options: CommonOptions,
  product: Product | undefined,
): Pick<BenchPlan, 'url' | 'projects' | 'databaseUrl'> {
  if (product !== undefined) return product
  const { url, databaseUrl } = options
  return { url, projects: namedProjects(options), databaseUrl }
}

async function measure(
  deps: Parameters<typeof runBench>[0],
  plan: BenchPlan,
  options: CommonOptions,
): Promise<void> {
  const report = options.slo ? await searchRate(deps, plan) : await runBench(deps, plan)
  if (report === undefined) {
    print('no rate keeps the thresholds')
    process.exitCode = 1
    return
  }
  print(renderReport(report))
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)
  }
  if (!report.verdict.ok) process.exitCode = 1
}

const SEARCH_PRECISION = 0.03
const SEARCH_STEPS_MAX = 16

/** Searches, then measures the rate that was found with all the runs asked for. */
async function searchRate(deps: Parameters<typeof runBench>[0], plan: BenchPlan) {
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
