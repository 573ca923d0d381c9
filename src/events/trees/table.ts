/** Columns and sort order of tables of events. */
import { needsPerson, type Typed } from './expression.ts'

/** A cell of every row: the whole event, its person, or a value. */
export type Cell =
  | { readonly kind: 'event' }
  | { readonly kind: 'person' }
  | { readonly kind: 'value'; readonly value: Typed }

/** Nulls sort last. */
export type SortKey = { readonly value: Typed; readonly descending: boolean }

/** Whether a cell has something of the event's person, beside what whole events show of it. */
export function cellsAskOfPerson(cells: readonly Cell[]): boolean {
  return cells.some(
    (cell) => cell.kind === 'person' || (cell.kind === 'value' && needsPerson(cell.value)),
  )
}

/** The order of lists that is this order, ties included; undefined when none is. */
export function timeOrder(order: readonly SortKey[]): 'newest' | 'oldest' | undefined {
  const [first, ...others] = order
  const isTime = first?.value.kind === 'field' && first.value.field === 'timestamp'
  if (!isTime || others.length > 0) return undefined
  return first.descending ? 'newest' : 'oldest'
}
