/** Weekly summary of a project: visitors, sources, pages, flags, and events that were left out. */
import { formatNumber } from '../../core/charts/numbers.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isList, isObject, type Json, listOf, own } from '../../core/json.ts'
import { type Zone, zonedText } from '../../core/time/zone.ts'
import { usageStatus } from '../../flags/usage-status.ts'
import type { Db } from '../../postgres/db.ts'
import {
  FLAG_USAGE_DAYS,
  hasFlagReports,
  listFlagCalls,
} from '../../store/projects/flag-usage-store.ts'
import { droppedInDays } from '../../store/warnings/dropped-store.ts'
import type { Section } from './subscription-texts.ts'

const DAYS = 7
const DAY_MS = 86_400_000
/** Rows of a table, and flags that a line names. */
const ROWS_MAX = 5
const NAMED_MAX = 5
const FLAGS_MAX = 1_000

/** Questions over the last seven days that have ended, beside the seven before them. */
export function summaryQuestions(nowMs: number, zone: Zone): readonly Json[] {
  const today = Math.floor(zone.wallAt(nowMs) / DAY_MS)
  const startOf = (day: number) => zonedText(zone, zone.instantOf(day * DAY_MS))
  const dateRange = { date_from: startOf(today - DAYS), date_to: startOf(today) }
  const common = { dateRange, compareFilter: { compare: true } }
  const table = { kind: 'WebStatsTableQuery', ...common, limit: ROWS_MAX }
  return [
    { kind: 'WebOverviewQuery', ...common },
    { ...table, breakdownBy: 'InitialReferringDomain' },
    { ...table, breakdownBy: 'Page' },
  ]
}

/** @param answers results of the questions, or why there are none. */
export function summarySections(
  answers: readonly { readonly results: Json; readonly problem: string | undefined }[],
  link: string,
): readonly Section[] {
  const [overview, sources, pages] = answers
  const section = (name: string, of: typeof overview, read: (results: Json) => string[]) => {
    if (of?.problem !== undefined) return { name, link, lines: [of.problem], png: undefined }
    const lines = read(of?.results ?? null)
    return { name, link, lines: lines.length === 0 ? ['None.'] : lines, png: undefined }
  }
  return [
    section('Visitors', overview, overviewLines),
    section('Top sources', sources, tableLines),
    section('Top pages', pages, tableLines),
  ]
}

const SHOWN: Readonly<Record<string, string>> = {
  visitors: 'Visitors',
  views: 'Page views',
  sessions: 'Sessions',
}

function overviewLines(results: Json): string[] {
  return listOf(results).flatMap((row) => {
    if (!isObject(row)) return []
    const name = SHOWN[String(own(row, 'key'))]
    if (name === undefined) return []
    return [`${name}: ${changeText([own(row, 'value') ?? null, own(row, 'previous') ?? null])}`]
  })
}

/** A row is its value, and pairs of now and before: visitors come first. */
function tableLines(results: Json): string[] {
  return listOf(results).map((row) => {
    const [value = null, visitors = null] = listOf(row)
    return `${nameOf(value)}: ${changeText(listOf(visitors))}`
  })
}

function nameOf(value: Json): string {
  if (value === null || value === '') return 'none'
  if (value === '$direct') return 'direct'
  return isList(value) ? value.join(', ') : String(value)
}

/** `1,204 (+12 %)`. */
function changeText([now, before]: readonly Json[]): string {
  const [value, earlier] = [Number(now ?? 0), Number(before ?? 0)]
  if (earlier === 0) return `${formatNumber(value)}${value === 0 ? '' : ' (new)'}`
  const change = Math.round((100 * (value - earlier)) / earlier)
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  return `${formatNumber(value)} (${sign}${formatNumber(Math.abs(change))} %)`
}

/** Flags that are a week old at most, flags that nobody asks for any more, events left out. */
export async function stateSections(
  db: Db,
  project: ProjectId,
  nowMs: number,
  page: string,
): Promise<readonly Section[]> {
  const [flags, hasReports, dropped] = await Promise.all([
    listFlagCalls(db, project, { days: FLAG_USAGE_DAYS, limit: FLAGS_MAX, offset: 0 }),
    hasFlagReports(db, project),
    droppedInDays(db, project, { days: DAYS, nowMs }),
  ])
  const young = flags.filter(({ createdAtMs }) => nowMs - createdAtMs < DAYS * DAY_MS)
  const stale = flags.filter((flag) => {
    const calledAtMs = flag.calledAtMs ?? undefined
    return usageStatus({ ...flag, calledAtMs, hasReports }, nowMs).status === 'stale'
  })
  const keys = (of: readonly { readonly key: string }[]) => named(of.map(({ key }) => key))
  return [
    {
      name: 'Flags',
      link: `${page}/feature_flags`,
      lines: [`New: ${keys(young)}`, `Stale: ${keys(stale)}`],
      png: undefined,
    },
    {
      name: 'Events dropped or changed',
      link: `${page}/events`,
      lines:
        dropped.length === 0
          ? ['None.']
          : dropped
              .slice(0, ROWS_MAX)
              .map(({ reason, count }) => `${reason.replaceAll('_', ' ')}: ${formatNumber(count)}`),
      png: undefined,
    },
  ]
}

function named(keys: readonly string[]): string {
  if (keys.length === 0) return 'none'
  const more = keys.length - NAMED_MAX
  return `${keys.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
