/**
 * What does an event or a decide cost as something grows: events stored (`rows`), projects, flags,
 * properties of an event, distinct ids, workers? Starts gateway and worker with all their stores,
 * for each step anew but for `rows`, and prints a table: rate, p99, processor time and memory of
 * each kind of process, and the processor time beside that of the first step.
 * Run: `npx tsx bench/growth.ts [rows|projects|flags|properties|ids|workers] [--steps 5,50,200]`
 * `[--seconds 15] [--warmup 30] [--work capture|batch]`, after `npm run build`.
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
  events: number
}

const KINDS = ['rows', 'projects', 'flags', 'properties', 'ids', 'workers'] as const
type Kind = (typeof KINDS)[number]

const COUNT_MAX = 1_000_000_000
/** Node compiles what is hot for half a minute: a colder step would only seem to cost more. */
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
  const more = { steps: options.steps ?? steps, warmupMs: options.warmup * 1_000 }
  for (const curve of curves(options.work ?? work, options.distinctIds ?? distinctIds)) {
    await show(of, curve, measureCurve(curve, { ...load, ...more }))
  }
}

/** The table comes when all is measured, or as much of it as there is; until then a line a step. */
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
