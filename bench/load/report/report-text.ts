/** A report as text, for the terminal. */
import type { Conservation } from '../conservation.ts'
import type { Comparison } from './comparison.ts'
import type { BenchReport, Percentiles, RunReport } from './report.ts'
import { comparisonTable, figuresTable } from './report-tables.ts'
import { figure, textTable } from './text-table.ts'

/** For a person at a terminal. */
export function renderReport(report: BenchReport): string {
  const { environment: env } = report
  const lines = [
    `sluice bench ${report.bench}: ${report.verdict.ok ? 'ok' : report.verdict.reasons[0]}`,
    '',
    `  ${env.cpuModel}, ${env.cores} cores, ${env.memoryMb} MB, kernel ${env.kernel}`,
    `  node ${env.node}, revision ${env.revision}, generator on CPUs ${env.generatorCpus}, ` +
      `load before ${env.loadBefore.toFixed(2)}`,
    `  ${settingsLine(report.settings)}`,
    '',
    ...renderFigures(report),
    '',
    ...report.runs.flatMap(runText),
  ]
  if (report.conservation !== undefined) lines.push('', ...renderConservation(report.conservation))
  if (report.baseline !== undefined) lines.push('', ...renderComparison(report.baseline))
  for (const reason of report.verdict.reasons) lines.push('', `  not ok: ${reason}`)
  return lines.join('\n')
}

function settingsLine(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${settingText(value)}`)
    .join(' ')
}

export function settingText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function renderFigures(report: BenchReport): string[] {
  const count = report.runs.length
  const runs = report.runs[0]?.name === undefined ? `${count} runs` : `${count} steps`
  return [`  ${report.latencyOf} time, ${runs}`, ...textTable(figuresTable(report))]
}

/** Lines on one run. */
export function runText(run: RunReport, index: number): string[] {
  const { counts, generator } = run
  const { gc, rssMb } = generator
  const outcomes = Object.entries(counts)
    .filter(([name, count]) => count > 0 || name === 'accepted')
    .map(([name, count]) => `${name} ${count}`)
  const statuses = Object.entries(run.statuses).map(([status, count]) => `${status}: ${count}`)
  const { responseMs } = run
  const response =
    responseMs === undefined ? 'not known in a closed model' : percentileLine(responseMs)
  const lines = [
    `  ${run.name ?? `run ${index + 1}`}, ${(run.durationMs / 1000).toFixed(1)} s: ${outcomes.join(', ')}` +
      ` (${statuses.join(', ')})`,
    `    service  ${percentileLine(run.serviceMs)}`,
    `    response ${response}`,
    `    generator ${figure(generator.cpuPercent)} % of a core, loop lag p99 ` +
      `${figure(generator.loopLagMs.p99)} max ${figure(generator.loopLagMs.max)} ms`,
    `    memory ${figure(rssMb)} MB of the generator, ${gc.count} collections, ` +
      `${figure(gc.totalMs)} ms in all, the longest ${figure(gc.maxMs)} ms`,
  ]
  if (run.open !== undefined) {
    const { arrivals, missedTicks, delayed, dropped, backlogPeak } = run.open
    lines.push(
      `    schedule ${arrivals} arrivals, ${missedTicks} missed ticks, ${delayed} waited for a ` +
        `connection (at most ${backlogPeak} at a time), ${dropped} dropped`,
    )
  }
  for (const group of run.processes) {
    lines.push(
      `    ${group.name.padEnd(10)} ${figure(group.cpuPercent)} % of a core, ` +
        `${figure(group.rssMbPeak)} MB at most (${figure(group.rssMbStart)} MB at the start)`,
    )
  }
  return lines
}

function percentileLine(ms: Percentiles): string {
  const names = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max', 'mean'] as const
  return `${names.map((name) => `${name} ${figure(ms[name])}`).join('  ')} ms`
}

function renderConservation(conservation: Conservation): string[] {
  const { sent, accepted, rejected, unknown, stored } = conservation
  return [
    `  conservation (warm-up and all runs): ${conservation.verdict}: ${conservation.detail}`,
    `    sent ${sent} = accepted ${accepted} + rejected ${rejected} + unknown ${unknown}; ` +
      `stored ${stored ?? 'not read back'}`,
  ]
}

function renderComparison(comparison: Comparison): string[] {
  const { startedAt, revision, ok } = comparison.before
  const lines = [`  before: ${startedAt}, revision ${revision}${ok ? '' : ', which was not ok'}`]
  if (comparison.differences.length > 0) {
    lines.push('  WARNING: not the same measurement, so the figures below say little:')
    lines.push(...comparison.differences.map((difference) => `    ${difference}`))
  }
  return [...lines, ...textTable(comparisonTable(comparison))]
}
