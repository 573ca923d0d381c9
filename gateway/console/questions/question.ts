/**
 * A question as pages edit it: the very JSON that goes into `query`. A change touches the member that
 * it is about, so that what pages do not know stays as it was written.
 */
import type { Json, JsonObject } from '../../client/index.ts'
import { isRecord, parsedJson } from '../data/json.ts'
import { type DateRange, textOfRange } from '../data/ranges.ts'

export const KINDS = [
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'PathsQuery',
  'StickinessQuery',
  'LifecycleQuery',
  'EventsQuery',
] as const
export type Kind = (typeof KINDS)[number]

/** New values of members; undefined removes the member. */
export type Changes = Readonly<Record<string, Json | undefined>>

export const NEW_QUESTION: JsonObject = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: null, math: 'total' }],
  dateRange: { date_from: '-7d' },
  interval: 'day',
}

/** @returns undefined for a text that is no JSON object. */
export function questionOf(text: string): JsonObject | undefined {
  const json = parsedJson(text)
  return isRecord(json) ? json : undefined
}

/** Undefined for a kind that pages do not draw. */
export function kindOf(question: JsonObject): Kind | undefined {
  return KINDS.find((kind) => kind === question['kind'])
}

export function changed(owner: JsonObject, changes: Changes): JsonObject {
  const all = Object.entries({ ...owner, ...changes })
  return Object.fromEntries(all.filter((each): each is [string, Json] => each[1] !== undefined))
}

/** Changes members of one member; the member is removed when it is then empty. */
export function changedIn(owner: JsonObject, name: string, changes: Changes): JsonObject {
  const next = changed(memberOf(owner, name), changes)
  return changed(owner, { [name]: Object.keys(next).length === 0 ? undefined : next })
}

/** An object; empty where there is none. */
export function memberOf(owner: JsonObject, name: string): JsonObject {
  const value = owner[name]
  return isRecord(value) ? value : {}
}

export function textIn(owner: JsonObject, name: string, fallback = ''): string {
  const value = owner[name]
  return typeof value === 'string' ? value : fallback
}

export function numberIn(owner: JsonObject, name: string, fallback: number): number {
  const value = owner[name]
  return typeof value === 'number' ? value : fallback
}

export function listIn(owner: JsonObject, name: string): readonly Json[] {
  const value = owner[name]
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

export function seriesOf(question: JsonObject): readonly JsonObject[] {
  return listIn(question, 'series').filter(isRecord)
}

/** As the address and the picker of ranges spell it. */
export function rangeTextOf(question: JsonObject): string {
  const isTable = question['kind'] === 'EventsQuery'
  const range = isTable ? question : memberOf(question, 'dateRange')
  const from = textIn(range, isTable ? 'after' : 'date_from', isTable ? 'all' : '-7d')
  const to = textIn(range, isTable ? 'before' : 'date_to')
  return textOfRange(to === '' ? { date_from: from } : { date_from: from, date_to: to })
}

/** A list of events has its range in other members. */
export function withRange(question: JsonObject, range: DateRange): JsonObject {
  const { date_from: from, date_to: to } = range
  if (question['kind'] !== 'EventsQuery') return changed(question, { dateRange: { ...range } })
  return changed(question, { after: from === 'all' ? undefined : from, before: to })
}

/** The interval of the buckets: the question's, or a day. */
export function intervalIn(question: JsonObject): 'minute' | 'hour' | 'day' | 'week' | 'month' {
  const asked = question['interval']
  const known = ['minute', 'hour', 'week', 'month'] as const
  return known.find((each) => each === asked) ?? 'day'
}

/** How a trend is drawn. */
export function displayOf(question: JsonObject): string {
  return textIn(memberOf(question, 'trendsFilter'), 'display', 'ActionsLineGraph')
}
