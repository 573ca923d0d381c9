/**
 * Answers with pages. A large one is written row by row, and what else there is to do gets its turn
 * in between: the JSON of a page of 10 MB takes some 20 ms, in which nobody else would be served.
 */
import { randomUUID } from 'node:crypto'
import { afterIo } from '../../src/core/clock.ts'
import { HTTP_REPLY_PIECE_BYTES, PAGE_CHARS_INLINE_MAX } from '../../src/core/limits/limits.ts'
import { stringifyJson } from '../../src/wire/proto/json-text.ts'
import type { HttpReply } from '../http/http-server.ts'
import { jsonReply } from './replies.ts'

/** Marks the place of the rows. Random for each process, so that no caller can send it. */
const ROWS = `rows-${randomUUID()}`

export function pageReply(status: number, page: object): HttpReply {
  const rows = 'results' in page && Array.isArray(page.results) ? page.results : []
  if (charsOf(rows) <= PAGE_CHARS_INLINE_MAX) return jsonReply(status, page)
  return { ...jsonReply(status, null), body: piecesOf(page, rows) }
}

/** Of the texts that rows hold themselves: other members are small. */
function charsOf(rows: readonly unknown[]): number {
  let chars = 0
  for (const row of rows) {
    for (const value of Object.values(Object(row))) {
      if (typeof value === 'string') chars += value.length
    }
  }
  return chars
}

/** The bytes that `JSON.stringify` would make of the whole page. */
async function* piecesOf(page: object, rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  const around = stringifyJson({ ...page, results: ROWS })
  const [before = '', after = ''] = around.split(JSON.stringify(ROWS))
  let piece = `${before}[`
  for (const [index, row] of rows.entries()) {
    piece += `${index === 0 ? '' : ','}${stringifyJson(row)}`
    if (piece.length < HTTP_REPLY_PIECE_BYTES) continue
    yield Buffer.from(piece)
    piece = ''
    await new Promise<void>(afterIo)
  }
  yield Buffer.from(`${piece}]${after}`)
}
