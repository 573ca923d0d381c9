/** Reads `TrendsQuery`. */

import { INSIGHT_FORMULA_CHARS_MAX, INSIGHT_SERIES_MAX } from '../../../core/limits/limits-query.ts'
import { parseFormula } from '../formula.ts'
import {
  AGGREGATED_DISPLAYS,
  LINE_DISPLAYS,
  type Series,
  type TrendsQuestion,
} from '../question.ts'
import { parseShift } from '../time/compared-range.ts'
import { hasWholeDays } from '../time/date-range.ts'
import { INTERVALS, type Interval } from '../time/grid.ts'
import { readBreakdown } from './breakdown.ts'
import { COMMON, type Reading, readRange, readSeries } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'
import { readBothFilters } from './read-session-filters.ts'

export const TRENDS_MEMBERS = [
  ...COMMON,
  'series',
  'interval',
  'breakdownFilter',
  'compareFilter',
  'trendsFilter',
] as const

const ROLLING: readonly string[] = ['weekly_active', 'monthly_active']

/** @throws {QuestionProblem} */
export function readTrends(question: Members, reading: Reading): TrendsQuestion {
  const series = readSeries(question, { minimum: 1, maximum: INSIGHT_SERIES_MAX }, reading)
  const interval = question.choice('interval', INTERVALS) ?? 'day'
  requireWholeDays(question, series, interval)
  const trends = question.members('trendsFilter', ['formula', 'display', 'goalLines'])
  checkGoals(trends)
  const displays = [...LINE_DISPLAYS, ...AGGREGATED_DISPLAYS]
  const display = trends?.choice('display', displays)
  return {
    kind: 'trends',
    zone: reading.zone,
    range: readRange(question, reading),
    ...readBothFilters(question, reading),
    series,
    interval,
    breakdown: readBreakdown(question, reading),
    compare: readCompare(question),
    formula: readFormula(trends, series.length),
    isAggregated: AGGREGATED_DISPLAYS.some((each) => each === display),
  }
}

const GOALS_MAX = 10
/** Members of a goal line. The console draws the first two. */
const GOAL_MEMBERS = [
  ...['label', 'value', 'displayLabel', 'displayIfCrossed', 'borderColor', 'position'],
]

/** Checks lines that charts draw; they change no number. */
function checkGoals(trends: Members | undefined): void {
  const goals = trends?.list('goalLines') ?? []
  const at = trends?.at('goalLines') ?? ''
  if (goals.length > GOALS_MAX) throw new QuestionProblem(at, `At most ${GOALS_MAX} are drawn.`)
  for (const [index, goal] of goals.entries()) {
    const members = membersOf(goal, `${at}.${index}`, GOAL_MEMBERS)
    if (members.text('label') === undefined) {
      throw new QuestionProblem(members.at('label'), 'A text is needed.')
    }
    if (typeof members.json('value') !== 'number') {
      throw new QuestionProblem(members.at('value'), 'Must be a number.')
    }
  }
}

function requireWholeDays(question: Members, series: readonly Series[], interval: Interval): void {
  if (hasWholeDays(interval)) return
  const index = series.findIndex(({ maths }) => ROLLING.includes(maths.kind))
  if (index === -1) return
  const detail = 'Needs buckets of days, weeks or months.'
  throw new QuestionProblem(`${question.at('series')}.${index}.math`, detail)
}

function readFormula(trends: Members | undefined, count: number): TrendsQuestion['formula'] {
  const text = trends?.text('formula', INSIGHT_FORMULA_CHARS_MAX)
  if (trends === undefined || text === undefined || text.trim() === '') return undefined
  const tree = parseFormula(text, count)
  if (!tree.ok) throw new QuestionProblem(trends.at('formula'), tree.error)
  return { text, tree: tree.value }
}

/** @throws {QuestionProblem} */
export function readCompare(question: Members): TrendsQuestion['compare'] {
  const compare = question.members('compareFilter', ['compare', 'compare_to'])
  const to = compare?.text('compare_to')
  if (compare === undefined) return undefined
  const shift = to === undefined ? 'own_length' : parseShift(to)
  if (shift === undefined) {
    throw new QuestionProblem(compare.at('compare_to'), 'Must be relative, such as -7d.')
  }
  return compare.flag('compare') ? shift : undefined
}
