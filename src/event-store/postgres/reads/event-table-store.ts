/** Rows and groups of events as tables: their cells are JSON already when they leave the server. */
import type { EventOrder, QueriedEvent, TableRow } from '../../../events/ports.ts'
import type { Typed } from '../../../events/trees/expression.ts'
import { type Cell, cellsAskOfPerson, type SortKey } from '../../../events/trees/table.ts'
import type { Db } from '../../../postgres/db.ts'
import { commas, type Fragment, fragment, join, numbered, run } from '../../../postgres/fragment.ts'
import type { EventSelection } from '../../event-selection.ts'
import { keyOf, partsOf, sortValue } from '../renderer/cells-sql.ts'
import { expressionSql } from '../renderer/expression-sql.ts'
import { EVENT_COLUMNS, ROW_COLUMNS } from './event-rows.ts'
import {
  fromEvents,
  fromWalkedEvents,
  orderOf,
  personOf,
  whereOf,
  whereOfWalked,
} from './selection-sql.ts'

/** Bytes of one event times the cells made of it: the memory of one row. */
const TABLE_ROW_BYTES_MAX = 268_435_456

/** Page of rows: see `TableAsked`. */
export type RowsPage = {
  /** Each becomes JSON. */
  readonly cells: readonly Cell[]
  readonly limit: number
  readonly offset: number
  /** Bytes of the rows as JSON text, with elements counted in both their forms. */
  readonly bytesMax: number
}

export type EventRowsPage = RowsPage & {
  /**
   * Order by time, or by keys of events, the most significant first; ties are sorted by time, the
   * newest first.
   */
  readonly order: EventOrder | readonly SortKey[]
  /** Few match: all of them are gathered and sorted, instead of walking the order to them. */
  readonly isSparse: boolean
}

/**
 * One page of events as rows. Fewer than there are when all would be more than `bytesMax`.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function pageOfEventRows(
  db: Db,
  selection: EventSelection,
  asked: EventRowsPage,
): Promise<readonly TableRow[]> {
  const page = { ...asked, parts: partsOf(asked.cells) }
  const needsPerson = cellsAskOfPerson(page.cells)
  const isWalk = typeof page.order === 'string' && !page.isSparse
  const sorts = typeof page.order === 'string' ? [] : page.order
  const sorted = sorts.map(
    ({ value }, index) => fragment`, ${sortValue(value)} as ${numbered('sort', index)}`,
  )
  const hits = fragment`
    select ${ROW_COLUMNS}, e.created_at, e.project_id ${together(sorted)}
    ${isWalk ? fromWalkedEvents(selection) : fromEvents(selection)}
    where ${isWalk ? whereOfWalked(selection) : whereOf(selection)}
    ${page.isSparse ? fragment`offset 0` : NOTHING}`
  const by = (alias: Fragment) =>
    typeof page.order === 'string'
      ? orderOf(page.order, alias)
      : commas([...sortColumns(sorts), orderOf('newest', alias)])
  const rows = fragment`
    select e.place, ${partColumns(page.parts, needsPerson ? SIZE_WITH_PERSON : SIZE_OF_EVENT)}
      ${holdsEvents(page) ? fragment`, ${EVENT_COLUMNS}` : NOTHING}
    from (
      select r.*, row_number() over (order by ${by(fragment`r`)}) as place
      from (
        select h.* from (${hits}) h order by ${by(fragment`h`)}
        limit ${String(page.limit)}::bigint offset ${String(page.offset)}::bigint
      ) r
    ) e
    ${needsPerson || holdsEvents(page) ? personOf(selection.project) : NOTHING}`
  const statement = fragment`${within(rows, page)} order by w.place`
  const read = await run<Record<string, unknown>>(db, statement, false)
  return read.map((row) => tableRow(row, page))
}

export type GroupsPage = RowsPage & {
  /** Columns of a group, over events: see `Typed`. */
  readonly keys: readonly Typed[]
  readonly aggregates: readonly Typed[]
  /** Conditions, cells and sort keys are over these columns. */
  readonly having: readonly Typed[]
  /** Order without ties. */
  readonly order: readonly SortKey[]
}

/**
 * One page of groups, and how many there are. Fewer rows than there are when all would be more than
 * `bytesMax`. Without keys all events are one group, and so are none.
 * @throws {PostgresError} 57014 when the time-out cuts it.
 */
