/** Reads the questions about the sessions of a site. */
import { INSIGHT_VALUES_MAX, OFFSET_MAX } from '../../../core/limits/limits-query.ts'
import { INTERVALS } from '../time/grid.ts'
import {
  WEB_BREAKDOWNS,
  WEB_GOAL_METRICS,
  WEB_METRICS,
  WEB_ORDERS,
  type WebAsked,
  type WebGoal,
  type WebOverviewQuestion,
  type WebStatsQuestion,
  type WebTrendsQuestion,
} from '../web/web-question.ts'
import { COMMON, filterOf, type Reading, readFilter, readRange } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'
import { splitFilters } from './read-session-filters.ts'
import { readCompare } from './read-trends.ts'

/** Rows of a table. */
const ROWS_DEFAULT = 25

const WEB_COMMON = [...COMMON, 'compareFilter', 'includeBots'] as const

export const WEB_OVERVIEW_MEMBERS = [...WEB_COMMON, 'conversionGoal'] as const
export const WEB_TRENDS_MEMBERS = [...WEB_OVERVIEW_MEMBERS, 'metrics', 'interval'] as const
export const WEB_STATS_MEMBERS = [
  ...WEB_COMMON,
  'conversionGoal',
  'breakdownBy',
  'includeBounceRate',
  'orderBy',
  'limit',
  'offset',
] as const

/** @throws {QuestionProblem} */
export function readWebOverview(question: Members, reading: Reading): WebOverviewQuestion {
  return {
    kind: 'web_overview',
    ...readAsked(question, reading),
    goal: readGoal(question, reading),
  }
}

/** @throws {QuestionProblem} */
export function readWebTrends(question: Members, reading: Reading): WebTrendsQuestion {
  const goal = readGoal(question, reading)
  return {
    kind: 'web_trends',
    ...readAsked(question, reading),
    goal,
    metrics: readMetrics(question, goal !== undefined),
    interval: question.choice('interval', INTERVALS) ?? 'day',
  }
}

function readMetrics(question: Members, hasGoal: boolean): readonly string[] {
  const known: readonly string[] = hasGoal ? [...WEB_METRICS, ...WEB_GOAL_METRICS] : WEB_METRICS
  const asked = question.list('metrics') ?? ['visitors']
  const metrics = asked.filter((each) => typeof each === 'string' && known.includes(each))
  if (metrics.length === asked.length && metrics.length > 0)
    return [...new Set(metrics.map(String))]
  throw new QuestionProblem(question.at('metrics'), `Must be some of ${known.join(', ')}.`)
}

/** @throws {QuestionProblem} */
export function readWebStats(question: Members, reading: Reading): WebStatsQuestion {
  const by = question.choice('breakdownBy', WEB_BREAKDOWNS)
  if (by === undefined) throw new QuestionProblem(question.at('breakdownBy'), 'Must be given.')
  const goal = readGoal(question, reading)
  const order = readOrder(question)
  const ofGoal = ['TotalConversions', 'UniqueConversions', 'ConversionRate']
  if (goal === undefined && ofGoal.includes(order.by)) {
    throw new QuestionProblem(question.at('orderBy'), 'Needs a conversionGoal.')
  }
  return {
    kind: 'web_stats',
    ...readAsked(question, reading),
    by,
    goal,
    order,
    hasBounceRate: question.flag('includeBounceRate'),
    limit: question.whole('limit', 1, INSIGHT_VALUES_MAX) ?? ROWS_DEFAULT,
    offset: question.whole('offset', 0, OFFSET_MAX) ?? 0,
  }
}

function readAsked(question: Members, reading: Reading): WebAsked {
  const { sessions, others } = splitFilters(question, 'properties', reading)
  return {
    zone: reading.zone,
    range: readRange(question, reading),
    filter: readFilter(question, reading, others),
    sessions,
    compare: readCompare(question),
    includesBots: question.flag('includeBots'),
  }
}

/** `["Views", "DESC"]`. */
function readOrder(question: Members): WebStatsQuestion['order'] {
  const order = question.list('orderBy')
  if (order === undefined) return { by: 'Visitors', isAscending: false }
  const [name, direction = 'DESC', ...rest] = order
  const by = WEB_ORDERS.find((each) => each === name)
  const isKnown = direction === 'ASC' || direction === 'DESC'
  if (by !== undefined && isKnown && rest.length === 0) {
    return { by, isAscending: direction === 'ASC' }
  }
  const detail = `Must be one of ${WEB_ORDERS.join(', ')}, and ASC or DESC.`
  throw new QuestionProblem(question.at('orderBy'), detail)
}

const GOAL = ['customEventName', 'properties'] as const

function readGoal(question: Members, reading: Reading): WebGoal | undefined {
  const asked = question.json('conversionGoal')
  if (asked === undefined) return undefined
  const goal = membersOf(asked, question.at('conversionGoal'), GOAL)
  const event = goal.text('customEventName')
  if (event === undefined || event === '') {
    throw new QuestionProblem(goal.at('customEventName'), 'Must be given.')
  }
  return { name: event, event, filter: filterOf(goal, 'properties', reading) }
}
