/** Lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */
import { stringify } from 'csv-stringify/sync'

/** First characters of a formula, and those that a spreadsheet passes over on the way to one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Begins as a formula does, and a spreadsheet reads nothing but a number. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * `guarded`: a cell that a spreadsheet would run as a formula begins with `'`, which makes it a
 * text. `raw`: cells are not changed, for programs that read the file.
 */
export type CellMode = 'guarded' | 'raw'

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

function guarded(cell: string): string {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell) ? `'${cell}` : cell
}
