/** Replies of CSV. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CellMode, csvLines } from '../../src/wire/csv.ts'
import type { HttpReply } from '../http/http-server.ts'
import { NO_STORE } from './replies.ts'

/** Cells of one batch of lines: a few milliseconds of work for any number of columns. */
const BATCH_CELLS_MAX = 4_096

/** As the query asks for: `raw=1` or `raw=true`. */
export function cellModeOf(query: URLSearchParams): CellMode {
  const asked = query.getAll('raw').at(-1)
  return asked === '1' || asked === 'true' ? 'raw' : 'guarded'
}

export function csvReply(body: HttpReply['body']): HttpReply {
  return { status: 200, headers: [['content-type', 'text/csv; charset=utf-8'], ...NO_STORE], body }
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
