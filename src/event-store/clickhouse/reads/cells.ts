/** Cells of tables: ClickHouse returns texts, from which JSON is made here. */
import type { Typed } from '../../../events/trees/expression.ts'
import type { Cell } from '../../../events/trees/table.ts'
import { isNumeric, type ValueType } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { comparable } from '../renderer/choices.ts'
import { type ColumnOf, expressionIn, ofPersons } from '../renderer/expression.ts'
import { textOfNumber } from '../renderer/numbers.ts'
import { startOfText, textOfCondition } from '../renderer/texts.ts'
import { timeText } from '../renderer/times.ts'
import { type Written, written } from '../renderer/written.ts'

type ValueCell = Extract<Cell, { kind: 'value' }>

/** Value cells, in order: cells of whole events are left out. */
export function valuesOf(cells: readonly Cell[]): readonly ValueCell[] {
  return cells.flatMap((cell) => {
    if (cell.kind === 'person') throw ofPersons()
    return cell.kind === 'value' ? [cell] : []
  })
}

/** A value as text, or null. */
export function cellText(value: Typed, columnOf?: ColumnOf): Fragment {
  const sql = expressionIn(value, columnOf)
  if (isNumeric(value.type)) return textOfNumber(sql)
  if (value.type === 'DateTime') return timeText(sql.sql)
  return value.type === 'Bool' ? textOfCondition(sql.sql) : sql.sql
}

/** Sort key of a value: texts sort by their bytes, numbers by all their digits. */
export function sortValue(value: Typed, columnOf?: ColumnOf): Fragment {
  const [key = fragment`null`] = comparable([expressionIn(value, columnOf)])
  return value.type === 'String' ? startOfText(key) : key
}

/** The column of a group: numbers as their text where that is exact. */
export function groupColumn(value: Typed): Fragment {
  const { sql, exact } = expressionIn(value)
  if (exact !== undefined) return exact
  if (isNumeric(value.type)) return fragment`(${sql} + 0)` // There is a double that is 0 below zero.
  return value.type === 'String' ? startOfText(sql) : sql
}

/** How the columns of `groupColumn` are read again. */
export function isExactColumn(value: Typed): boolean {
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
export function partsOf(cells: readonly Cell[], texts: readonly unknown[]): string[] {
  const parts: string[][] = [[]]
  let place = 0
  for (const cell of cells) {
    if (cell.kind === 'value') parts.at(-1)?.push(cellJson(cell.value.type, texts[place++] ?? null))
    else parts.push([])
  }
  return parts.map((part) => `[${part.join(', ')}]`)
}

export function readAs(name: Fragment, isExact: boolean): Written {
  return isExact ? written(fragment`toFloat64OrNull(${name})`, name) : written(name)
}
