/**
 * Measures an event or a decide as one dimension grows: events stored (`rows`), projects, flags,
 * properties of an event, distinct ids, or workers. Starts gateway and worker with all their
 * stores, anew for each step except with `rows`. Prints a table: rate, p99, processor time and
 * memory of each kind of process, and the ratio of the processor time to the first step's.
 * Run: `npx tsx bench/growth.ts [rows|projects|flags|properties|ids|workers] [--steps 5,50,200]`
 * `[--seconds 15] [--warmup 30] [--work capture|batch] [--rate 400]`, after `npm run build`.
 */
import { Argument, Command, Option } from 'commander'
import { type Curve, DIMENSIONS, EVENT_WORKS, type EventWork } from './growth/curves.ts'
import { measureCurve } from './growth/measure-curve.ts'
import { measureRows } from './growth/measure-rows.ts'
import { costOf, growthTable, type Step } from './growth/step-table.ts'
import { decimalNumber, textList, wholeNumber } from './load/plan/option-parsers.ts'
import { textTable } from './load/report/text-table.ts'
import { WORKLOADS } from './load/single-run.ts'

type Options = {
  steps?: number[]
  seconds: number
  warmup: number
  work?: EventWork
  connections: number
  distinctIds?: number
  rate?: number
  events: number
}

const KINDS = ['rows', 'projects', 'flags', 'properties', 'ids', 'workers'] as const
type Kind = (typeof KINDS)[number]

const COUNT_MAX = 1_000_000_000
const RATE_MAX = 1_000_000
/** Node compiles hot code for half a minute; a shorter warm-up would raise the cost of a step. */
const WARMUP_S = 30
const counts = (text: string) => textList(text).map(wholeNumber(1, COUNT_MAX))

await new Command('growth')
  .description('what an event or a decide costs as something grows')
  .addArgument(new Argument('[of]', 'what grows').choices(KINDS).default('rows'))
  .option('--steps <list>', 'sizes, ascending', counts)
  .option('--seconds <seconds>', 'each run', decimalNumber(1, 3_600), 15)
  .option('--warmup <seconds>', 'before it, but for rows', decimalNumber(0, 3_600), WARMUP_S)
  .addOption(new Option('--work <kind>', 'of events, but for flags').choices(EVENT_WORKS))
  .option('--connections <count>', 'of the closed model', wholeNumber(1, 10_000), 64)
  .option('--distinct-ids <count>', 'of all projects, but for ids', wholeNumber(1, COUNT_MAX))
  .option(
    '--rate <requests>',
    'a second for each worker, but for rows; default: as many as go',
    decimalNumber(0.1, RATE_MAX),
  )
  .option(
    '--events <count>',
    'of rows without steps: until so many',
    wholeNumber(1, COUNT_MAX),
    1e7,
  )
  .action(run)
  .parseAsync()

async function run(of: Kind, options: Options): Promise<void> {
  const load = { connections: options.connections, durationMs: options.seconds * 1_000 }
  if (of === 'rows') {
    const { steps = [], work = 'batch', distinctIds = 1_000_000, events } = options
    const rows = { ...load, steps, events, distinctIds, workload: WORKLOADS[work] }
    await show('events', { title: work, each: 'event' }, measureRows(rows))
    return
  }
  const { steps, work, distinctIds, curves } = DIMENSIONS[of]
  const more = {
    steps: options.steps ?? steps,
    warmupMs: options.warmup * 1_000,
    ratePerWorker: options.rate,
  }
  for (const curve of curves(options.work ?? work, options.distinctIds ?? distinctIds)) {
    await show(of, curve, measureCurve(curve, { ...load, ...more }))
  }
}

/** Prints a line for each step, and at the end (also when interrupted) the table. */
async function show(
  of: string,
  { title, each }: Pick<Curve, 'title' | 'each'>,
  measured: AsyncIterable<Step>,
): Promise<void> {
  const steps: Step[] = []
  try {
    for await (const step of measured) {
      steps.push(step)
      const { perS, usTotal } = costOf(step.run)
      const line = `${of} ${step.name}: ${Math.round(perS)}/s, ${usTotal.toFixed(1)} us each`
      process.stderr.write(`${line}\n`)
    }
  } finally {
    const lines = [`${title}:`, ...textTable(growthTable(of, each, steps))]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}
