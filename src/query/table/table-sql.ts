/** Writes the cells and sort keys of a table as SQL. */
import { needsPerson, type Typed } from '../../events/trees/expression.ts'
import type { Sort } from '../../store/events/event-table-store.ts'
import { expressionSql } from '../../store/events-postgres/expression-sql.ts'
import { startOfText } from '../../store/events-postgres/text-bounds.ts'
import { timeText } from '../../store/events-postgres/times-sql.ts'
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import type { Cell, SortKey } from './table-query.ts'

/** Splits the cells into lists of values. Whole events stand between two lists. */
export function partsOf(cells: readonly Cell[]): readonly (readonly Fragment[])[] {
  const parts: Fragment[][] = [[]]
  for (const cell of cells) {
    if (cell.kind === 'event') parts.push([])
    else parts.at(-1)?.push(cell.kind === 'person' ? PERSON : valueCell(cell.value))
  }
  return parts
}

export function cellsNeedPerson(cells: readonly Cell[]): boolean {
  return cells.some((cell) => cell.kind === 'person' || isOfPerson(cell))
}

function isOfPerson(cell: Cell): boolean {
  return cell.kind === 'value' && needsPerson(cell.value)
}

const PERSON = fragment`case when p.id is not null then json_build_object(
  'id', p.uuid, 'distinct_id', e.distinct_id, 'created_at', ${timeText(fragment`p.created_at`)},
  'is_identified', p.is_identified, 'properties', p.properties) end`

/** A value as JSON. A number that its type cannot hold is null. */
function valueCell(value: Typed): Fragment {
  const sql = expressionSql(value)
  switch (value.type) {
    case 'Int64':
      return fragment`jsonb_path_query_first(to_jsonb(trunc(${sql})),
        '$ ? (@ >= -9223372036854775808 && @ <= 9223372036854775807)')`
    case 'UInt64':
      return fragment`jsonb_path_query_first(to_jsonb(trunc(${sql})),
        '$ ? (@ >= 0 && @ <= 18446744073709551615)')`
    case 'Float64':
      // A number nearer to zero than a double can be becomes zero. A cast would fail.
      return fragment`jsonb_path_query_first(to_jsonb(round(${sql}, 300)),
        '$ ? (@ >= -1.7976931348623157e308 && @ <= 1.7976931348623157e308)')::float8`
    case 'DateTime':
      return timeText(sql)
    default:
      return sql
  }
}

/** Texts are ordered by bytes, so that the locale of a server does not matter. */
export function sortOf({ value, descending }: SortKey): Sort {
  const sql = expressionSql(value)
  return {
    value: value.type === 'String' ? fragment`${startOfText(sql)} collate "C"` : sql,
    descending,
  }
}

/** The key of a group. A text is cut to the bound of expressions. */
export function keyOf(value: Typed): Fragment {
  const sql = expressionSql(value)
  return value.type === 'String' ? startOfText(sql) : sql
}

/** The type's name in answers. A whole event and a person are described by their members. */
export function typeOf(cell: Cell): string {
  switch (cell.kind) {
    case 'event':
      return tuple(EVENT_TYPES)
    case 'person':
      return tuple(PERSON_TYPES)
    case 'value':
      return cell.value.type
    default:
      return cell satisfies never
  }
}

/** The type of any JSON. */
const JSON_TYPE = 'Tuple()'

const PERSON_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  created_at: 'DateTime',
  is_identified: 'Bool',
  properties: JSON_TYPE,
}

const EVENT_TYPES: Readonly<Record<string, string>> = {
  id: 'UUID',
  distinct_id: 'String',
  properties: JSON_TYPE,
  event: 'String',
  timestamp: 'DateTime',
  person: JSON_TYPE,
  elements: JSON_TYPE,
  elements_chain: 'String',
}

function tuple(members: Readonly<Record<string, string>>): string {
  const types = Object.entries(members).map(([name, type]) => `${name} ${type}`)
  return `Tuple(${types.join(', ')})`
}
