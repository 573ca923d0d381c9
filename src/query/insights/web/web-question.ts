/** Checked questions about the sessions of a site. */
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Asked } from '../question.ts'
import type { SessionFilter } from '../sessions/session-properties.ts'
import type { Shift } from '../time/compared-range.ts'
import type { Interval } from '../time/grid.ts'

/** Members of all these questions. `filter` holds for every view that is counted. */
export type WebAsked = Asked & {
  /** All hold for every session that is counted. */
  readonly sessions: readonly SessionFilter[]
  /** `own_length`: the range directly before. */
  readonly compare: Shift | 'own_length' | undefined
  readonly includesBots: boolean
}

/** Events of counted sessions that are a goal of the site. */
export type WebGoal = {
  readonly name: string
  readonly event: string
  readonly filter: FilterNode
}

export const WEB_METRICS = [
  'visitors',
  'views',
  'sessions',
  'views per session',
  'session duration',
  'bounce rate',
] as const
/** Metrics of a question with a goal. */
export const WEB_GOAL_METRICS = [
  'total conversions',
  'unique conversions',
  'conversion rate',
] as const

export type WebOverviewQuestion = WebAsked & {
  readonly kind: 'web_overview'
  readonly goal: WebGoal | undefined
}

/** Breakdowns by items of events; all others are by members of sessions. */
export const EVENT_BREAKDOWNS = ['Page', 'ScreenName', 'ExitClick'] as const
export const WEB_BREAKDOWNS = [
  ...EVENT_BREAKDOWNS,
  'InitialPage',
  'ExitPage',
  'InitialChannelType',
  'InitialReferringDomain',
  'InitialUTMSource',
  'InitialUTMMedium',
  'InitialUTMCampaign',
  'InitialUTMTerm',
  'InitialUTMContent',
  'Browser',
  'OS',
  'DeviceType',
  'Viewport',
  'Country',
  'Region',
  'City',
  'Language',
  'Timezone',
] as const
export type WebBreakdown = (typeof WEB_BREAKDOWNS)[number]

/** Columns that rows can be ordered by. */
export const WEB_ORDERS = [
  'Visitors',
  'Views',
  'BounceRate',
  'TotalConversions',
  'UniqueConversions',
  'ConversionRate',
] as const
export type WebOrder = (typeof WEB_ORDERS)[number]

export type WebStatsQuestion = WebAsked & {
  readonly kind: 'web_stats'
  readonly by: WebBreakdown
  readonly hasBounceRate: boolean
  readonly goal: WebGoal | undefined
  readonly order: { readonly by: WebOrder; readonly isAscending: boolean }
  readonly limit: number
  readonly offset: number
}

export type WebTrendsQuestion = WebAsked & {
  readonly kind: 'web_trends'
  /** Keys of numbers of the overview. */
  readonly metrics: readonly string[]
  readonly interval: Interval
  readonly goal: WebGoal | undefined
}

/** Asks how many sessions reach each goal of the project. */
export type WebGoalsQuestion = WebAsked & {
  readonly kind: 'web_goals'
  readonly goals: readonly WebGoal[]
}

/** Asks for sessions themselves. */
export type SessionsQuestion = WebAsked & {
  readonly kind: 'web_sessions'
  /** UUID of a person. */
  readonly personId: string | undefined
  readonly distinctId: string | undefined
  readonly limit: number
  readonly offset: number
}

export type WebQuestion =
  | SessionsQuestion
  | WebOverviewQuestion
  | WebStatsQuestion
  | WebTrendsQuestion
  | WebGoalsQuestion

const KINDS: readonly string[] = [
  'web_overview',
  'web_stats',
  'web_trends',
  'web_goals',
  'web_sessions',
] satisfies WebQuestion['kind'][]

export function isWeb<Q extends { readonly kind: string }>(
  question: Q,
): question is Extract<Q, WebQuestion> {
  return KINDS.includes(question.kind)
}

type NamedEvents = { readonly event: string | null; readonly filters: readonly FilterNode[] }

/** Events that have roles: those that pass the filters, and those of the goals. */
export function webEvents(question: WebQuestion): readonly NamedEvents[] {
  return [
    { event: null, filters: [question.filter] },
    ...goalsOf(question).map((each) => ({ event: each.event, filters: [each.filter] })),
  ]
}

function goalsOf(question: WebQuestion): readonly WebGoal[] {
  if (question.kind === 'web_goals') return question.goals
  if (question.kind === 'web_sessions') return []
  return question.goal === undefined ? [] : [question.goal]
}
