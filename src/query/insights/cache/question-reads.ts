/** Dependencies of an answer: the events, persons and times that its question reads. */

import { DAY_MS } from '../../../events/time/instant.ts'
import { needsPerson } from '../../../events/trees/expression.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { EventNames } from '../../../store/answers/query-cache.ts'
import { OLDEST_MS } from '../../relative-date.ts'
import type { CachedQuestion } from '../any-question.ts'
import {
  asksOfSessions,
  FIRST_MATHS,
  type GroupIndex,
  type Series,
  type TrendsQuestion,
} from '../question.ts'
import { comparedRange } from '../time/compared-range.ts'
import { rangeOf } from '../time/date-range.ts'
import type { Range } from '../time/grid.ts'
import { isWeb, type WebQuestion, webEvents } from '../web/web-question.ts'

export type QuestionReads = {
  readonly names: EventNames
  /** Range of the events that are read; undefined means from the first event on. */
  readonly fromMs: number | undefined
  readonly untilMs: number
  /** True when the answer depends on which person an event belongs to. */
  readonly hasActors: boolean
  /**
   * True if the answer depends only on events and, with `hasActors`, on the persons of their
   * distinct ids.
   */
  readonly isOfEvents: boolean
  /** True if the answer cannot be combined from parts. */
  readonly isWhole: boolean
}

/**
 * Time that is read before the range: a first week or month is whole, and 30 days may end with its
 * first bucket.
 */
const BEFORE_MS = 35 * DAY_MS
/** Upper bound of each period of retention, in ms. */
const PERIOD_MS = { Hour: DAY_MS, Day: 2 * DAY_MS, Week: 8 * DAY_MS, Month: 32 * DAY_MS }
const ROLLING: readonly string[] = ['weekly_active', 'monthly_active']
const ACTORS: readonly string[] = ['dau', ...FIRST_MATHS, ...ROLLING]

export function readsOf(question: CachedQuestion): QuestionReads {
  const reads = readsOfKind(question)
  if (isWeb(question) || !asksOfSessions(question)) return reads
  // Sessions are made of all events, from two days before to a day after.
  return {
    ...reads,
    names: null,
    fromMs: reads.fromMs === undefined ? undefined : Math.max(reads.fromMs - 2 * DAY_MS, OLDEST_MS),
    untilMs: reads.untilMs + DAY_MS,
    hasActors: true,
    isOfEvents: ofEvents(question, 'series' in question ? question.series : []),
    isWhole: true,
  }
}

function readsOfKind(question: CachedQuestion): QuestionReads {
  switch (question.kind) {
    case 'trends':
      return readsOfTrends(question)
    case 'funnel': {
      const isStrict = question.order === 'strict'
      const steps = namesOf(question.steps)
      const names = steps && [...steps, ...question.exclusions.map(({ event }) => event)]
      return {
        ...ofGroups(
          ofActors(question, [...question.steps, ...question.exclusions]),
          question.groups,
        ),
        ...(hasEventSource(question.breakdown) ? {} : { isOfEvents: false, hasActors: true }),
        names: isStrict ? null : names,
        ...around(question, BEFORE_MS),
      }
    }
    case 'retention': {
      const { target, returning, isFirstTime } = question
      const names = target === null || returning === null ? null : [target, returning]
      const { fromMs, untilMs } = around(question, BEFORE_MS)
      const length = PERIOD_MS[question.period] * (question.intervals + 2)
      return {
        ...ofGroups(ofActors(question, []), question.groups),
        names,
        fromMs: isFirstTime ? undefined : fromMs,
        untilMs: (fromMs === undefined ? untilMs : fromMs + BEFORE_MS) + length,
      }
    }
    case 'stickiness':
      return {
        ...ofActors(question, question.series),
        names: namesOf(question.series),
        ...around(question, BEFORE_MS),
      }
    case 'lifecycle':
      return {
        ...ofActors(question, question.series),
        names: namesOf(question.series),
        ...around(question, BEFORE_MS),
        fromMs: undefined,
      }
    case 'paths':
      return { ...ofActors(question, []), names: null, ...around(question, 0) }
    case 'web_overview':
    case 'web_stats':
    case 'web_trends':
    case 'web_goals':
    case 'web_sessions':
      return readsOfSessions(question)
    default:
      return question satisfies never
  }
}

