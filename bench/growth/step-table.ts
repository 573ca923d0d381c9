/** The table of steps with their costs. Pure. */
import type { RunReport } from '../load/report/report.ts'
import { figure, type Table } from '../load/report/text-table.ts'

export type Step = {
  readonly name: string
  readonly run: Measured
  /** Cells of the last columns, by column head. */
  readonly more: Readonly<Record<string, string>>
}

/** The part of a run that a table shows. */
export type Measured = Pick<RunReport, 'figures' | 'processes' | 'open'> & {
  readonly generator: Pick<RunReport['generator'], 'saturated'>
}

/** Kinds of processes; those of a kind are added: `worker-1` and `worker-2` are `worker`. */
const KINDS = ['worker', 'gateway', 'postgres', 'other'] as const
type Kind = (typeof KINDS)[number]

export type Cost = {
  /** Events a second, or requests where these carry none. */
  readonly perS: number
  /** Microseconds of processor time for each of them. */
  readonly us: Readonly<Record<Kind, number>>
  readonly usTotal: number
  /** Highest resident memory in MB; for several processes the sum of their peaks. */
  readonly mb: Readonly<Record<Kind, number>>
}

export function costOf({ figures, processes }: Measured): Cost {
  const perS = figures.eps > 0 ? figures.eps : figures.rps
  const us = { worker: 0, gateway: 0, postgres: 0, other: 0 }
  const mb = { ...us }
  for (const { name, cpuPercent, rssMbPeak } of processes) {
    const kind = KINDS.find((each) => name === each || name.startsWith(`${each}-`)) ?? 'other'
    us[kind] += (cpuPercent * 10_000) / perS
    mb[kind] += rssMbPeak
  }
  return { perS, us, usTotal: KINDS.reduce((sum, kind) => sum + us[kind], 0), mb }
}

/**
 * @param of what grows, as the head of the first column.
 * @param each `event` or `request`.
 */
export function growthTable(of: string, each: string, steps: readonly Step[]): Table {
  const [first] = steps
  const usFirst = first === undefined ? Number.NaN : costOf(first.run).usTotal
  const more = Object.keys(first?.more ?? {})
  return {
    head: [
      of,
      `${each}s/s`,
      'p99 ms',
      'not accepted',
      ...KINDS.map((kind) => `${kind} us`),
      'all us',
      'ratio',
      ...KINDS.map((kind) => `${kind} MB`),
      ...more,
    ],
    rows: steps.map((step) => [
      ...cellsOf(step, usFirst),
      ...more.map((at) => step.more[at] ?? ''),
    ]),
  }
}

function cellsOf({ name, run }: Step, usFirst: number): string[] {
  const { figures, generator } = run
  const { perS, us, usTotal, mb } = costOf(run)
  return [
    `${name}${generator.saturated === undefined ? '' : ' (generator saturated)'}`,
    figure(Math.round(perS)),
    figure(figures.p99),
    figure(figures.errors + figures.shed),
    ...KINDS.map((kind) => us[kind].toFixed(1)),
    usTotal.toFixed(1),
    (usTotal / usFirst).toFixed(2),
    ...KINDS.map((kind) => figure(Math.round(mb[kind]))),
  ]
}
