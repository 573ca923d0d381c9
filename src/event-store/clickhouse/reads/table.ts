/** Tables of events and of groups of them. */

import { ColumnError } from '../../../clickhouse/column-error.ts'
import { AppError } from '../../../core/code.ts'
import type {
  EventsAsked,
  TableAsked,
  TableGroups,
  TablePage,
  TableRow,
} from '../../../events/ports.ts'
import type { Typed } from '../../../events/trees/expression.ts'
import { type Cell, type SortKey, timeOrder } from '../../../events/trees/table.ts'
import { isNumeric, type ValueType } from '../../../events/trees/value-type.ts'
import { commas, type Fragment, fragment, join, numbered } from '../../../postgres/fragment.ts'
import { comparable } from '../renderer/choices.ts'
import { type ColumnOf, expressionIn, ofPersons } from '../renderer/expression.ts'
import { textOfNumber } from '../renderer/numbers.ts'
import { startOfText, textOfCondition } from '../renderer/operations.ts'
import { timeText } from '../renderer/times.ts'
import { type Written, written } from '../renderer/written.ts'
import { EVENT_COLUMNS, eventOf, personsOf } from './events-of-keys.ts'
import { newestBlock } from './list.ts'
import type { Reading } from './reading.ts'
import { inSpan, type Selection, selectEvents } from './selection.ts'
import { countIn, orderOf } from './walk.ts'

/** @throws {AppError} `unimplemented` where a cell, a key or a condition is of persons. */
export async function readTable(
  reading: Reading,
  asked: EventsAsked,
  table: TableAsked,
): Promise<TablePage> {
  const snapshotBlock = asked.snapshotBlock ?? (await newestBlock(reading, asked.project))
  const selection = await selectEvents(reading, { ...asked, snapshotBlock })
  try {
    if (table.groups !== undefined) {
      const isOne = table.groups.keys.length === 0
      if (selection === undefined && !isOne) return NOTHING
      return await readGroups(reading, selection ?? NONE, { ...table, groups: table.groups })
    }
    return selection === undefined ? NOTHING : await readRows(reading, selection, asked, table)
  } catch (error) {
    if (!(error instanceof ColumnError && error.kind === 'not_here')) throw error
    throw new AppError('unimplemented', 'a table of persons', { cause: error })
  }
}

const NOTHING: TablePage = { count: 0, rows: [] }
/** No events. */
const NONE: Selection = {
  span: { after: 0n, before: 1n },
  reach: fragment`false`,
  where: fragment`false`,
}
const EVENT_COLUMNS_COUNT = 6

async function readRows(
  reading: Reading,
  { span, where }: Selection,
  { project }: EventsAsked,
  table: TableAsked,
): Promise<TablePage> {
  const cells = valuesOf(table.cells).map(({ value }) => cellText(value))
  const byTime = timeOrder(table.order)
  const keys = byTime === undefined ? table.order.map((key) => directed(key)) : []
  const order = commas([...keys, orderOf(byTime ?? 'newest')])
  const { count, span: found } = await countIn(reading, span, where)
  if (found === undefined || count <= table.offset) return { count, rows: [] }
  const rows = await reading.rows(fragment`
    select ${commas([EVENT_COLUMNS, ...cells])} from ${reading.events}
    where ${inSpan(found)} and ${where} order by ${order} ${limitOf(table)}`)
  const holdsEvents = table.cells.some(({ kind }) => kind === 'event')
  const ids = holdsEvents ? rows.map((row) => ({ distinctId: String(row[2]) })) : []
  const persons = await personsOf(reading, project, ids)
  const made = rows.map((row): TableRow => {
    const event = holdsEvents ? eventOf(row, persons) : undefined
    return { parts: partsOf(table.cells, row.slice(EVENT_COLUMNS_COUNT)), event }
  })
  return { count, rows: within(made, table.bytesMax) }
}

type GroupsAsked = TableAsked & { readonly groups: TableGroups }

async function readGroups(
  reading: Reading,
  { span, where }: Selection,
  { groups, ...table }: GroupsAsked,
): Promise<TablePage> {
  const { keys, aggregates, conditions } = groups
  const columnOf: ColumnOf = ({ of, place }) => {
    const value = (of === 'key' ? keys : aggregates)[place]
    return readAs(numbered(of, place), value !== undefined && isExactColumn(value))
  }
  const columns = [...namedAs('key', keys), ...namedAs('aggregate', aggregates)]
  const by = keys.map((_, place) => numbered('key', place))
  const grouped = by.length === 0 ? fragment`` : fragment`group by ${commas(by)}`
  const having = join(
    conditions.map((each) => expressionIn(each, columnOf).sql),
    'and',
  )
  const source = fragment`from (
      select ${commas(columns)} from ${reading.events} where ${inSpan(span)} and ${where} ${grouped}
    ) g where ${having}`
  const ties = keys.map(({ type }, place): SortKey => {
    const value = { kind: 'column', of: 'key', type, place, isProperty: false } as const
    return { value, descending: false }
  })
  const order = [...table.order, ...ties].map((key) => directed(key, columnOf))
  const sorted = order.length === 0 ? fragment`` : fragment`order by ${commas(order)}`
  const cells = valuesOf(table.cells).map(({ value }) => cellText(value, columnOf))
  const [[count] = []] = await reading.rows(fragment`select toString(count()) ${source}`)
  const rows = await reading.rows(fragment`
    select ${commas([fragment`1`, ...cells])} ${source} ${sorted} ${limitOf(table)}`)
  const made = rows.map((row): TableRow => {
    return { parts: partsOf(table.cells, row.slice(1)), event: undefined }
  })
  return { count: Number(count), rows: within(made, table.bytesMax) }
}

