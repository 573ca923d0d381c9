/** Questions of the page about a site: all of them in one call. */
import type { JsonObject } from '../../../client/index.ts'
import { formatNumber, formatPercent } from '../../data/format.ts'
import { isAnswered } from '../../data/questions.ts'
import { intervalOf, rangeOf } from '../../data/ranges.ts'
import { asProperties } from '../../kit/filters/expression.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { PANELS, type PanelTab, tabOf, type WebValue } from './panels.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'

const ACTIVE_MS = 300_000
/** Rows of a panel, and of the map of one. */
export const LISTED = 9
const MAPPED = 250
const SECONDS_PER_MINUTE = 60

/** A number of the overview, by the key of its row. */
export type Figure = {
  readonly key: string
  readonly label: string
  readonly format: (value: number) => string
  /** Whether more of it is good news. */
  readonly isMoreGood: boolean
}

const FIGURES: readonly Figure[] = [
  { key: 'visitors', label: TEXTS.visitors, format: formatNumber, isMoreGood: true },
  { key: 'views', label: TEXTS.views, format: formatNumber, isMoreGood: true },
  { key: 'sessions', label: TEXTS.sessions, format: formatNumber, isMoreGood: true },
  {
    key: 'views per session',
    label: TEXTS.viewsPerSession,
    isMoreGood: true,
    format: (value) => value.toFixed(1),
  },
  {
    key: 'session duration',
    label: TEXTS.duration,
    isMoreGood: true,
    format: formatDuration,
  },
  {
    key: 'bounce rate',
    label: TEXTS.bounceRate,
    isMoreGood: false,
    format: (value) => formatPercent(value / 100),
  },
]

/** Figures of the overview with a goal. */
const GOAL_FIGURES: readonly Figure[] = [
  { key: 'unique conversions', label: TEXTS.unique, format: formatNumber, isMoreGood: true },
  { key: 'total conversions', label: TEXTS.conversions, format: formatNumber, isMoreGood: true },
  {
    key: 'conversion rate',
    label: TEXTS.rate,
    isMoreGood: true,
    format: (value) => formatPercent(value / 100),
  },
]

export function figuresOf({ goal }: AskedWeb): readonly Figure[] {
  return goal === undefined ? FIGURES : [...FIGURES, ...GOAL_FIGURES]
}

/** `1m 05s`. @param seconds a whole number is shown. */
function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const rest = whole % SECONDS_PER_MINUTE
  const minutes = (whole - rest) / SECONDS_PER_MINUTE
  return minutes === 0 ? `${rest}s` : `${minutes}m ${String(rest).padStart(2, '0')}s`
}

/** A row of the overview. */
export type FigureRow = {
  readonly key: string
  readonly value: number | null
  readonly previous: number | null
}

/** Now, and in the compared range: null without one, or without a number. */
export type Pair = readonly [now: number | null, before: number | null]

/** A row of a table: its value, visitors, views and bounce rate (0 to 1); the rest with a goal. */
export type StatsRow = readonly [
  value: WebValue,
  visitors: Pair,
  views: Pair,
  bounceRate: Pair,
  total?: Pair,
  unique?: Pair,
  rate?: Pair,
]

export type GoalRow = readonly [name: string, unique: Pair, total: Pair, rate: Pair]

export type AskedWeb = {
  readonly date: string
  readonly filters: readonly PropertyFilter[]
  /** Offset of the comparison: `before` for the range directly before, empty for none. */
  readonly compare: string
  readonly isWithoutTests: boolean
  /** Name of the goal whose conversions are shown. */
  readonly goal: string | undefined
  /** Breakdowns of the panels, by their keys; the first of a panel where one is missing. */
  readonly tabs: Readonly<Record<string, string | null>>
}

/** Members of all questions about a site. */
function commonOf({ date, filters, compare, isWithoutTests }: AskedWeb): JsonObject {
  const isCompared = compare !== '' && date !== 'all'
  const to = compare === 'before' ? {} : { compare_to: compare }
  return {
    dateRange: rangeOf(date),
    properties: asProperties(filters),
    ...(isWithoutTests ? { filterTestAccounts: true } : {}),
    ...(isCompared ? { compareFilter: { compare: true, ...to } } : {}),
  }
}

function goalOf({ goal }: AskedWeb): JsonObject {
  return goal === undefined ? {} : { conversionGoal: { goal } }
}

export function statsQuery(asked: AskedWeb, { by }: PanelTab, limit: number): JsonObject {
  return {
    kind: 'WebStatsTableQuery',
    ...commonOf(asked),
    ...goalOf(asked),
    breakdownBy: by,
    includeBounceRate: true,
    limit,
  }
}

/** The overview, its trend, the current visitors, the goals, and the tables of the panels. */
export function webQueries(asked: AskedWeb, metric: string, nowMs: number): readonly JsonObject[] {
  const common = commonOf(asked)
  const numbers = { ...common, ...goalOf(asked) }
  const active = {
    kind: 'EventsQuery',
    select: ['countDistinct(distinct_id)'],
    event: '$pageview',
    after: new Date(nowMs - ACTIVE_MS).toISOString(),
    properties: asProperties(asked.filters.filter(({ type }) => type !== 'session')),
  }
  return [
    { kind: 'WebOverviewQuery', ...numbers },
    { kind: 'WebTrendsQuery', ...numbers, metrics: [metric], interval: intervalOf(asked.date) },
    active,
    { kind: 'WebGoalsQuery', ...common },
    ...PANELS.map((panel) => {
      const tab = tabOf(panel, asked.tabs[panel.key] ?? null)
      return statsQuery(asked, tab, tab.by === 'Country' ? MAPPED : LISTED)
    }),
  ]
}

/** Visitors of an overview; 0 where there is no answer. */
export function visitorsOf(overview: object | undefined): number {
  const rows: readonly FigureRow[] = isAnswered(overview) ? overview.results : []
  return rows.find(({ key }) => key === 'visitors')?.value ?? 0
}

/** `3 current visitors`; empty where there is no answer. */
export function currentOf(answer: object | undefined): string {
  if (!isAnswered(answer)) return ''
  const rows: readonly (readonly unknown[])[] = answer.results
  const count = Number(rows[0]?.[0] ?? 0)
  return `${formatNumber(count)} ${count === 1 ? TEXTS.oneNow : TEXTS.now}`
}

/** A link to the page as it is; comparison, goals and tabs are the viewer's or left out. */
export function sharedOf({ date, filters, isWithoutTests }: AskedWeb) {
  const kept = { properties: asProperties(filters), filterTestAccounts: isWithoutTests }
  return { kind: 'web' as const, filters: { ...rangeOf(date), ...kept } }
}
