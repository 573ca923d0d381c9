/** Options that all comparisons share. */
import { Command } from 'commander'
import { decimalNumber, wholeNumber } from '../load/plan/option-parsers.ts'

/** The options of every comparison. */
export type ComparisonOptions = {
  readonly seconds: number
  readonly warmup: number
  readonly rounds: number
  readonly connections: number
  readonly distinctIds: number
  readonly plain: boolean
  readonly serverCpus?: string
  readonly generatorCpus?: string
  readonly json?: string
}

export function readOptions(name: string): ComparisonOptions {
  return new Command(name)
    .option('--seconds <seconds>', 'measured, each side and round', decimalNumber(0.1, 3_600), 10)
    .option('--warmup <seconds>', 'before each, not measured', decimalNumber(0, 600), 5)
    .option('--rounds <count>', 'of which the median counts', wholeNumber(1, 100), 3)
    .option('--connections <count>', 'kept open', wholeNumber(1, 1_000), 64)
    .option('--distinct-ids <count>', 'to choose from', wholeNumber(64, 1_000_000), 10_000)
    .option('--plain', 'captures of ten short properties, not page views', false)
    .option('--server-cpus <list>', 'run all servers there (taskset)')
    .option('--generator-cpus <list>', 'run the load generator there (taskset)')
    .option('--json <file>', 'write all figures there too')
    .parse()
    .opts<ComparisonOptions>()
}
