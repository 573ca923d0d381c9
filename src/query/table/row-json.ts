/** Rows of tables of events as JSON text. */
import type { TableRow } from '../../events/ports.ts'
import { nativeEventJson } from '../list/event-json.ts'

/** A row as one JSON list: the lists of cells, separated by the event. */
export function rowJson({ parts, event }: TableRow): string {
  if (event === undefined) return parts[0] ?? '[]'
  const whole = nativeEventJson(event)
  const cells = parts.flatMap((part, index) => {
    return index === 0 ? cellsOf(part) : [whole, ...cellsOf(part)]
  })
  return `[${cells.join()}]`
}

/** Cells between the brackets, if any. */
function cellsOf(part: string): string[] {
  const cells = part.slice(1, -1).trim()
  return cells === '' ? [] : [cells]
}
