/** Reads and checks what a list with `select` asks for: columns, conditions, groups and order. */
import { err, ok, type Result } from '../../core/result.ts'
import type { Typed } from '../../events/trees/expression.ts'
import type { Cell, SortKey } from '../../events/trees/table.ts'
import {
  check,
  columnOf,
  fieldOf,
  type Grouping,
  hasAggregate,
  type Scope,
} from '../language/check.ts'
import {
  checkCondition,
  createBudget,
  readExpressionList,
  readExpressions,
  sentence,
} from '../language/expressions.ts'
import {
  type OrderItem,
  parseExpression,
  parseOrderItem,
  parseSelectItem,
} from '../language/parser.ts'
import type { Moment } from '../language/rules.ts'
import {
  type Budget,
  canonical,
  type Expression,
  type Problem,
  type Star,
} from '../language/tree.ts'

export type TableRequest = {
  /** As sent: one item for each value, or one that is a JSON list. */
  readonly select: readonly string[]
  readonly where: readonly string[]
  /** A JSON list, or empty. */
  readonly orderBy: string
}

export type TableError = {
  readonly detail: string
  readonly attr: 'select' | 'where' | 'orderBy'
}

export type TableQuery = {
  /** The expressions as sent. */
  readonly columns: readonly string[]
  readonly cells: readonly Cell[]
  /** Conditions on events, all of which must hold. */
  readonly conditions: readonly Typed[]
  /** The most significant key first. The reader orders ties. */
  readonly order: readonly SortKey[]
  /** When set, cells and order are over the columns of groups. */
  readonly groups: Groups | undefined
}

export type Groups = {
  readonly keys: readonly Typed[]
  readonly aggregates: readonly Typed[]
  readonly conditions: readonly Typed[]
}

/** True when a request asks for a table in place of events. */
export function asksForTable({ select }: TableRequest): boolean {
  return select.some((item) => item.trim() !== '')
}

/**
 * Reads the three lists. The error is the first one in the order of the parameters. Never throws.
 */
export function parseTable(
  request: TableRequest,
  at: Moment,
  budget: Budget = createBudget(),
): Result<TableQuery, TableError> {
  const order = parseItems('orderBy', readOrder(request.orderBy), (text) =>
    parseOrderItem(text, budget),
  )
  if (!order.ok) return order
  const select = parseItems('select', readSelect(request.select), (text) =>
    parseSelectItem(text, budget),
  )
  if (!select.ok) return select
  const where = parseItems('where', readExpressions(request.where), (text) =>
    parseExpression(text, budget),
  )
  if (!where.ok) return where
  return understand({ order: order.value, select: select.value, where: where.value }, at)
}

type Parsed<T> = { readonly text: string; readonly tree: T }
type Trees = {
  readonly order: readonly Parsed<OrderItem>[]
  readonly select: readonly Parsed<Expression | Star>[]
  readonly where: readonly Parsed<Expression>[]
}

function readOrder(text: string): Result<readonly string[] | undefined, string> {
  return text.trim() === '' ? ok(undefined) : readExpressionList(text)
}

/** An empty list asks for the whole event. */
function readSelect(values: readonly string[]): Result<readonly string[] | undefined, string> {
  const items = readExpressions(values)
  return items.ok && (items.value ?? []).length === 0 ? ok(['*']) : items
}

function parseItems<T>(
  attr: TableError['attr'],
  texts: Result<readonly string[] | undefined, string>,
  parse: (text: string) => Result<T, Problem>,
): Result<readonly Parsed<T>[], TableError> {
  if (!texts.ok) return err({ detail: texts.error, attr })
  const parsed: Parsed<T>[] = []
  for (const text of texts.value ?? []) {
    const tree = parse(text)
    if (!tree.ok) return err({ detail: sentence(tree.error, text), attr })
    parsed.push({ text, tree: tree.value })
  }
  return ok(parsed)
}

