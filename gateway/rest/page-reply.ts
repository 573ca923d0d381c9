/**
 * Answers with pages. A large one is written row by row, and other work runs in between: the JSON
 * of a page of 10 MB takes some 20 ms, which would block all other requests.
 */
import { randomUUID } from 'node:crypto'
import { afterIo } from '../../src/core/clock.ts'
import { HTTP_REPLY_PIECE_BYTES, PAGE_CHARS_INLINE_MAX } from '../../src/core/limits/limits.ts'
import { JsonText, stringifyJson } from '../../src/wire/proto/json-text.ts'
import { charsOfRow, slicesOf } from '../../src/wire/proto/page-pieces.ts'
import type { HttpReply } from '../http/http-server.ts'
import { jsonReply } from './replies.ts'

/** Marks the place of the rows. Random for each process, so that no caller can send it. */
const ROWS = `rows-${randomUUID()}`

export function pageReply(status: number, page: object): HttpReply {
  const results: unknown = 'results' in page ? page.results : []
  if (results instanceof JsonText && results.text.length > PAGE_CHARS_INLINE_MAX) {
    return { ...jsonReply(status, null), body: piecesOfText(page, results.text) }
  }
  const rows: readonly unknown[] = Array.isArray(results) ? results : []
  const chars = rows.reduce((sum: number, row) => sum + charsOfRow(row), 0)
  if (chars <= PAGE_CHARS_INLINE_MAX) return jsonReply(status, page)
  return { ...jsonReply(status, null), body: piecesOf(page, rows) }
}

/** The bytes of a page whose rows are one text already. */
async function* piecesOfText(page: object, text: string): AsyncGenerator<Uint8Array> {
  const [before, after] = around(page)
  yield Buffer.from(before)
  for (const slice of slicesOf(text, HTTP_REPLY_PIECE_BYTES)) {
    yield Buffer.from(slice)
    await new Promise<void>(afterIo)
  }
  yield Buffer.from(after)
}

/** The bytes that `JSON.stringify` would make of the whole page. */
async function* piecesOf(page: object, rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  const [before, after] = around(page)
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

/** The JSON of a page before and after its rows. */
function around(page: object): readonly [before: string, after: string] {
  const [before = '', after = ''] = stringifyJson({ ...page, results: ROWS }).split(
    JSON.stringify(ROWS),
  )
  return [before, after]
}
