/** Checked questions about the events of a project. */
import type { FilterNode } from '../list/filters.ts'
import type { AskedRange, Shift } from './time/date-range.ts'
import type { Interval } from './time/grid.ts'
import type { Zone } from './time/zone.ts'
import type { Formula } from './trends/formula.ts'

/** Why a question cannot be answered. */
export type QuestionError = {
  readonly code: 'invalid_input' | 'unsupported_query' | 'query_timeout'
  readonly detail: string
  /** Dotted path of the member, within the question; empty for the question itself. */
  readonly attr: string | null
}

/** What every question names. */
export type Asked = {
  readonly zone: Zone
  readonly range: AskedRange
  /** Holds for every event that is read: the question's own filters and those of test accounts. */
  readonly filter: FilterNode
}

export const COUNT_MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
] as const
export type CountMath = (typeof COUNT_MATHS)[number]

export const PROPERTY_MATHS = [
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
] as const
export type PropertyMath = (typeof PROPERTY_MATHS)[number]

export type Maths =
  | { readonly kind: CountMath }
  | { readonly kind: PropertyMath; readonly property: string }

/** Some of the events, and what is counted of them. */
export type Series = {
  /** null means all events. */
  readonly event: string | null
  readonly name: string | undefined
  readonly customName: string | undefined
  readonly maths: Maths
  readonly filter: FilterNode
}

export type Breakdown = {
  readonly source:
    | { readonly kind: 'event' | 'person'; readonly property: string }
    | { readonly kind: 'event_name' }
  /** Values shown by themselves. */
  readonly limit: number
}

export const AGGREGATED_DISPLAYS = [
  'BoldNumber',
  'ActionsTable',
  'ActionsPie',
  'ActionsBarValue',
] as const
export const LINE_DISPLAYS = [
  'ActionsLineGraph',
  'ActionsLineGraphCumulative',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
] as const

export type TrendsQuestion = Asked & {
  readonly kind: 'trends'
  readonly series: readonly Series[]
  readonly interval: Interval
  readonly breakdown: Breakdown | undefined
  /** `own_length`: as many local days before. */
  readonly compare: Shift | 'own_length' | undefined
  readonly formula: { readonly text: string; readonly tree: Formula } | undefined
  /** Asks for one number over the whole range, beside those of the buckets. */
  readonly isAggregated: boolean
}

export type FunnelQuestion = Asked & {
  readonly kind: 'funnel'
  readonly steps: readonly Series[]
  readonly order: 'ordered' | 'strict' | 'unordered'
  /** Milliseconds. */
  readonly windowMs: number
  readonly exclusions: readonly {
    readonly event: string
    readonly from: number
    readonly to: number
  }[]
}

export const PERIODS = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const
export type Period = keyof typeof PERIODS

export type RetentionQuestion = Asked & {
  readonly kind: 'retention'
  readonly period: Period
  readonly intervals: number
  /** An actor counts in the interval of its first event ever, and in no other. */
  readonly isFirstTime: boolean
  /** null means all events. */
  readonly target: string | null
  readonly returning: string | null
  /** An actor that comes back later counts in the intervals before. */
  readonly isCumulative: boolean
}

export type StickinessQuestion = Asked & {
  readonly kind: 'stickiness'
  readonly series: readonly Series[]
  readonly interval: Interval
}

export type LifecycleQuestion = Asked & {
  readonly kind: 'lifecycle'
  readonly series: readonly Series[]
  readonly interval: Interval
}

export type Question =
  | TrendsQuestion
  | FunnelQuestion
  | RetentionQuestion
  | StickinessQuestion
  | LifecycleQuestion
