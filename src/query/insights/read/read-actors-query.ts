/** Reads `ActorsQuery`: a question and one of its data points. */
import type { Json } from '../../../core/json.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../../core/limits/limits.ts'
import { INSIGHT_TEXT_CHARS_MAX, OFFSET_MAX } from '../../../core/limits/limits-query.ts'
import {
  type ActorsQuestion,
  type FunnelQuestion,
  type LifecycleQuestion,
  type NumberAsked,
  type NumberOfFunnel,
  type NumberOfTrends,
  type NumbersQuestion,
  type PathsQuestion,
  type RetentionQuestion,
  STATUSES,
  type StickinessQuestion,
  type TrendsQuestion,
} from '../question.ts'
import type { Reading } from './common.ts'
import { type Members, membersOf, membersOfKind, QuestionProblem } from './members.ts'

export const ACTORS_MEMBERS = [
  'kind',
  'source',
  'limit',
  'offset',
  'tags',
  'version',
  'modifiers',
] as const

const ALWAYS = ['kind', 'source', 'tags', 'version', 'modifiers'] as const
/** Members that identify a data point, by kind of question. */
const POINTS: Readonly<Record<NumbersQuestion['kind'], readonly string[]>> = {
  trends: ['series', 'day', 'breakdown', 'compare'],
  funnel: ['funnelStep', 'status', 'day', 'breakdown'],
  paths: ['pathStartKey', 'pathEndKey'],
  retention: ['interval', 'day'],
  stickiness: ['series', 'day'],
  lifecycle: ['series', 'day', 'status'],
}
const ALL_POINTS = [...new Set(Object.values(POINTS).flat())]

/**
 * @param readSource reads the question that the data point belongs to, at a path.
 * @throws {QuestionProblem}
 */
export function readActors(
  asked: Members,
  reading: Reading,
  readSource: (asked: Json, path: string, reading: Reading) => NumbersQuestion,
): ActorsQuestion {
  requireNoModifiers(asked)
  const named = required(asked, 'source', asked.json('source'))
  const at = asked.at('source')
  const point = membersOfKind(named, 'InsightActorsQuery', at, [...ALWAYS, ...ALL_POINTS])
  requireNoModifiers(point)
  const source = point.json('source')
  if (source === undefined) throw new QuestionProblem(point.at('source'), 'Must be given.')
  const question = readSource(source, point.at('source'), reading)
  const foreign = ALL_POINTS.find(
    (name) => point.json(name) !== undefined && !POINTS[question.kind].includes(name),
  )
  if (foreign !== undefined) {
    throw new QuestionProblem(point.at(foreign), 'Names no number of such a question.')
  }
  return {
    kind: 'actors',
    number: numberOf(point, question),
    limit: asked.whole('limit', 1, PAGE_LIMIT_MAX) ?? PAGE_LIMIT_DEFAULT,
    offset: asked.whole('offset', 0, OFFSET_MAX) ?? 0,
  }
}

function requireNoModifiers(members: Members): void {
  const modifiers = members.json('modifiers')
  if (modifiers !== undefined) membersOf(modifiers, members.at('modifiers'), [])
}

function numberOf(point: Members, source: NumbersQuestion): NumberAsked {
  switch (source.kind) {
    case 'trends':
      return ofTrends(point, source)
    case 'funnel':
      return ofFunnel(point, source)
    case 'paths':
      return ofPaths(point, source)
    case 'retention':
      return ofRetention(point, source)
    case 'stickiness':
      return ofStickiness(point, source)
    case 'lifecycle':
      return ofLifecycle(point, source)
    default:
      return source satisfies never
  }
}

/** @throws {QuestionProblem} when the member is not there. */
function required<T>(point: Members, name: string, value: T | undefined): T {
  if (value === undefined) throw new QuestionProblem(point.at(name), 'Must be given.')
  return value
}

/** The place of a series; undefined when it was not named. */
function placeOfSeries(point: Members, series: readonly unknown[]): number | undefined {
  return point.whole('series', 0, series.length - 1)
}

