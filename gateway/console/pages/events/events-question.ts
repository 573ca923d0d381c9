/** What the address asks for, as the events list spells it, and the questions that follow. */
import type { Json, JsonObject } from '../../../client/index.ts'
import { parsedJson } from '../../data/json.ts'
import { ask } from '../../data/questions.ts'
import { filtersOfExpression } from '../../kit/filters/expression-filters.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { tokensOf } from '../../kit/filters/tokens.ts'
import { labelOf } from '../../kit/names/label.ts'
import { TITLES } from './texts.ts'

export type Asked = {
  /** Expressions of the columns. */
  readonly select: readonly string[]
  readonly where: readonly string[]
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
    orderBy: listOf(query.getAll('orderBy')),
    after: query.get('after') ?? undefined,
  }
}

/** One item for each value, or one value that is a JSON list. */
function listOf(values: readonly string[]): readonly string[] {
  const [first = '', ...others] = values
  const isJson = others.length === 0 && first.trimStart().startsWith('[')
  const json = isJson ? parsedJson(first) : values
  return (Array.isArray(json) ? json.map(String) : values).filter((text) => text.trim() !== '')
}

/** As the address holds a list; undefined for none. */
export function textOfList(items: readonly string[]): string | undefined {
  if (items.length === 0) return undefined
  return items.length === 1 ? items[0] : JSON.stringify(items)
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
  const { select, where, orderBy, after } = asked
  return {
    kind: 'EventsQuery',
    // Which event a row is, in front of what is shown.
    select: isGrouped(asked) ? [...select] : ['uuid', ...select],
    ...(where.length === 0 ? {} : { where: [...where] }),
    ...(orderBy.length === 0 ? {} : { orderBy: [...orderBy] }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    limit: PAGE,
    ...(offset === 0 ? {} : { offset }),
  }
}

/** What is shown, as a question that can be kept under a name. */
export function savedQuery({ select, where, orderBy, after }: Asked): JsonObject {
  return {
    kind: 'EventsQuery',
    select: [...select],
    ...(where.length === 0 ? {} : { where: [...where] }),
    ...(orderBy.length === 0 ? {} : { orderBy: [...orderBy] }),
    ...(after === undefined ? {} : { after }),
    limit: PAGE,
  }
}

export function facetQuery({ where, after }: Asked, operand: string): JsonObject {
  return {
    kind: 'EventsQuery',
    select: [operand, 'count()'],
    // Conditions on groups are not on events.
    where: [...where.filter((text) => !hasAggregate(text)), `notEmpty(${operand})`],
    orderBy: ['-count()'],
    ...(after === undefined ? {} : { after }),
    limit: FACET_VALUES,
  }
}

/** `event`, or a property as expressions name it. */
export function operandFilter(operand: string): Pick<PropertyFilter, 'type' | 'key'> | undefined {
  const [filter, ...others] = filtersOfExpression(`notEmpty(${operand})`)
  if (filter === undefined || filter.type === 'hogql' || others.length > 0) return undefined
  return { type: filter.type, key: filter.key }
}

/** Where the file is that holds the same rows, and more of them. */
export function csvPath(project: number, { select, where, orderBy, after }: Asked): string {
  const parameters = new URLSearchParams()
  for (const each of select) parameters.append('select', each)
  for (const each of where) parameters.append('where', each)
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
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return expression.trim()
  return expression.slice(first.at, last.at + last.source.length)
}

/** What stands above a column: its comment, a known name, or the expression. */
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

/** The order after a click on a column's title; undefined for the one that holds by itself. */
export function nextOrder(asked: Asked, expression: string): string | undefined {
  const bare = bareOf(expression)
  const isUp = directionOf(asked, expression) === 'descending'
  if (!isUp && bare === 'timestamp' && !isGrouped(asked)) return undefined
  return JSON.stringify([isUp ? bare : `-${bare}`])
}
