/** Compares a report with an earlier one of the same workload. Pure: callers read the files. */

import { isObject } from '../../../src/core/json.ts'
import { err, ok, type Result } from '../../../src/core/result.ts'
import type { Comparison, ComparisonRow } from './comparison.ts'
import type { BenchReport } from './report.ts'
import { spreadOf } from './stats.ts'

/** The figures of a report that a comparison needs, read back from its JSON. */
export type Measured = {
  readonly bench: string
  readonly startedAt: string
  readonly ok: boolean
  readonly settings: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, unknown>>
  /** Part -> figure -> value. The first part is the whole, which a ramp does not have. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export const WHOLE = 'all'
const COMPARED = ['rps', 'eps', 'p50', 'p99', 'cpu'] as const

/** Reads what `--json` wrote. The error is a sentence for the user. */
export function readBaseline(text: string): Result<Measured, string> {
  const value = parseJson(text)
  return value === undefined ? err('is not JSON') : measuredOf(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Said to the user by the caller.
  }
}

function measuredOf(report: unknown): Result<Measured, string> {
  if (!isObject(report) || report['schema'] !== 'sluice-bench/1') {
    return err('is not a report of schema sluice-bench/1')
  }
  const { bench, startedAt, verdict, settings, environment, summary, kinds, runs } = report
  if (typeof bench !== 'string' || typeof startedAt !== 'string') {
    return err('does not say what was run, and when')
  }
  if (!isObject(settings) || !isObject(environment) || !isObject(summary)) {
    return err('lacks settings, environment or summary')
  }
  const list = Array.isArray(runs) ? runs.filter(isObject) : []
  const parts = new Map<string, ReadonlyMap<string, number>>()
  const steps = list.filter((run) => typeof run['name'] === 'string')
  for (const step of steps) {
    const figures = new Map(numbersOf(step['figures'], (value) => value))
    for (const [name, cpu] of groupsOf([step])) figures.set(name, cpu)
    parts.set(String(step['name']), figures)
  }
  if (steps.length === 0) {
    const figures = new Map(numbersOf(summary, medianOf))
    for (const [name, cpu] of groupsOf(list)) figures.set(name, cpu)
    parts.set(WHOLE, figures)
  }
  for (const [kind, spreads] of Object.entries(isObject(kinds) ? kinds : {})) {
    parts.set(kind, new Map(numbersOf(spreads, medianOf)))
  }
  const ended = isObject(verdict) && verdict['ok'] === true
  return ok({ bench, startedAt, ok: ended, settings, environment, parts })
}

/** The figures that are numbers. JSON has no form for those that are not. */
function numbersOf(record: unknown, read: (value: unknown) => unknown): [string, number][] {
  return Object.entries(isObject(record) ? record : {}).flatMap(([name, value]) => {
    const number = read(value)
    return typeof number === 'number' ? [[name, number] as [string, number]] : []
  })
}

function medianOf(spread: unknown): unknown {
  return isObject(spread) ? spread['median'] : undefined
}

function groupsOf(runs: readonly Record<string, unknown>[]): [string, number][] {
  const found = new Map<string, number[]>()
  for (const { processes } of runs) {
    for (const group of Array.isArray(processes) ? processes.filter(isObject) : []) {
      const { name, cpuPercent } = group
      if (typeof name !== 'string' || typeof cpuPercent !== 'number') continue
      found.set(`cpu ${name}`, [...(found.get(`cpu ${name}`) ?? []), cpuPercent])
    }
  }
  return [...found].map(([name, values]) => [name, spreadOf(values).median])
}

/**
 * The error says why the two cannot be compared, as the end of a sentence about the earlier one.
 */
export function compare(before: Measured, report: BenchReport): Result<Comparison, string> {
  // Through JSON, so that both sides have lost the same parts.
  const after = readBaseline(JSON.stringify(report))
  if (!after.ok) return after
  if (before.bench !== after.value.bench) {
    return err(`is of bench ${before.bench}, not ${after.value.bench}`)
  }
  const rows: ComparisonRow[] = []
  for (const [of, figures] of after.value.parts) {
    const earlier = before.parts.get(of)
    const groups = [...figures.keys()].filter((name) => name.startsWith('cpu '))
    for (const metric of earlier === undefined ? [] : [...COMPARED, ...groups]) {
      const from = earlier?.get(metric)
      const to = figures.get(metric)
      // Requests without events have no rate of events.
      if (from === undefined || (metric === 'eps' && from === 0 && to === 0)) continue
      // One generator sends all kinds of a mix, so its CPU is that of the whole.
      if (metric === 'cpu' && of !== WHOLE && after.value.parts.has(WHOLE)) continue
      const value = to ?? Number.NaN
      rows.push({ of, metric, before: from, after: value, ratio: ratioOf(from, value) })
    }
  }
  const { startedAt, ok: wasOk, environment } = before
  const revision = String(environment['revision'] ?? 'unknown')
  return ok({
    before: { startedAt, ok: wasOk, revision },
    differences: differencesOf(before, after.value),
    rows,
  })
}

function ratioOf(before: number, after: number): number | undefined {
  const ratio = after / before
  return Number.isFinite(ratio) ? ratio : undefined
}

/**
 * Settings that are no part of the load: output paths, checks, and values that differ in every run.
 */
const NOT_COMPARED = new Set([
  'json',
  'csv',
  'html',
  'hgrm',
  'baseline',
  'maxRegression',
  'threshold',
  'drain',
  'nonce',
  'search',
  'projectId',
  'pids',
  'serverPid',
  'readBack',
])
/** The revision is the subject of the comparison, and the machine's load always differs. */
const ENVIRONMENT_NOT_COMPARED = new Set(['revision', 'loadBefore'])

function differencesOf(before: Measured, after: Measured): string[] {
  const searched = before.settings['slo'] === true && after.settings['slo'] === true
  // A search finds its rate, which is a figure and not a setting.
  const skipped = searched ? new Set([...NOT_COMPARED, 'rate']) : NOT_COMPARED
  return [
    ...changesOf('setting', before.settings, after.settings, skipped),
    ...changesOf('environment', before.environment, after.environment, ENVIRONMENT_NOT_COMPARED),
  ]
}

function changesOf(
  what: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  skipped: ReadonlySet<string>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => !skipped.has(name))
    .map((name) => ({ name, from: textOf(before[name]), to: textOf(after[name]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${what} ${name} was ${from}, is ${to}`)
}

function textOf(value: unknown): string {
  if (value === undefined) return 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Kinds of a mix are left out: percentiles of a few requests say little. */
export function regressions(
  { rows }: Comparison,
  maxPercent: number,
  kinds: ReadonlySet<string>,
): string[] {
  return rows.flatMap(({ of, metric, before, after }) => {
    if (kinds.has(of) || (metric !== 'rps' && metric !== 'p99')) return []
    const worse = metric === 'rps' ? before - after : after - before
    // Also true of figures that are not numbers.
    if (worse <= (before * maxPercent) / 100) return []
    const name = of === WHOLE ? metric : `${of}: ${metric}`
    const change = `${metric === 'rps' ? 'fell' : 'rose'} from ${round(before)} to ${round(after)}`
    return [`${name} ${change}, more than ${maxPercent} %`]
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Adds the comparison with an earlier report and its regressions. */
export function compared(
  report: BenchReport,
  before: Measured,
  maxRegression: number | undefined,
): BenchReport {
  const comparison = compare(before, report)
  if (!comparison.ok) return withReasons(report, [`the baseline ${comparison.error}`])
  const kinds = new Set(Object.keys(report.kinds ?? {}))
  const worse =
    maxRegression === undefined ? [] : regressions(comparison.value, maxRegression, kinds)
  return { ...withReasons(report, worse), baseline: comparison.value }
}

function withReasons(report: BenchReport, more: readonly string[]): BenchReport {
  const reasons = [...report.verdict.reasons, ...more]
  return { ...report, verdict: { ok: reasons.length === 0, reasons } }
}
