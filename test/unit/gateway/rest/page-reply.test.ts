import t from 'tap'
import { pageReply } from '../../../../gateway/rest/page-reply.ts'
import {
  HTTP_REPLY_PIECE_BYTES,
  PAGE_CHARS_INLINE_MAX,
} from '../../../../src/core/limits/limits.ts'
import { JsonText } from '../../../../src/wire/proto/json-text.ts'
import { countTurns } from '../../../support/turns.ts'

/** The pieces of a body, and how many turns of the event loop passed meanwhile. */
async function readBody(body: ReturnType<typeof pageReply>['body']) {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('not in pieces')
  const turns = countTurns()
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  turns.end()
  return { pieces, turns: turns.count(), text: Buffer.concat(pieces).toString() }
}

t.test('a large page is written in pieces, and others get their turn in between', async (t) => {
  const person = JSON.stringify({ name: `"ä😀${'x'.repeat(HTTP_REPLY_PIECE_BYTES)}` })
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, person, none: null }))
  const page = {
    count: 20,
    next: null,
    results: rows,
    data: new JsonText('{"a": 1}'),
    left: undefined,
  }
  const { status, headers, body } = pageReply(200, page)
  t.equal(status, 200)
  t.match(Object.fromEntries(headers ?? []), { 'content-type': 'application/json' })
  const { pieces, turns, text } = await readBody(body)
  const data = '{"a": 1}'
  t.equal(text, JSON.stringify({ ...page, data: 0 }).replace('"data":0', `"data":${data}`))
  t.ok(pieces.length >= rows.length)
  t.ok(turns >= rows.length)
})

t.test('so is one whose rows are one text', async (t) => {
  const text = `[${'"ä😀",'.repeat(PAGE_CHARS_INLINE_MAX)}0]`
  const { body } = pageReply(200, { count: 1, results: new JsonText(text), next: null })
  const read = await readBody(body)
  t.ok(read.text === `{"count":1,"results":${text},"next":null}`)
  t.ok(read.pieces.length > 10)
  t.ok(read.turns >= read.pieces.length - 2)
})

t.test('a small page, or one without rows, is written at once', async (t) => {
  const row = { id: 1, person: 'x'.repeat(PAGE_CHARS_INLINE_MAX) }
  t.equal(
    pageReply(200, { count: 1, results: [row] }).body,
    JSON.stringify({ count: 1, results: [row] }),
  )
  t.equal(pageReply(200, { results: new JsonText('[1]') }).body, '{"results":[1]}')
  t.equal(pageReply(200, {}).body, '{}')
})
