/** Checked questions about the events of a project. */

import type { Zone } from '../../core/time/zone.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import type { Members } from '../../events/trees/members.ts'
import type { Page } from '../../wire/page.ts'
import type { EventTableQuery } from '../table/event-table.ts'
import type { Formula } from './formula.ts'
import type {
  SessionFilter,
  SessionNumberName,
  SessionPropertyName,
} from './sessions/session-properties.ts'
import type { Shift } from './time/compared-range.ts'
import type { AskedRange } from './time/date-range.ts'
import type { Interval } from './time/grid.ts'

/** Why a question cannot be answered. */
export type QuestionError = {
  readonly code: 'invalid_input' | 'unsupported_query' | 'query_timeout'
  readonly detail: string
  /** Dotted path of the member, within the question; empty for the question itself. */
  readonly attr: string | null
}

/** Members that all questions have. */
export type Asked = {
  readonly zone: Zone
  readonly range: AskedRange
  /** Holds for every event that is read: the question's own filters and those of test accounts. */
  readonly filter: FilterNode
  /** All hold for the session of every event that is counted. */
  readonly sessions?: readonly SessionFilter[]
}

export const COUNT_MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
  'first_matching_event_for_user',
] as const
/** Maths that everything before the range matters to. */
export const FIRST_MATHS: readonly string[] = [
  'first_time_for_user',
  'first_matching_event_for_user',
] satisfies readonly CountMath[]
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

/** Counts the different groups of a type that events name. */
export const GROUP_MATH = 'unique_group'

export type Maths =
  | { readonly kind: CountMath }
  | { readonly kind: typeof GROUP_MATH; readonly index: number }
  | { readonly kind: PropertyMath; readonly property: string }
  /** Number of the sessions with an event of the series. */
  | { readonly kind: PropertyMath; readonly ofSession: SessionNumberName }

/** A selection of events, and the quantity counted over them. */
export type Series = {
  /** null means all events. */
  readonly event: string | null
  readonly name: string | undefined
  readonly customName: string | undefined
  readonly maths: Maths
  readonly filter: FilterNode
}

/** An actor counts in each cohort that it is in. */
export type AskedCohort = {
  readonly id: number
  /** Form of this release: an answer under an earlier name is another one. */
  readonly name: string
  readonly members: Members
}

export type Breakdown = {
  readonly source:
    | { readonly kind: 'event' | 'person'; readonly property: string }
    | { readonly kind: 'event_name' }
    | { readonly kind: 'cohorts'; readonly cohorts: readonly AskedCohort[] }
    | { readonly kind: 'session'; readonly property: SessionPropertyName }
    /** Property of the group of this type, by its index. */
    | { readonly kind: 'group'; readonly index: number; readonly property: string }
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
  /** `own_length`: the range directly before. */
  readonly compare: Shift | 'own_length' | undefined
  readonly formula: { readonly text: string; readonly tree: Formula } | undefined
  /** Asks for one number over the whole range, beside those of the buckets. */
  readonly isAggregated: boolean
}

/** Value of a breakdown that an actor counts for. A number: that of the step with this place. */
export type Attribution = 'first_touch' | 'last_touch' | 'all_events' | 'each_value' | number

/** Kind of result that a funnel shows. */
export type FunnelShape =
  | { readonly kind: 'steps' }
  /** How long they took between two steps. */
  | { readonly kind: 'time_to_convert'; readonly from: number; readonly to: number }
  /** How many of those who took one step took another, by when they began. */
  | {
      readonly kind: 'trends'
      readonly from: number
      readonly to: number
      readonly interval: Interval
    }

/** Index of the type of groups that are the actors; undefined: persons are. */
export type GroupIndex = number | undefined

export type FunnelQuestion = Asked & {
  readonly kind: 'funnel'
  readonly groups: GroupIndex
  readonly steps: readonly Series[]
  readonly order: 'ordered' | 'strict' | 'unordered'
  /** Milliseconds. */
  readonly windowMs: number
  readonly exclusions: readonly {
    readonly event: string
    readonly filter: FilterNode
    readonly from: number
    readonly to: number
  }[]
  readonly breakdown: (Breakdown & { readonly attribution: Attribution }) | undefined
  readonly shape: FunnelShape
}

