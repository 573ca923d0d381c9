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
import { type SortKey, timeOrder } from '../../../events/trees/table.ts'
import { commas, type Fragment, fragment, join, numbered } from '../../../postgres/fragment.ts'
import { type ColumnOf, expressionIn } from '../renderer/expression.ts'
import {
  cellText,
  groupColumn,
  isExactColumn,
  partsOf,
  readAs,
  sortValue,
  valuesOf,
} from './cells.ts'
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