export async function pageOfGroups(
  db: Db,
  selection: EventSelection,
  asked: GroupsPage,
): Promise<{ readonly count: number; readonly rows: readonly TableRow[] }> {
  const page = { ...asked, parts: partsOf(asked.cells) }
  const names = page.keys.map((_, index) => numbered('key', index))
  const columns = [
    ...page.keys.map((key, index) => fragment`${keyOf(key)} as ${numbered('key', index)}`),
    ...page.aggregates.map(
      (each, index) => fragment`${expressionSql(each)} as ${numbered('aggregate', index)}`,
    ),
  ]
  const order = page.order.map(({ value, descending }) => directed(sortValue(value), descending))
  const rows = fragment`
    select g.place, ${partColumns(page.parts, fragment`0`)} from (
      select g.*, row_number() over (order by ${commas(order)}) as place from groups g
      order by place limit ${String(page.limit)}::bigint offset ${String(page.offset)}::bigint
    ) g`
  const statement = fragment`
    with groups as materialized (
      select * from (
        select ${commas(columns)} ${fromEvents(selection)} where ${whereOf(selection)}
        ${names.length > 0 ? fragment`group by ${commas(names)}` : NOTHING}
      ) g where ${join(page.having.map(expressionSql), 'and')}
    )
    select (select count(*) from groups)::float8 as count, t.*
    from (select 1) one left join (${within(rows, page)}) t on true order by t.place`
  const read = await run<Record<string, unknown>>(db, statement, false)
  return {
    count: Number(read[0]?.['count'] ?? 0),
    rows: read.filter((row) => row['place'] !== null).map((row) => tableRow(row, page)),
  }
}

const NOTHING = fragment``
const SIZE_OF_EVENT = fragment`octet_length(e.properties::text) + octet_length(e.elements_chain)`

const SIZE_WITH_PERSON = fragment`${SIZE_OF_EVENT} + coalesce(octet_length(p.properties::text), 0)`

/** Lists of cells, separated by whole events. */
type Parts = { readonly parts: readonly (readonly Fragment[])[] }

function holdsEvents({ parts }: Parts): boolean {
  return parts.length > 1
}

/** Null for a row whose cells together would take more memory than one row may. */
function partColumns(parts: Parts['parts'], sizeOfRow: Fragment): Fragment {
  const cells = String(parts.flat().length)
  const bytesMax = String(TABLE_ROW_BYTES_MAX)
  return commas(
    parts.map((part, index) => {
      const json = fragment`json_build_array(${commas(part)})::text`
      return fragment`case when (${sizeOfRow})::bigint * ${cells}::bigint <= ${bytesMax}::bigint
        then ${json} end as ${numbered('part', index)}`
    }),
  )
}

/** The first rows, as far as the bytes reach. */
function within(rows: Fragment, page: RowsPage & Parts): Fragment {
  const bytesMax = String(page.bytesMax)
  const sizes = page.parts.map((_, index) => {
    const name = numbered('part', index)
    return fragment`coalesce(octet_length(c.${name}), ${bytesMax}::integer)::bigint + 1`
  })
  if (holdsEvents(page)) {
    sizes.push(fragment`octet_length(c.properties) + 4 * octet_length(c."elementsChain")
      + coalesce(octet_length(c.person), 0)`)
  }
  const size = sizes.reduce((all, each) => fragment`${all} + ${each}`)
  return fragment`
    select w.* from (
      select c.*, sum(${size}) over (order by c.place) as bytes from (${rows}) c
    ) w where w.bytes <= ${bytesMax}::bigint`
}

function sortColumns(sorts: readonly SortKey[]): Fragment[] {
  return sorts.map(({ descending }, index) => directed(numbered('sort', index), descending))
}

function directed(value: Fragment, descending: boolean): Fragment {
  return descending ? fragment`${value} desc nulls last` : fragment`${value} asc nulls last`
}

function together(fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((all, each) => fragment`${all}${each}`, NOTHING)
}

function tableRow(row: Readonly<Record<string, unknown>>, page: Parts): TableRow {
  // The statement names these columns, and `eventColumns` those of an event.
  return {
    parts: page.parts.map((_, index) => String(row[`part_${index}`])),
    event: holdsEvents(page) ? (row as unknown as QueriedEvent) : undefined,
  }
}
