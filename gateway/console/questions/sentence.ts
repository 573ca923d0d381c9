/** A question as one sentence of plain English. */

import { labelOf } from '../../../src/core/charts/label.ts'
import { hasOneValue } from '../../../src/core/charts/trends.ts'
import type { JsonObject } from '../../client/index.ts'
import { isolated } from '../data/format.ts'
import { isRecord } from '../data/json.ts'
import { earlierBy, labelOfRange } from '../data/ranges.ts'
import { sentenceOf as sentenceOfFilter } from '../kit/filters/filter.ts'
import { filtersIn } from './filters-in.ts'
import {
  displayOf,
  intervalIn,
  kindOf,
  listIn,
  memberOf,
  numberIn,
  rangeTextOf,
  seriesOf,
  textIn,
} from './question.ts'

export function sentenceOf(question: JsonObject): string {
  const kind = kindOf(question)
  if (kind === undefined) return 'This type of query is shown as JSON only.'
  const parts = [SENTENCES[kind](question), whenOf(question), whereOf(question)]
  return `${parts.filter((part) => part !== '').join(', ')}.`
}

const SENTENCES = {
  TrendsQuery: (question: JsonObject) => {
    const formula = textIn(memberOf(question, 'trendsFilter'), 'formula')
    const numbers = seriesOf(question).map(numberOf)
    const shown =
      formula === ''
        ? joined(numbers)
        : `${formula}, where ${joined(numbers.map((each, at) => `${letterOf(at)} is ${each}`))}`
    const each = hasOneValue(displayOf(question)) ? '' : ` ${eachOf(question)}`
    return `Shows ${shown}${each}${splitOf(question)}${besideOf(question)}`
  },
  FunnelsQuery: (question: JsonObject) => {
    const filter = memberOf(question, 'funnelsFilter')
    const order = textIn(filter, 'funnelOrderType', 'ordered')
    const steps = seriesOf(question).map((step) => named(step['event']) + ownFilters(step))
    const way = order === 'unordered' ? `${joined(steps)} in any order` : steps.join(', then ')
    const strict = order === 'strict' ? ' with no other event between' : ''
    const size = numberIn(filter, 'funnelWindowInterval', 14)
    const within = counted(size, textIn(filter, 'funnelWindowIntervalUnit', 'day'))
    const excluded = listIn(filter, 'exclusions').filter(isRecord)
    const not =
      excluded.length === 0
        ? ''
        : ` and without ${joined(excluded.map((each) => named(each['event'])))} between`
    return `Shows how many persons do ${way}${strict} within ${within}${not}${splitOf(question)}`
  },
  RetentionQuery: (question: JsonObject) => {
    const filter = memberOf(question, 'retentionFilter')
    const period = textIn(filter, 'period', 'Day').toLowerCase()
    const first = filter['retentionType'] === 'retention_first_time' ? ' for the first time' : ''
    const target = named(entityOf(filter, 'targetEntity'))
    const returning = named(entityOf(filter, 'returningEntity'))
    const later = filter['cumulative'] === true ? ', then or later' : ''
    const after = counted(numberIn(filter, 'totalIntervals', 8) - 1, period)
    return `Shows how many of the persons who do ${target}${first} come back with ${returning} in the ${after} after it${later}`
  },
  PathsQuery: (question: JsonObject) => {
    const filter = memberOf(question, 'pathsFilter')
    const start = textIn(filter, 'startPoint')
    const end = textIn(filter, 'endPoint')
    const ends = `${start && ` from ${named(start)}`}${end && ` to ${named(end)}`}`
    return `Shows which paths persons take${ends} in up to ${numberIn(filter, 'stepLimit', 5)} steps`
  },
  StickinessQuery: (question: JsonObject) =>
    `Shows on how many ${intervalIn(question)}s persons do ${eventsOf(question)}`,
  LifecycleQuery: (question: JsonObject) =>
    `Shows how many persons with ${eventsOf(question)} are new, returning, resurrecting and dormant ${eachOf(question)}`,
  EventsQuery: (question: JsonObject) => {
    const columns = listIn(question, 'select').map(String).map(isolated)
    const event = textIn(question, 'event')
    const conditions = listIn(question, 'where').map(String).map(isolated)
    const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
    const shown = columns.length === 0 ? 'everything' : joined(columns)
    return `Lists ${shown} of ${allOf(event === '' ? null : event)}${where}`
  },
} as const