function namedAs(name: 'key' | 'aggregate', values: readonly Typed[]): Fragment[] {
  return values.map((value, place) => fragment`${groupColumn(value)} as ${numbered(name, place)}`)
}

function directed({ value, descending }: SortKey, columnOf?: ColumnOf): Fragment {
  const key = sortValue(value, columnOf)
  return descending ? fragment`${key} desc nulls last` : fragment`${key} asc nulls last`
}

function limitOf({ limit, offset }: { limit: number; offset: number }): Fragment {
  return fragment`limit toUInt64(${String(limit)}) offset toUInt64(${String(offset)})`
}

/** The first rows, as far as the bytes reach. */
function within(rows: readonly TableRow[], bytesMax: number): readonly TableRow[] {
  let bytes = 0
  const at = rows.findIndex(({ parts, event }) => {
    for (const part of parts) bytes += Buffer.byteLength(part) + 1
    if (event !== undefined) {
      bytes += Buffer.byteLength(event.properties) + 4 * Buffer.byteLength(event.elementsChain)
      bytes += Buffer.byteLength(event.person ?? '')
    }
    return bytes > bytesMax
  })
  return at < 0 ? rows : rows.slice(0, at)
}

/** Cells of tables: ClickHouse returns texts, from which JSON is made here. */
type ValueCell = Extract<Cell, { kind: 'value' }>

/** Value cells, in order: cells of whole events are left out. */
function valuesOf(cells: readonly Cell[]): readonly ValueCell[] {
  return cells.flatMap((cell) => {
    if (cell.kind === 'person') throw ofPersons()
    return cell.kind === 'value' ? [cell] : []
  })
}

/** A value as text, or null. */
function cellText(value: Typed, columnOf?: ColumnOf): Fragment {
  const sql = expressionIn(value, columnOf)
  if (isNumeric(value.type)) return textOfNumber(sql)
  if (value.type === 'DateTime') return timeText(sql.sql)
  return value.type === 'Bool' ? textOfCondition(sql.sql) : sql.sql
}

/** Sort key of a value: texts sort by their bytes, numbers by all their digits. */
function sortValue(value: Typed, columnOf?: ColumnOf): Fragment {
  const [key = fragment`null`] = comparable([expressionIn(value, columnOf)])
  return value.type === 'String' ? startOfText(key) : key
}

/** The column of a group: numbers as their text where that is exact. */
function groupColumn(value: Typed): Fragment {
  const { sql, exact } = expressionIn(value)
  if (exact !== undefined) return exact
  if (isNumeric(value.type)) return fragment`(${sql} + 0)` // There is a double that is 0 below zero.
  return value.type === 'String' ? startOfText(sql) : sql
}

/** How the columns of `groupColumn` are read again. */
function isExactColumn(value: Typed): boolean {
  return expressionIn(value).exact !== undefined
}

/** JSON of a text of `cellText`. A number that its type cannot hold is null. */
function cellJson(type: ValueType, text: unknown): string {
  if (text === null) return 'null'
  const value = String(text)
  switch (type) {
    case 'Int64':
      return wholeWithin(value, -(2n ** 63n), 2n ** 63n - 1n)
    case 'UInt64':
      return wholeWithin(value, 0n, 2n ** 64n - 1n)
    case 'Float64':
      return Number.isFinite(Number(value)) ? String(Number(value)) : 'null'
    case 'Bool':
      return value
    case 'String':
    case 'UUID':
    case 'DateTime':
      return JSON.stringify(value)
    default:
      return type satisfies never
  }
}

function wholeWithin(text: string, least: bigint, greatest: bigint): string {
  const whole = BigInt(text.split('.')[0] ?? '0')
  return whole >= least && whole <= greatest ? String(whole) : 'null'
}

/** The lists of values between whole events. */
function partsOf(cells: readonly Cell[], texts: readonly unknown[]): string[] {
  const parts: string[][] = [[]]
  let place = 0
  for (const cell of cells) {
    if (cell.kind === 'value') parts.at(-1)?.push(cellJson(cell.value.type, texts[place++] ?? null))
    else parts.push([])
  }
  return parts.map((part) => `[${part.join(', ')}]`)
}

function readAs(name: Fragment, isExact: boolean): Written {
  return isExact ? written(fragment`toFloat64OrNull(${name})`, name) : written(name)
}
