/** Writes the cells, sort keys and keys of tables as SQL of Postgres. */
import type { Typed } from '../../../events/trees/expression.ts'
import type { Cell } from '../../../events/trees/table.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { expressionSql } from './expression-sql.ts'
import { startOfText } from './text-bounds.ts'
import { timeText } from './times-sql.ts'

/** Splits the cells into lists of values, separated by cells of whole events. */
export function partsOf(cells: readonly Cell[]): readonly (readonly Fragment[])[] {
  const parts: Fragment[][] = [[]]
  for (const cell of cells) {
    if (cell.kind === 'event') parts.push([])
    else parts.at(-1)?.push(cell.kind === 'person' ? PERSON : valueCell(cell.value))
  }
  return parts
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
export function sortValue(value: Typed): Fragment {
  const sql = expressionSql(value)
  return value.type === 'String' ? fragment`${startOfText(sql)} collate "C"` : sql
}

/** The key of a group. A text is cut to the bound of expressions. */
export function keyOf(value: Typed): Fragment {
  const sql = expressionSql(value)
  return value.type === 'String' ? startOfText(sql) : sql
}