const MATHS: Readonly<Record<string, (event: unknown) => string>> = {
  total: (event) => `the number of ${allOf(event)}`,
  dau: (event) => `the number of persons with ${named(event)}`,
  weekly_active: (event) => `the number of persons with ${named(event)} in the 7 days up to then`,
  monthly_active: (event) => `the number of persons with ${named(event)} in the 30 days up to then`,
  unique_session: (event) => `the number of sessions with ${named(event)}`,
  first_time_for_user: (event) => `the number of persons with their first ${named(event, 'event')}`,
  first_matching_event_for_user: (event) =>
    `the number of persons with their first matching ${named(event, 'event')}`,
}

const OF_PROPERTY: Readonly<Record<string, string>> = {
  avg: 'average',
  min: 'smallest',
  max: 'largest',
}

function numberOf(node: JsonObject): string {
  const math = textIn(node, 'math', 'total')
  const { event = null } = node
  const property = textIn(node, 'math_property')
  const known = MATHS[math]
  const number =
    known?.(event) ??
    `the ${OF_PROPERTY[math] ?? math.replace(/^p(..)$/, '$1th percentile')} of ${isolated(labelOf(property))} in ${allOf(event)}`
  return number + ownFilters(node)
}

function named(event: unknown, otherwise = 'any event'): string {
  return typeof event === 'string' ? `“${isolated(labelOf(event))}”` : otherwise
}

function allOf(event: unknown): string {
  return `${named(event, 'all')} events`
}

/** Page views where nothing is said, null for all events. */
function entityOf(filter: JsonObject, name: string): unknown {
  return filter[name] === undefined ? '$pageview' : memberOf(filter, name)['id']
}

function eventsOf(question: JsonObject): string {
  return joined(seriesOf(question).map((node) => named(node['event']) + ownFilters(node)))
}

function ownFilters(owner: JsonObject): string {
  const where = whereOf(owner)
  return where === '' ? '' : ` (${where})`
}

function eachOf(question: JsonObject): string {
  return `each ${intervalIn(question)}`
}

function splitOf(question: JsonObject): string {
  const { breakdown } = memberOf(question, 'breakdownFilter')
  if (breakdown === undefined || breakdown === null) return ''
  if (breakdown === '$event') return ', by the name of the event'
  return `, by ${Array.isArray(breakdown) ? 'cohort' : isolated(labelOf(String(breakdown)))}`
}

function besideOf(question: JsonObject): string {
  const compare = memberOf(question, 'compareFilter')
  if (compare['compare'] !== true) return ''
  const to = textIn(compare, 'compare_to')
  return `, compared to ${to === '' ? 'the previous period' : earlierBy(to)}`
}

function whereOf(owner: JsonObject): string {
  const filters = filtersIn(owner)
  if (filters === undefined) return 'where its filters match'
  if (filters.length === 0) return ''
  return `where ${filters.map(sentenceOfFilter).join(' and ')}`
}

function whenOf(question: JsonObject): string {
  const label = labelOfRange(rangeTextOf(question))
  if (/^Last \d/.test(label)) return `in the ${label.toLowerCase()}`
  if (label === 'All time') return 'of all time'
  if (label.startsWith('Since ')) return label.replace('S', 's')
  return label.includes(' to ') ? `from ${label}` : label.toLowerCase()
}

/** `a, b and c`. */
function joined(parts: readonly string[]): string {
  const [last = '', ...before] = [...parts].reverse()
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Formulas mean the series by letters. */
export function letterOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}
