/** Answers as CSV: RFC 4180, cells as they are. */
import { stringify } from 'csv-stringify/sync'
import type { HttpReply } from '../http/http-server.ts'
import { NO_STORE } from './replies.ts'

/** Of one batch of lines: some milliseconds of work, whatever the number of columns. */
const BATCH_CELLS_MAX = 4_096

export function csvReply(body: HttpReply['body']): HttpReply {
  return { status: 200, headers: [['content-type', 'text/csv; charset=utf-8'], ...NO_STORE], body }
}

/** Lines, each with its end. A cell that is alone on its line is quoted when it is empty. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify([...rows], {
    record_delimiter: '\r\n',
    // Half of it in a cell is a line end to many readers.
    quote_record_delimiter: true,
    quoted_empty: rows[0]?.length === 1,
  })
}

/**
 * The lines of `rows` in batches.
 * @param cellsOf as many cells as there are columns.
 */
export function* csvBatches<Row>(
  rows: readonly Row[],
  columns: number,
  cellsOf: (row: Row) => readonly string[],
): Iterable<Uint8Array> {
  const size = Math.max(1, Math.floor(BATCH_CELLS_MAX / columns))
  for (let at = 0; at < rows.length; at += size) {
    yield Buffer.from(csvLines(rows.slice(at, at + size).map(cellsOf)))
  }
}
