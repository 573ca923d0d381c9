/** Writes CSV (RFC 4180) that no spreadsheet takes for formulas. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { HttpReply } from '../http/http-server.ts'
import { NO_STORE } from './replies.ts'

/** Cells of one batch of lines: a few milliseconds of work for any number of columns. */
const BATCH_CELLS_MAX = 4_096

/** First characters of a formula, and those that a spreadsheet passes over on the way to one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Begins as a formula does, and a spreadsheet reads nothing but a number. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * `guarded`: a cell that a spreadsheet would run as a formula begins with `'`, which makes it a
 * text. `raw`: cells are not changed, for programs that read the file.
 */
export type CellMode = 'guarded' | 'raw'

/** As the query asks for: `raw=1` or `raw=true`. */
export function cellModeOf(query: URLSearchParams): CellMode {
  const asked = query.getAll('raw').at(-1)
  return asked === '1' || asked === 'true' ? 'raw' : 'guarded'
}

export function csvReply(body: HttpReply['body']): HttpReply {
  return { status: 200, headers: [['content-type', 'text/csv; charset=utf-8'], ...NO_STORE], body }
}

/** Renders lines with their ends. A line's only cell is quoted when it is empty. */
export function csvLines(rows: readonly (readonly string[])[], mode: CellMode): string {
  return stringify([...rows], {
    // The library's own `escape_formulas` would make texts of negative numbers.
    ...(mode === 'raw' ? {} : { cast: { string: guarded } }),
    record_delimiter: '\r\n',
    // Many readers take a lone CR or LF in a cell for a line end.
    quote_record_delimiter: true,
    quoted_empty: rows[0]?.length === 1,
  })
}

/**
 * The lines of `rows` in batches, each in a turn of its own: a reader that takes them at once would
 * otherwise hold the event loop for all of them.
 * @param cellsOf as many cells as there are columns.
 */
export async function* csvBatches<Row>(
  rows: readonly Row[],
  columns: number,
  cellsOf: (row: Row) => readonly string[],
  mode: CellMode,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.floor(BATCH_CELLS_MAX / columns))
  for (let at = 0; at < rows.length; at += size) {
    if (at > 0) await nextTurn()
    yield Buffer.from(csvLines(rows.slice(at, at + size).map(cellsOf), mode))
  }
}

function guarded(cell: string): string {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell) ? `'${cell}` : cell
}