/** A table of events: see `parseEventTable`. */
export type EventsQuestion = {
  readonly kind: 'events'
  readonly query: EventTableQuery
  readonly page: Page
}

export const PATH_EVENT_TYPES = ['$pageview', '$screen', 'custom_event'] as const
export type PathEventType = (typeof PATH_EVENT_TYPES)[number]

export type PathsQuestion = Asked & {
  readonly kind: 'paths'
  /** Events that are items of paths: none means all. Custom events do not begin with `$`. */
  readonly eventTypes: readonly PathEventType[]
  /** Items that a path begins and ends with. */
  readonly startPoint: string | undefined
  readonly endPoint: string | undefined
  /** Items of a path, and edges of the answer. */
  readonly stepLimit: number
  readonly edgeLimit: number
}

export const PERIODS = { Hour: 'hour', Day: 'day', Week: 'week', Month: 'month' } as const
export type Period = keyof typeof PERIODS

export type RetentionQuestion = Asked & {
  readonly kind: 'retention'
  readonly groups: GroupIndex
  readonly period: Period
  readonly intervals: number
  /** An actor counts in the interval of its first event ever, and in no other. */
  readonly isFirstTime: boolean
  /** null means all events. */
  readonly target: string | null
  readonly returning: string | null
  /** Counts an actor that returns later in the intervals before, too. */
  readonly isCumulative: boolean
}

export type StickinessQuestion = Asked & {
  readonly kind: 'stickiness'
  readonly series: readonly Series[]
  readonly interval: Interval
}

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const
export type Status = (typeof STATUSES)[number]

export type LifecycleQuestion = Asked & {
  readonly kind: 'lifecycle'
  readonly series: readonly Series[]
  readonly interval: Interval
}

/** A question whose answer is numbers. */
export type NumbersQuestion =
  | TrendsQuestion
  | FunnelQuestion
  | PathsQuestion
  | RetentionQuestion
  | StickinessQuestion
  | LifecycleQuestion

/** Data point of an answer; members that were not named are `undefined`. */
export type NumberOfTrends = {
  readonly kind: 'trends'
  readonly source: TrendsQuestion
  /** Index from 0; undefined means all series of a formula. */
  readonly series: number | undefined
  /** A text of `days` or `buckets`; undefined means the whole range. */
  readonly day: string | undefined
  readonly breakdown: string | undefined
  readonly period: 'current' | 'previous'
}
export type NumberOfFunnel = {
  readonly kind: 'funnel'
  readonly source: FunnelQuestion
  readonly breakdown: string | undefined
  readonly of:
    | {
        readonly kind: 'reached' | 'dropped' | 'open'
        /** From 0: of actors that reached it, or that reached it last. */
        readonly step: number
        /** A text of `days` or `buckets`, of the entry; undefined means the whole range. */
        readonly day: string | undefined
      }
    /** The seconds with which a bin begins. */
    | { readonly kind: 'bin'; readonly seconds: number }
}
/** An edge, or all that begin or end with an item. */
export type NumberOfPaths = {
  readonly kind: 'paths'
  readonly source: PathsQuestion
  readonly start: string | undefined
  readonly end: string | undefined
}
export type NumberOfRetention = {
  readonly kind: 'retention'
  readonly source: RetentionQuestion
  readonly row: number
  /** Intervals later. */
  readonly later: number
}
export type NumberOfStickiness = {
  readonly kind: 'stickiness'
  readonly source: StickinessQuestion
  readonly series: number
  readonly length: number
}
export type NumberOfLifecycle = {
  readonly kind: 'lifecycle'
  readonly source: LifecycleQuestion
  readonly day: string
  readonly status: Status
}
export type NumberAsked =
  | NumberOfTrends
  | NumberOfFunnel
  | NumberOfPaths
  | NumberOfRetention
  | NumberOfStickiness
  | NumberOfLifecycle

/** Question for the persons or groups behind a data point. */
export type ActorsQuestion = {
  readonly kind: 'actors'
  readonly number: NumberAsked
  readonly limit: number
  readonly offset: number
}

/** Whether events are counted by what their sessions are. */
export function asksOfSessions(question: NumbersQuestion): boolean {
  if (question.sessions !== undefined) return true
  if ('breakdown' in question && question.breakdown?.source.kind === 'session') return true
  return question.kind === 'trends' && question.series.some(({ maths }) => 'ofSession' in maths)
}
