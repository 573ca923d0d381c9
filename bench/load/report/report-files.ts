/** Writes the requested files of a report. */
import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Result } from '../../../src/core/result.ts'
import { type Measured, readBaseline } from './baseline.ts'
import { renderHgrm } from './latency-histogram.ts'
import type { BenchReport } from './report.ts'
import { renderCsv } from './report-csv.ts'
import { renderHtml } from './report-html.ts'

/** Paths of a report's files, besides the terminal. */
export type ReportPaths = {
  readonly json?: string
  readonly csv?: string
  readonly html?: string
  readonly hgrm?: string
}

/** Each format depends on the report alone, so that an old report can be shown later. */
const FORMATS: Readonly<Record<keyof ReportPaths, (report: BenchReport) => string>> = {
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  csv: renderCsv,
  html: renderHtml,
  hgrm: renderHgrm,
}
const NAMES = Object.keys(FORMATS) as (keyof ReportPaths)[] // Built from all of them.

export function writeReportFiles(report: BenchReport, paths: ReportPaths): void {
  for (const name of NAMES) {
    const path = paths[name]
    if (path !== undefined) writeFileSync(path, FORMATS[name](report))
  }
}

/** The first file that cannot be written, reported before a long run and not after it. */
export function problemWithPaths(paths: ReportPaths): string | undefined {
  for (const name of NAMES) {
    const path = paths[name]
    if (path === undefined) continue
    const known = statSync(path, { throwIfNoEntry: false })
    if (known?.isDirectory()) return `--${name} ${path} is a folder`
    try {
      accessSync(known === undefined ? dirname(path) : path, constants.W_OK)
    } catch {
      return `--${name} ${path} cannot be written`
    }
  }
  return undefined
}

/** The report that `--baseline` names. The error is a sentence for the user. */
export function loadBaseline(path: string): Result<Measured, string> {
  try {
    const read = readBaseline(readFileSync(path, 'utf8'))
    return read.ok ? ok(read.value) : err(`--baseline ${path} ${read.error}`)
  } catch (error) {
    return err(`--baseline ${path}: ${error instanceof Error ? error.message : error}`)
  }
}
