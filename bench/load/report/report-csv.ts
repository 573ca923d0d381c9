/** A report as CSV, for `--csv`: a row for each second of each run. */
import { csvLines } from '../../../src/wire/csv.ts'
import type { BenchReport, SecondReport } from './report.ts'

/**
 * Columns of `--csv`. Two more follow for each process group that was measured:
 * `NAME_cpu_percent` and `NAME_rss_mb`. Columns are only ever added, at the end.
 */
const HEAD = ['run', 'rate', 'second', 'sent', 'accepted', 'errors', 'shed', 'p50_ms', 'p99_ms']
const GENERATOR = 'generator'

/** A row for each second of each run's plateau (RFC 4180); what is not known is empty. */
export function renderCsv(report: BenchReport): string {
  const groups = [GENERATOR, ...(report.runs[0]?.processes.map(({ name }) => name) ?? [])]
  const usageHead = groups.flatMap((name) => [`${name}_cpu_percent`, `${name}_rss_mb`])
  const rows = report.runs.flatMap(({ seconds, ratePerS }, index) =>
    seconds.map((second) => [
      String(index + 1),
      cell(ratePerS),
      ...cellsOf(second),
      ...groups.flatMap((_, group) => {
        const usage = second.usage[group]
        return [cell(usage?.cpuPercent), cell(usage?.rssMb)]
      }),
    ]),
  )
  return csvLines([[...HEAD, ...usageHead], ...rows], 'guarded')
}

function cellsOf({ second, sent, accepted, errors, shed, p50, p99 }: SecondReport): string[] {
  return [second, sent, accepted, errors, shed, p50, p99].map(cell)
}

function cell(value: number | undefined): string {
  return value === undefined ? '' : String(Math.round(value * 1000) / 1000)
}