function readsOfTrends(question: TrendsQuestion): QuestionReads {
  const { series, breakdown, interval } = question
  const maths = series.map((each) => each.maths.kind)
  const isLong = interval === 'week' || interval === 'month' || maths.some(isIn(ROLLING))
  const range = around(question, isLong ? BEFORE_MS : 0)
  const isFirst = maths.some(isIn(FIRST_MATHS))
  const isOfEvents = ofEvents(question, series) && hasEventSource(breakdown)
  return {
    names: namesOf(series),
    fromMs: isFirst ? undefined : range.fromMs,
    untilMs: range.untilMs,
    hasActors: series.some(countsActors) || !isOfEvents,
    isOfEvents,
    isWhole: false,
  }
}

/** Sessions are made of all events, from a day before the range to a day after it. */
function readsOfSessions(question: WebQuestion): QuestionReads {
  const goals = webEvents(question).flatMap(({ filters }) => filters)
  // A first week or month is whole.
  const before = question.kind === 'web_trends' ? BEFORE_MS + DAY_MS : DAY_MS
  const { fromMs, untilMs } = around(question, before)
  return {
    ...ofActors(
      question,
      goals.map((filter) => ({ filter })),
    ),
    names: null,
    fromMs,
    untilMs: untilMs + DAY_MS,
  }
}

/** True when the number depends on which person an event belongs to. */
export function countsActors({ maths }: Series): boolean {
  return ACTORS.includes(maths.kind)
}

const isIn = (list: readonly string[]) => (text: string) => list.includes(text)

function hasEventSource(breakdown: TrendsQuestion['breakdown']): boolean {
  const kind = breakdown?.source.kind
  return kind === undefined || kind === 'event' || kind === 'event_name'
}

type Filtered = Pick<Series, 'filter'>

function ofActors(question: CachedQuestion, series: readonly Filtered[]) {
  return { hasActors: true, isOfEvents: ofEvents(question, series), isWhole: true }
}

/** Events name their groups, so persons do not matter here unless filters ask for them. */
function ofGroups(reads: ReturnType<typeof ofActors>, groups: GroupIndex) {
  return groups !== undefined && reads.isOfEvents ? { ...reads, hasActors: false } : reads
}

/** The range of the question with the one that it is compared with, and so much before. */
function around(
  question: CachedQuestion,
  beforeMs: number,
): Pick<QuestionReads, 'fromMs' | 'untilMs'> {
  const { range, zone } = question
  const { from, to } = range
  if (from === 'all') return { fromMs: undefined, untilMs: rangeOf(to, to, zone).untilMs }
  const own = rangeOf(from, to, zone)
  const ranges: Range[] = [own]
  if ('compare' in question && question.compare !== undefined) {
    const { compare } = question
    const interval = question.kind === 'trends' ? question.interval : 'day'
    // All of it, wherever it is cut.
    ranges.push(comparedRange(own, { compare, interval, zone }, Infinity))
  }
  return {
    fromMs: Math.max(Math.min(...ranges.map(({ fromMs }) => fromMs)) - beforeMs, OLDEST_MS),
    untilMs: own.untilMs,
  }
}

/** Null when a series has all events. */
function namesOf(series: readonly Series[]): readonly string[] | null {
  const names: string[] = []
  for (const { event } of series) {
    if (event === null) return null
    names.push(event)
  }
  return names
}

function ofEvents({ filter }: CachedQuestion, series: readonly Filtered[]): boolean {
  return [filter, ...series.map((each) => each.filter)].every(isOfEvents)
}

/** Filters that are not named here may depend on what changes without an event. */
export function isOfEvents(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.every(isOfEvents)
    case 'property':
      return node.source === 'event'
    case 'named':
      return true
    case 'expression':
      return !needsPerson(node.tree)
    default:
      return false
  }
}
