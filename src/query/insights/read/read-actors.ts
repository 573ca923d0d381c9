/** Reads the questions about returning actors: retention, stickiness and life cycles. */

import { INSIGHT_SERIES_MAX } from '../../../core/limits/limits-query.ts'
import {
  type LifecycleQuestion,
  PERIODS,
  type Period,
  type RetentionQuestion,
  type Series,
  type StickinessQuestion,
} from '../question.ts'
import { INTERVALS } from '../time/grid.ts'
import { COMMON, type Reading, readGroupIndex, readRange, readSeries } from './common.ts'
import { type Members, QuestionProblem } from './members.ts'
import { readBothFilters } from './read-session-filters.ts'

/** Intervals of a retention table. */
const INSIGHT_INTERVALS_DEFAULT = 8
const INSIGHT_INTERVALS_MAX = 100

export const RETENTION_MEMBERS = [
  ...COMMON,
  'retentionFilter',
  'aggregation_group_type_index',
] as const
export const SERIES_MEMBERS = [...COMMON, 'series', 'interval'] as const

const SERIES = { minimum: 1, maximum: INSIGHT_SERIES_MAX }
const PAGE_VIEW = '$pageview'

/** @throws {QuestionProblem} for any other math. */
export function requireTotal(question: Members, series: readonly Series[]): void {
  const index = series.findIndex(({ maths }) => maths.kind !== 'total')
  if (index === -1) return
  const detail = 'Only total is understood here.'
  throw new QuestionProblem(`${question.at('series')}.${index}.math`, detail)
}

const RETENTION_FILTER = [
  'period',
  'totalIntervals',
  'retentionType',
  'targetEntity',
  'returningEntity',
  'cumulative',
] as const
const RETENTION_TYPES = ['retention_recurring', 'retention_first_time'] as const

/** @throws {QuestionProblem} */
export function readRetention(question: Members, reading: Reading): RetentionQuestion {
  const filter = question.members('retentionFilter', RETENTION_FILTER)
  const periods = Object.keys(PERIODS) as Period[]
  const target = readEntity(filter, 'targetEntity') ?? { event: PAGE_VIEW }
  return {
    kind: 'retention',
    groups: readGroupIndex(question, 'aggregation_group_type_index'),
    zone: reading.zone,
    range: readRange(question, reading),
    ...readBothFilters(question, reading),
    period: filter?.choice('period', periods) ?? 'Day',
    intervals:
      filter?.whole('totalIntervals', 1, INSIGHT_INTERVALS_MAX) ?? INSIGHT_INTERVALS_DEFAULT,
    isFirstTime: filter?.choice('retentionType', RETENTION_TYPES) === 'retention_first_time',
    target: target.event,
    returning: (readEntity(filter, 'returningEntity') ?? { event: PAGE_VIEW }).event,
    isCumulative: filter?.flag('cumulative') ?? false,
  }
}

/** The event is null for all events. */
function readEntity(
  filter: Members | undefined,
  name: string,
): { readonly event: string | null } | undefined {
  const entity = filter?.members(name, ['id', 'type', 'name'])
  if (entity === undefined) return undefined
  entity.choice('type', ['events'])
  return { event: entity.text('id') ?? null }
}

/** @throws {QuestionProblem} */
export function readStickiness(question: Members, reading: Reading): StickinessQuestion {
  return { kind: 'stickiness', ...readEachSeries(question, SERIES, reading) }
}

/** @throws {QuestionProblem} */
export function readLifecycle(question: Members, reading: Reading): LifecycleQuestion {
  return { kind: 'lifecycle', ...readEachSeries(question, { minimum: 1, maximum: 1 }, reading) }
}

function readEachSeries(
  question: Members,
  bounds: { readonly minimum: number; readonly maximum: number },
  reading: Reading,
) {
  const series = readSeries(question, bounds, reading)
  requireTotal(question, series)
  return {
    zone: reading.zone,
    range: readRange(question, reading),
    ...readBothFilters(question, reading),
    series,
    interval: question.choice('interval', INTERVALS) ?? 'day',
  }
}
