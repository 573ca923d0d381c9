/** Reads the questions about the sessions of a site. */
import { isList, type Json } from '../../../core/json.ts'
import { INSIGHT_VALUES_MAX, OFFSET_MAX } from '../../../core/limits/limits-query.ts'
import { INTERVALS } from '../time/grid.ts'
import {
  type SessionsQuestion,
  WEB_BREAKDOWNS,
  WEB_GOAL_METRICS,
  WEB_METRICS,
  WEB_ORDERS,
  type WebAsked,
  type WebGoal,
  type WebGoalsQuestion,
  type WebOverviewQuestion,
  type WebStatsQuestion,
  type WebTrendsQuestion,
} from '../web/web-question.ts'
import { COMMON, filterOf, type Reading, readFilter, readRange } from './common.ts'
import { type Members, membersOf, pathIn, QuestionProblem } from './members.ts'
import { splitFilters } from './read-session-filters.ts'
import { readCompare } from './read-trends.ts'

/** Rows of a table. */
const ROWS_DEFAULT = 25
/** Sessions of a page, and before it. */
const SESSIONS_DEFAULT = 100
const SESSIONS_OFFSET_MAX = 100_000
/** Goals of a project: each has a bit of an event. */
const GOALS_MAX = 20
/** Characters of a goal's name. */
const GOAL_NAME_CHARS_MAX = 100

const WEB_COMMON = [...COMMON, 'compareFilter', 'includeBots'] as const

export const SESSIONS_MEMBERS = [
  ...COMMON,
  'includeBots',
  'personId',
  'distinctId',
  'limit',
  'offset',
] as const
export const WEB_GOALS_MEMBERS = WEB_COMMON
export const WEB_OVERVIEW_MEMBERS = [...WEB_COMMON, 'conversionGoal'] as const
export const WEB_TRENDS_MEMBERS = [...WEB_OVERVIEW_MEMBERS, 'metrics', 'interval'] as const
export const WEB_STATS_MEMBERS = [
  ...WEB_COMMON,
  'conversionGoal',
  'breakdownBy',
  'includeBounceRate',
  'includeScrollDepth',
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

/** @throws {QuestionProblem} */
export function readWebGoals(question: Members, reading: Reading): WebGoalsQuestion {
  return {
    kind: 'web_goals',
    ...readAsked(question, reading),
    goals: readOwnGoals(reading),
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws {QuestionProblem} */
export function readSessions(question: Members, reading: Reading): SessionsQuestion {
  const personId = question.text('personId')
  if (personId !== undefined && !UUID.test(personId)) {
    throw new QuestionProblem(question.at('personId'), 'Must be the UUID of a person.')
  }
  return {
    kind: 'web_sessions',
    ...readAsked(question, reading),
    personId,
    distinctId: question.text('distinctId'),
    limit: question.whole('limit', 1, INSIGHT_VALUES_MAX) ?? SESSIONS_DEFAULT,
    offset: question.whole('offset', 0, SESSIONS_OFFSET_MAX) ?? 0,
  }
}

/** The goals of the project. A problem is one of the whole question. */
function readOwnGoals(reading: Reading): readonly WebGoal[] {
  try {
    return readGoals(reading.goals, 'web_goals', reading)
  } catch (error) {
    if (!(error instanceof QuestionProblem)) throw error
    const detail = `The project's ${error.attr} cannot be used: ${error.message}`
    throw new QuestionProblem('', detail)
  }
}

const NAMED_GOAL = ['name', 'event', 'properties'] as const

/**
 * Reads a list of goals, as a project has it.
 * @throws {QuestionProblem}
 */
export function readGoals(goals: Json, path: string, reading: Reading): readonly WebGoal[] {
  if (!isList(goals)) throw new QuestionProblem(path, 'Must be a list.')
  if (goals.length > GOALS_MAX) {
    throw new QuestionProblem(path, `Must have at most ${GOALS_MAX} items.`)
  }
  const names = new Set<string>()
  return goals.map((each, place) => {
    const goal = membersOf(each, pathIn(path, String(place)), NAMED_GOAL)
    const name = required(goal, 'name', GOAL_NAME_CHARS_MAX)
    if (names.has(name)) throw new QuestionProblem(goal.at('name'), 'Another goal has this name.')
    names.add(name)
    const event = required(goal, 'event')
    return { name, event, filter: filterOf(goal, 'properties', reading) }
  })
}

function required(of: Members, name: string, lengthMax?: number): string {
  const text = of.text(name, lengthMax)
  if (text !== undefined && text !== '') return text
  throw new QuestionProblem(of.at(name), 'Must be given.')
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
  if (question.flag('includeScrollDepth')) {
    throw new QuestionProblem(
      question.at('includeScrollDepth'),
      'Must be false: it is not counted.',
    )
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

const GOAL = ['customEventName', 'properties', 'goal'] as const

function readGoal(question: Members, reading: Reading): WebGoal | undefined {
  const asked = question.json('conversionGoal')
  if (asked === undefined) return undefined
  const goal = membersOf(asked, question.at('conversionGoal'), GOAL)
  const name = goal.text('goal')
  if (name !== undefined) {
    if (goal.json('customEventName') !== undefined || goal.json('properties') !== undefined) {
      throw new QuestionProblem(goal.at('goal'), 'Takes no other members beside it.')
    }
    const own = readOwnGoals(reading).find((each) => each.name === name)
    if (own !== undefined) return own
    throw new QuestionProblem(goal.at('goal'), 'The project has no such goal.')
  }
  const event = required(goal, 'customEventName')
  return { name: event, event, filter: filterOf(goal, 'properties', reading) }
}
