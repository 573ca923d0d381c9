/** Question of the events list as the address holds it, and the questions that follow from it. */

import { labelOf } from '../../../../src/core/charts/label.ts'
import type { Json, JsonObject } from '../../../client/index.ts'
import { ask } from '../../data/questions.ts'
import { listOf } from '../../kit/filters/event-filters.ts'
import { filtersOf, type PropertyFilter } from '../../kit/filters/filter.ts'
import { tokensOf } from '../../kit/filters/tokens.ts'
import { TITLES } from './texts.ts'

export type Asked = {
  /** Expressions of the columns. */
  readonly select: readonly string[]
  readonly where: readonly string[]
  /** Filters on properties, persons and cohorts. */
  readonly properties: readonly PropertyFilter[]
  /** The most significant first; one that begins with `-` descends. */
  readonly orderBy: readonly string[]
  /** Only events later than this. */
  readonly after: string | undefined
}

export const COLUMNS = ['event', 'timestamp', 'person', 'properties.$pathname -- Page'] as const
const PAGE = 100
const FACET_VALUES = 10
const CSV_ROWS = 100_000

export function askedOf(query: URLSearchParams): Asked {
  const select = listOf(query.getAll('select')).filter((column) => column.trim() !== '*')
  return {
    select: select.length === 0 ? COLUMNS : select,
    where: listOf(query.getAll('where')),
    properties: filtersOf(query.get('properties')),
    orderBy: listOf(query.getAll('orderBy')),
    after: query.get('after') ?? undefined,
  }
}

const AGGREGATE = /^(?:count|countDistinct|min|max|sum|avg|any)(?:If)?$/

function hasAggregate(expression: string): boolean {
  const tokens = tokensOf(expression) ?? []
  return tokens.some(
    ({ kind, source }, at) =>
      kind === 'name' && AGGREGATE.test(source) && tokens[at + 1]?.source === '(',
  )
}

/** Rows are groups of events, and none can be opened. */
export function isGrouped({ select }: Asked): boolean {
  return select.some(hasAggregate)
}

type Place = { readonly offset: number; readonly before?: string | undefined }

export function rowsQuery(asked: Asked, { offset, before }: Place): JsonObject {
  const { select, orderBy, after } = asked
  return {
    kind: 'EventsQuery',
    // The event's id, before the shown columns.
    select: isGrouped(asked) ? [...select] : ['uuid', ...select],
    ...conditionsOf(asked),
    ...(orderBy.length === 0 ? {} : { orderBy: [...orderBy] }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    limit: PAGE,
    ...(offset === 0 ? {} : { offset }),
  }
}

/** Query of the shown list, to save under a name. */
export function savedQuery(asked: Asked): JsonObject {
  const { select, orderBy, after } = asked
  return {
    kind: 'EventsQuery',
    select: [...select],
    ...conditionsOf(asked),
    ...(orderBy.length === 0 ? {} : { orderBy: [...orderBy] }),
    ...(after === undefined ? {} : { after }),
    limit: PAGE,
  }
}

function conditionsOf({ where, properties }: Pick<Asked, 'where' | 'properties'>): JsonObject {
  return {
    ...(where.length === 0 ? {} : { where: [...where] }),
    ...(properties.length === 0 ? {} : { properties: properties.map((each) => ({ ...each })) }),
  }
}

export function facetQuery({ where, properties, after }: Asked, operand: string): JsonObject {
  // Conditions on groups are not on events.
  const ofEvents = where.filter((text) => !hasAggregate(text))
  return {
    kind: 'EventsQuery',
    select: [operand, 'count()'],
    ...conditionsOf({ where: [...ofEvents, `notEmpty(${operand})`], properties }),
    orderBy: ['-count()'],
    ...(after === undefined ? {} : { after }),
    limit: FACET_VALUES,
  }
}

/** Path of a CSV file with the same rows, and more of them. */
export function csvPath(project: number, asked: Asked): string {
  const { select, where, properties, orderBy, after } = asked
  const parameters = new URLSearchParams()
  for (const each of select) parameters.append('select', each)
  for (const each of where) parameters.append('where', each)
  if (properties.length > 0) parameters.set('properties', JSON.stringify(properties))
  if (orderBy.length > 0) parameters.set('orderBy', JSON.stringify(orderBy))
  if (after !== undefined) parameters.set('after', after)
  parameters.set('format', 'csv')
  parameters.set('limit', String(CSV_ROWS))
  return `/api/projects/${project}/events/?${parameters}`
}

export type Rows = {
  readonly types: readonly string[]
  readonly results: readonly (readonly Json[])[]
  readonly hasMore: boolean
  readonly count: number
  /** As `before` it gives further pages of the same events. */
  readonly pinned_before: string
}

export async function askRows(
  project: number,
  query: JsonObject,
  signal: AbortSignal,
): Promise<Rows> {
  const answer: unknown = await ask(project, query, signal)
  return answer as Rows
}

/** An expression without its comment. */
export function bareOf(expression: string): string {
  const tokens = tokensOf(expression) ?? []
  const first = tokens[0]
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return expression.trim()
  return expression.slice(first.at, last.at + last.source.length)
}

/** Title of a column: its comment, a known name, or the expression. */
export function titleOf(expression: string): string {
  const bare = bareOf(expression)
  const comment = /^\s*--\s*(.+?)\s*$/s.exec(
    expression.slice(expression.indexOf(bare) + bare.length),
  )
  return comment?.[1] ?? TITLES[bare] ?? labelOf(bare.replace(/^(?:person\.)?properties\./, ''))
}

export type Direction = 'ascending' | 'descending'

export function directionOf(asked: Asked, expression: string): Direction | undefined {
  const bare = bareOf(expression)
  const [first] = asked.orderBy
  if (first === undefined) {
    return bare === 'timestamp' && !isGrouped(asked) ? 'descending' : undefined
  }
  if (bareOf(first) === bare) return 'ascending'
  return first.startsWith('-') && bareOf(first.slice(1)) === bare ? 'descending' : undefined
}

/** Order after a click on a column's title; undefined for the default order. */
export function nextOrder(asked: Asked, expression: string): string | undefined {
  const bare = bareOf(expression)
  const isUp = directionOf(asked, expression) === 'descending'
  if (!isUp && bare === 'timestamp' && !isGrouped(asked)) return undefined
  return JSON.stringify([isUp ? bare : `-${bare}`])
}