function understand(trees: Trees, at: Moment): Result<TableQuery, TableError> {
  const { select, where, order } = trees
  const all = [select, where, order.map(({ text, tree }) => ({ text, tree: tree.expression }))]
  const isGrouped = all.flat().some(({ tree }) => tree.kind !== 'star' && hasAggregate(tree))
  const grouping: Grouping | undefined = isGrouped ? { keys: [], aggregates: [] } : undefined
  const events: Scope = { ...at, noAggregates: 'An aggregate within an aggregate' }
  const rows = grouping === undefined ? events : { ...events, grouping }

  const known = checkItems('select', select, (tree) => addKey(tree, events, grouping))
  if (!known.ok) return known
  const cells = checkItems('select', select, (tree) => cellOf(tree, rows))
  if (!cells.ok) return cells
  const ofGroups = where.filter(({ tree }) => hasAggregate(tree))
  const ofEvents = where.filter(({ tree }) => !hasAggregate(tree))
  const conditions = checkItems('where', ofEvents, (tree) => checkCondition(tree, events))
  if (!conditions.ok) return conditions
  const having = checkItems('where', ofGroups, (tree) => checkCondition(tree, rows))
  if (!having.ok) return having
  const keys = checkItems('orderBy', order, ({ expression, descending }) => {
    const value = check(expression, rows)
    return value.ok ? ok({ value: value.value, descending }) : value
  })
  if (!keys.ok) return keys
  return ok({
    columns: select.map(({ text }) => text),
    cells: cells.value,
    conditions: conditions.value,
    order: keys.value.length > 0 ? keys.value : defaultOrder(select, cells.value),
    groups: grouping && valuesOf(grouping, having.value),
  })
}

function checkItems<T, Checked>(
  attr: TableError['attr'],
  items: readonly Parsed<T>[],
  checkOne: (tree: T) => Result<Checked, Problem>,
): Result<readonly Checked[], TableError> {
  const checked: Checked[] = []
  for (const { text, tree } of items) {
    const one = checkOne(tree)
    if (!one.ok) return err({ detail: sentence(one.error, text), attr })
    checked.push(one.value)
  }
  return ok(checked)
}

/** In a query with groups, an item without an aggregate is a key, which other items may use too. */
function addKey(
  tree: Expression | Star,
  events: Scope,
  grouping: Grouping | undefined,
): Result<undefined, Problem> {
  if (grouping === undefined) return ok(undefined)
  if (tree.kind === 'star' || isPerson(tree)) {
    const name = tree.kind === 'star' ? '*' : 'person'
    return err({ message: `"${name}" cannot be grouped by`, at: tree.at })
  }
  if (hasAggregate(tree)) return ok(undefined)
  const value = check(tree, events)
  if (!value.ok) return value
  columnOf(grouping.keys, canonical(tree), () => value.value)
  return ok(undefined)
}

function cellOf(tree: Expression | Star, rows: Scope): Result<Cell, Problem> {
  if (tree.kind === 'star') return ok({ kind: 'event' })
  if (isPerson(tree)) return ok({ kind: 'person' })
  const value = check(tree, rows)
  return value.ok ? ok({ kind: 'value', value: value.value }) : value
}

function isPerson(tree: Expression): boolean {
  return tree.kind === 'field' && tree.path.length === 1 && tree.path[0] === 'person'
}

function valuesOf({ keys, aggregates }: Grouping, conditions: readonly Typed[]): Groups {
  return {
    keys: keys.map(({ value }) => value),
    aggregates: aggregates.map(({ value }) => value),
    conditions,
  }
}

/**
 * The newest first when the table has the time; otherwise the largest count first, or else by the
 * first column.
 */
function defaultOrder(select: Trees['select'], cells: readonly Cell[]): readonly SortKey[] {
  const named = (name: string) =>
    cells.find((_, index) => {
      const tree = select[index]?.tree
      return tree !== undefined && tree.kind !== 'star' && canonical(tree) === name
    })
  const time = named(TIME)
  if (time?.kind === 'value') return [{ value: time.value, descending: true }]
  if (cells.some(({ kind }) => kind === 'event')) return NEWEST_FIRST
  const count = named(COUNT)
  if (count?.kind === 'value') return [{ value: count.value, descending: true }]
  const [first] = cells
  if (first?.kind === 'value') return [{ value: first.value, descending: false }]
  const person = fieldOf(['person', 'id'])
  return person === undefined ? NEWEST_FIRST : [{ value: person, descending: false }]
}

const TIME = canonical({ kind: 'field', at: 0, path: ['timestamp'] })
const COUNT = canonical({ kind: 'call', at: 0, name: 'count', args: [] })
const NEWEST_FIRST: readonly SortKey[] = [
  { value: { kind: 'field', type: 'DateTime', field: 'timestamp' }, descending: true },
]
