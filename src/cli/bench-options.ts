/** Options of `sluice bench` and its workloads. */
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
import { EVENT_SHAPES, type EventShape } from '../../bench/load/workload/payload.ts'

export type EventOptions = {
  properties: number
  valueBytes: number
  workload: EventShape
  plain: boolean
  gzipShare: number
  uuid: '4' | '7'
}

export function addEventOptions(command: Command): Command {
  return command
    .option(
      '--properties <count>',
      'of plain events: properties of each',
      wholeNumber(0, 1_000),
      10,
    )
    .option(
      '--value-bytes <bytes>',
      'of plain events: length of the text in each property',
      wholeNumber(0, 100_000),
      16,
    )
    .addOption(
      new Option(
        '--workload <events>',
        'pages: page views of browsers; hot: half of them of one person; site: with clicks, ' +
          'sign-ins, groups and events of servers; plain: events of --properties that change no person',
      )
        .choices(EVENT_SHAPES)
        .default('pages'),
    )
    .option('--plain', 'the same as --workload plain', false)
    .option(
      '--gzip-share <share>',
      'share of requests sent compressed, 0 to 1',
      decimalNumber(0, 1),
      0,
    )
    .addOption(
      new Option('--uuid <version>', 'version of event uuids: 7 in time order, 4 random')
        .choices(['4', '7'])
        .default('7'),
    )
}

export type DecideOptions = { flags: number; mode: 'hot' | 'cold' }

export function addDecideOptions(command: Command): Command {
  return command
    .option('--flags <count>', 'flags to make first (needs --personal-api-key)', flagCount, 20)
    .addOption(
      new Option('--mode <mode>', 'hot: distinct ids that were asked before; cold: new ones')
        .choices(['hot', 'cold'])
        .default('hot'),
    )
}

const flagCount = wholeNumber(0, 1_000)

export type ManagementOptions = { route: ManagementRoute; events: number }

export function addManagementOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--route <route>', 'kind of request')
        .choices(MANAGEMENT_ROUTES)
        .default('project'),
    )
    .option(
      '--events <count>',
      'events to store first, unless they are stored',
      storedCount,
      10_000,
    )
}

const storedCount = wholeNumber(0, 100_000_000)

export type BatchOptions = { batch: number }

export function addBatchOptions(command: Command): Command {
  return command.option('--batch <events>', 'events in each request', wholeNumber(1, 10_000), 100)
}

export function addCommonOptions(command: Command): Command {
  addTargetOptions(command)
  return command
    .option('--connections <count>', 'open connections', wholeNumber(1, 10_000), 64)
    .option('--duration <seconds>', 'measured time of each run', decimalNumber(0.1, 86_400), 30)
    .option(
      '--warmup <seconds>',
      'time before each run that is not measured',
      decimalNumber(0, 3_600),
      5,
    )
    .option('--runs <count>', 'number of runs; the median counts', wholeNumber(1, 100), 3)
    .option('--rate <requests>', 'requests a second (open model)', decimalNumber(0.1, 1_000_000))
    .option('--ramp <rates>', "open model, one run for each rate: '1000,2000,4000'", rateList)
    .addOption(
      new Option('--arrivals <kind>', 'how requests are spaced, with --rate or --ramp')
        .choices(['poisson', 'uniform'])
        .default('poisson'),
    )
    .option('--timeout <seconds>', 'longest time of one request', decimalNumber(0.1, 60), 10)
    .option(
      '--backlog <requests>',
      'most requests that wait to be sent',
      wholeNumber(1, 10_000_000),
      100_000,
    )
    .option(
      '--expected-interval <ms>',
      'correct a closed run for requests it sent late',
      decimalNumber(0.001, 60_000),
    )
    .option('--distinct-ids <count>', 'number of distinct ids', wholeNumber(1, 10_000_000), 100_000)
    .option('--zipf <exponent>', 'skew of distinct ids (default: uniform)', decimalNumber(0.01, 5))
    .option('--seed <number>', 'seed of all data except uuids', wholeNumber(0, 4_294_967_295), 1)
    .option('--threshold <list>', "fail unless these hold: 'rps>=15000,p99<=30'", thresholdList, [])
    .option('--slo', 'find the highest --rate that keeps --threshold', false)
    .option(
      '--drain <seconds>',
      'longest wait until events are stored',
      decimalNumber(0, 3_600),
      60,
    )
    .option('--json <file>', 'also write the report to this file')
    .option('--csv <file>', 'write a row for each second of each run')
    .option('--html <file>', 'write a page with charts; it needs no other file')
    .option('--hgrm <file>', 'write the percentile distribution of all runs (HdrHistogram)')
    .option('--baseline <file>', 'compare with a --json report of an earlier run')
    .option(
      '--max-regression <percent>',
      'with --baseline: fail when rps is lower or p99 higher by more than this',
      decimalNumber(0, 1_000),
    )
    .option('--generator-cpus <list>', 'CPUs of the load generator (taskset)')
}

function addTargetOptions(command: Command): void {
  command
    .option('--url <url>', 'server under test (default: the one of this folder)')
    .addOption(
      new Option('--api-key <keys>', 'project keys, comma-separated')
        .argParser(textList)
        .env('SLUICE_BENCH_API_KEY'),
    )
    .option(
      '--project-id <ids>',
      'projects of the keys, to read events back and to make flags',
      idList,
    )
    .addOption(
      new Option('--personal-api-key <key>', 'key to read events back and to make flags').env(
        'SLUICE_BENCH_PERSONAL_API_KEY',
      ),
    )
    .option('--database-url <url>', 'read events back from this Postgres')
    .option('--pids <list>', 'processes to measure: gateway=123,worker=124', pidList, [])
    .option(
      '--server-pid <pid>',
      'process to measure, with its children',
      wholeNumber(1, 4_194_304),
    )
    .option('--self', 'start this product and measure it', false)
    .addOption(
      new Option('--topology <kind>', 'with --self: processes to start')
        .choices(['standalone', 'split'])
        .default('standalone'),
    )
    .option('--workers <count>', 'with --topology split: number of workers', wholeNumber(1, 16), 1)
    .option(
      '--gateways <count>',
      'with --topology split: number of gateways, on one port',
      wholeNumber(1, 16),
      1,
    )
    .option('--projects <count>', 'with --self: number of projects', wholeNumber(1, 20_000), 1)
    .option('--events-url <url>', 'with --self: an empty database of ClickHouse for the events')
    .addOption(
      new Option(
        '--store <store>',
        'with --self: who holds events (default: clickhouse with --events-url)',
      ).choices(['postgres', 'clickhouse']),
    )
    .option('--env <NAME=value>', 'with --self: setting of the processes', setting, {})
    .option('--server-cpus <list>', 'with --self: CPUs of the product (taskset)')
}
