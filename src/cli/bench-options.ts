import { type Command, Option } from 'commander'
import {
  decimalNumber,
  idList,
  pidList,
  rateList,
  setting,
  textList,
  thresholdList,
  wholeNumber,
} from '../../bench/load/plan/option-parsers.ts'
import {
  MANAGEMENT_ROUTES,
  type ManagementRoute,
} from '../../bench/load/workload/management-source.ts'

export type EventOptions = {
  properties: number
  valueBytes: number
  webProperties: boolean
  gzipShare: number
  uuid: '4' | '7'
}

export function addEventOptions(command: Command): Command {
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

export type DecideOptions = { flags: number; mode: 'hot' | 'cold' }

export function addDecideOptions(command: Command): Command {
  return command
    .option('--flags <count>', 'flags to make first, with --personal-api-key', flagCount, 20)
    .addOption(
      new Option('--mode <mode>', 'ids asked before, or never')
        .choices(['hot', 'cold'])
        .default('hot'),
    )
}

const flagCount = wholeNumber(0, 1_000)

export type ManagementOptions = { route: ManagementRoute; events: number }

export function addManagementOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--route <route>', 'what is asked for')
        .choices(MANAGEMENT_ROUTES)
        .default('project'),
    )
    .option('--events <count>', 'stored first, unless they are', storedCount, 10_000)
}

const storedCount = wholeNumber(0, 100_000_000)

export type BatchOptions = { batch: number }

export function addBatchOptions(command: Command): Command {
  return command.option('--batch <events>', 'events in a request', wholeNumber(1, 10_000), 100)
}

export function addCommonOptions(command: Command): Command {
  addTargetOptions(command)
  return command
    .option('--connections <count>', 'kept open', wholeNumber(1, 10_000), 64)
    .option('--duration <seconds>', 'measured, each run', decimalNumber(0.1, 86_400), 30)
    .option('--warmup <seconds>', 'before each run, not measured', decimalNumber(0, 3_600), 5)
    .option('--runs <count>', 'of which the median counts', wholeNumber(1, 100), 3)
    .option('--rate <requests>', 'a second: open model', decimalNumber(0.1, 1_000_000))
    .option('--ramp <rates>', "open model, one run a rate: '1000,2000,4000'", rateList)
    .addOption(
      new Option('--arrivals <kind>', 'with --rate or --ramp')
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
    .option('--csv <file>', 'write a row for each second of each run')
    .option('--html <file>', 'write a page with charts; it needs no other file')
    .option('--hgrm <file>', 'write the percentile distribution of all runs (HdrHistogram)')
    .option('--baseline <file>', 'compare with an earlier --json report of the same bench')
    .option(
      '--max-regression <percent>',
      'with --baseline: fail when rps fell or p99 rose by more',
      decimalNumber(0, 1_000),
    )
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
