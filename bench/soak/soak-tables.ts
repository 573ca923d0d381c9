/** Tables of a long run: minute by minute, and the trend of memory by process group. Pure. */
import type { RunReport, SecondReport } from '../load/report/report.ts'
import { figure, type Table } from '../load/report/text-table.ts'
import { type Sample, type Trend, trendOf } from './memory-trend.ts'

export type SoakRun = Pick<RunReport, 'seconds' | 'processes'>

const SECONDS_PER_MINUTE = 60
/** Seconds between two samples of memory. */
const SAMPLE_S = 10

/** Rates, refusals, and the highest memory of each group in each minute. */
export function minutesTable({ seconds, processes }: SoakRun): Table {
  const rows: string[][] = []
  for (let from = 0; from < seconds.length; from += SECONDS_PER_MINUTE) {
    const minute = seconds.slice(from, from + SECONDS_PER_MINUTE)
    const sum = (of: 'accepted' | 'errors' | 'shed') =>
      minute.reduce((total, second) => total + second[of], 0)
    rows.push([
      String(rows.length + 1),
      figure(Math.round(sum('accepted') / minute.length)),
      figure(sum('errors')),
      figure(sum('shed')),
      figure(Math.max(0, ...minute.map(({ p99 }) => p99 ?? 0))),
      ...groupsOf(processes).map((_, group) => megabytes(trendOf(samplesOf(minute, group)).maxMb)),
    ])
  }
  const groups = groupsOf(processes).map((name) => `${name} MB`)
  const head = ['minute', 'accepted/s', 'errors', 'shed', 'worst p99 of a second, ms', ...groups]
  return { head, rows }
}

export type GroupTrend = Trend & { readonly name: string }

/** The generator first, then the product's groups. */
export function trendsOf({ seconds, processes }: SoakRun): GroupTrend[] {
  return groupsOf(processes).map((name, group) => ({ name, ...trendOf(samplesOf(seconds, group)) }))
}

export function trendsTable(trends: readonly GroupTrend[]): Table {
  return {
    head: [
      'memory',
      'max MB',
      'MB an hour',
      '% over the last two thirds',
      'give or take',
      'verdict',
    ],
    rows: trends.map(({ name, maxMb, slopeMbPerHour, growthPercent, errorPercent, verdict }) => [
      name,
      megabytes(maxMb),
      figure(slopeMbPerHour),
      figure(growthPercent),
      figure(errorPercent),
      verdict,
    ]),
  }
}

function groupsOf(processes: SoakRun['processes']): string[] {
  return ['generator', ...processes.map(({ name }) => name)]
}

/** The sample of every tenth second, or the one before it where a second has none. */
function samplesOf(seconds: readonly SecondReport[], group: number): Sample[] {
  const samples: Sample[] = []
  for (let from = 0; from < seconds.length; from += SAMPLE_S) {
    const seen = seconds.slice(from, from + SAMPLE_S).flatMap(({ second, usage }) => {
      const rssMb = usage[group]?.rssMb
      return rssMb === undefined ? [] : [{ atMs: second * 1_000, mb: rssMb }]
    })
    samples.push(...seen.slice(-1))
  }
  return samples
}

function megabytes(mb: number): string {
  return figure(Math.round(mb))
}