function ofTrends(point: Members, source: TrendsQuestion): NumberOfTrends {
  const { series, formula, breakdown, compare } = source
  const place = placeOfSeries(point, series) ?? (series.length === 1 ? 0 : undefined)
  const period = point.choice('compare', ['current', 'previous'])
  if (compare === undefined && period !== undefined) {
    throw new QuestionProblem(point.at('compare'), 'The question compares nothing.')
  }
  return {
    kind: 'trends',
    source,
    series: formula === undefined ? required(point, 'series', place) : place,
    day: point.text('day'),
    breakdown: readValue(point, breakdown !== undefined),
    period: period ?? 'current',
  }
}

/** A `breakdown_value`: it is cut by code points, of which some are two characters here. */
function readValue(point: Members, isBrokenDown: boolean): string | undefined {
  const value = point.json('breakdown')
  const text =
    typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : point.text('breakdown', 2 * INSIGHT_TEXT_CHARS_MAX)
  if (isBrokenDown) return required(point, 'breakdown', text)
  if (text === undefined) return undefined
  throw new QuestionProblem(point.at('breakdown'), 'The question has no breakdown.')
}

function ofFunnel(point: Members, source: FunnelQuestion): NumberOfFunnel {
  const { shape } = source
  const breakdown = readValue(point, source.breakdown !== undefined)
  if (shape.kind === 'time_to_convert') {
    forbid(point, ['funnelStep', 'status'], 'A bin is named by its seconds as the day.')
    const day = point.whole('day', 0, Number.MAX_SAFE_INTEGER)
    const seconds = required(point, 'day', day)
    return { kind: 'funnel', source, breakdown, of: { kind: 'bin', seconds } }
  }
  if (shape.kind === 'steps') forbid(point, ['day'], 'Needs the funnelVizType trends.')
  const day = point.text('day')
  return { kind: 'funnel', source, breakdown, of: { ...ofStep(point, source.steps.length), day } }
}

/** Reads a step, which counts from 1; -2 means those who reached the first and not the second. */
function ofStep(
  point: Members,
  count: number,
): { readonly kind: 'reached' | 'dropped' | 'open'; readonly step: number } {
  const asked = required(point, 'funnelStep', point.whole('funnelStep', -count, count))
  const status = point.choice('status', ['open'])
  if (asked === 0 || asked === -1) {
    throw new QuestionProblem(point.at('funnelStep'), 'Must be 1 and more, or -2 and less.')
  }
  if (asked < 0) return { kind: status ?? 'dropped', step: -asked - 2 }
  forbid(point, ['status'], 'Only who dropped may be on the way still.')
  return { kind: 'reached', step: asked - 1 }
}

/** @throws {QuestionProblem} when one of the members is there. */
function forbid(point: Members, names: readonly string[], detail: string): void {
  const found = names.find((name) => point.json(name) !== undefined)
  if (found !== undefined) throw new QuestionProblem(point.at(found), detail)
}

function ofPaths(point: Members, source: PathsQuestion): NumberAsked {
  const start = readKey(point, 'pathStartKey')
  const end = readKey(point, 'pathEndKey')
  if (end === undefined) required(point, 'pathStartKey', start)
  return { kind: 'paths', source, start, end }
}

/** The number of a step and its item, such as `1_/`. */
function readKey(point: Members, name: string): string | undefined {
  return point.text(name, 3 * INSIGHT_TEXT_CHARS_MAX)
}

function ofRetention(point: Members, source: RetentionQuestion): NumberAsked {
  const { intervals } = source
  const row = required(point, 'interval', point.whole('interval', 0, intervals - 1))
  const later = point.whole('day', 0, intervals - 1 - row) ?? 0
  return { kind: 'retention', source, row, later }
}

function ofStickiness(point: Members, source: StickinessQuestion): NumberAsked {
  const place = placeOfSeries(point, source.series) ?? (source.series.length === 1 ? 0 : undefined)
  const length = required(point, 'day', point.whole('day', 1, Number.MAX_SAFE_INTEGER))
  return { kind: 'stickiness', source, series: required(point, 'series', place), length }
}

function ofLifecycle(point: Members, source: LifecycleQuestion): NumberAsked {
  placeOfSeries(point, source.series)
  const day = required(point, 'day', point.text('day'))
  const status = required(point, 'status', point.choice('status', STATUSES))
  return { kind: 'lifecycle', source, day, status }
}
