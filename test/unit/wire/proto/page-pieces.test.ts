import t from 'tap'
import { PAGE_CHARS_INLINE_MAX } from '../../../../src/core/limits/limits.ts'
import { isPaged, joinPieces, piecesOf, slicesOf } from '../../../../src/wire/proto/page-pieces.ts'
import { messageType, methodByPath } from '../../../../src/wire/proto/proto.ts'

const METHOD = { rules: { alternatives: ['native'] } }

/** The pieces, and the turns of the event loop that others had meanwhile. */
async function cut(page: object): Promise<{ pieces: readonly object[]; turns: number }> {
  let [turns, isOver] = [0, false]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const pieces: object[] = []
  for await (const piece of piecesOf(METHOD, page)) pieces.push(piece)
  isOver = true
  return { pieces, turns }
}

t.test('a large page is cut between its rows, and joined again', async (t) => {
  const text = 'x'.repeat(PAGE_CHARS_INLINE_MAX / 2)
  const results = Array.from({ length: 9 }, (_, id) => ({ id, text, none: null }))
  const page = { count: 9, results, native: null, pinned_before: 'now' }
  const { pieces, turns } = await cut(page)
  t.equal(pieces.length, 5)
  t.ok(turns >= pieces.length)
  for (const piece of pieces) t.ok(JSON.stringify(piece).length <= 1.1 * PAGE_CHARS_INLINE_MAX)
  t.strictSame(joinPieces(METHOD, pieces), page)
})

t.test('so is a page that is one text, and no character is cut in two', async (t) => {
  const text = `[${'"a😀b",'.repeat(PAGE_CHARS_INLINE_MAX / 2)}]`
  const page = { count: 1, results: [], native: { count: 3, results: text } }
  const { pieces, turns } = await cut(page)
  t.equal(pieces.length, 4)
  t.ok(turns >= pieces.length)
  for (const piece of pieces) {
    t.ok(JSON.stringify(piece).length <= 1.5 * PAGE_CHARS_INLINE_MAX)
    t.notMatch(JSON.stringify(piece), /\\ud[89a-f]/, 'half a character is escaped')
  }
  t.strictSame(joinPieces(METHOD, pieces), page)
  t.strictSame(slicesOf('a😀b', 2), ['a😀', 'b'])
})

t.test('an answer that may be one text is cut, too', async (t) => {
  const method = methodByPath('/sluice.v1.FeatureFlagService/GetFlagDefinitions')
  if (method === undefined) throw new Error('no such method')
  t.ok(isPaged(method))
  const text = '"a😀b",'.repeat(PAGE_CHARS_INLINE_MAX / 2)
  const { fullName } = method.response
  const pieces: object[] = []
  for await (const piece of piecesOf(method, { text })) {
    pieces.push(messageType(fullName).fromObject(piece))
  }
  t.equal(pieces.length, 4)
  t.match(joinPieces(method, pieces), { text })
})

t.test('a small answer is one piece', async (t) => {
  for (const page of [
    { count: 2, results: [{ id: 1 }, { id: 2 }] },
    { count: 0, results: [], native: { count: 0, results: '[]' } },
    {},
  ]) {
    const { pieces } = await cut(page)
    t.strictSame(pieces, [page])
    t.strictSame(joinPieces(METHOD, pieces), page)
  }
})
