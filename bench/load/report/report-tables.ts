/** The tables that the text for a terminal and the page share. */
import { WHOLE } from './baseline.ts'
import type { Comparison } from './comparison.ts'
import type { BenchReport } from './report.ts'
import { figure, type Table } from './text-table.ts'
import { type Figures, METRICS, type Metric } from './threshold.ts'

const UNITS: Readonly<Record<Metric, string>> = {
  rps: 'requests/s',
  eps: 'events/s',
  p50: 'ms',
  p90: 'ms',
  p99: 'ms',
  'p99.9': 'ms',
  'p99.99': 'ms',
  max: 'ms',
  mean: 'ms',
  errors: 'requests',
  shed: 'requests',
  cpu: '% of a core (generator)',
}

/** The figures of the report: by step of a ramp, by kind of a mix, else by metric. */
export function figuresTable(report: BenchReport): Table {
  if (report.runs[0]?.name !== undefined) return stepsTable(report)
  return report.kinds === undefined ? summaryTable(report) : kindsTable(report)
}

/** Requests that store nothing have no rate of events. */
function shown(report: BenchReport, metrics: readonly Metric[]): Metric[] {
  return metrics.filter((metric) => metric !== 'eps' || report.conservation !== undefined)
}

function summaryTable(report: BenchReport): Table {
  return {
    head: ['', 'median', 'min', 'max', 'unit'],
    rows: shown(report, METRICS).map((metric) => {
      const { median, min, max } = report.summary[metric]
      return [metric, figure(median), figure(min), figure(max), UNITS[metric]]
    }),
  }
}

function stepsTable(report: BenchReport): Table {
  const metrics = shown(report, METRICS)
  return {
    head: ['step', ...metrics],
    rows: report.runs.map(({ name, figures, generator }) => [
      `${name}${generator.saturated === undefined ? '' : ' (generator saturated)'}`,
      ...cells(figures, metrics),
    ]),
  }
}

function kindsTable(report: BenchReport): Table {
  const metrics = shown(report, METRICS).filter((metric) => metric !== 'cpu')
  const parts = [...Object.entries(report.kinds ?? {}), [WHOLE, report.summary] as const]
  return {
    head: ['median', ...metrics],
    rows: parts.map(([name, summary]) => [
      name,
      ...metrics.map((metric) => figure(summary[metric].median)),
    ]),
  }
}

function cells(figures: Figures, metrics: readonly Metric[]): string[] {
  return metrics.map((metric) => figure(figures[metric]))
}

export function comparisonTable({ rows }: Comparison): Table {
  return {
    head: ['', 'before', 'after', 'ratio'],
    rows: rows.map(({ of, metric, before, after, ratio }) => [
      of === WHOLE ? metric : `${of} ${metric}`,
      figure(before),
      figure(after),
      ratio === undefined ? '-' : ratio.toFixed(3),
    ]),
  }
}
