import t from 'tap'
import { edgesOf, LEFT_OUT, type PathRules } from '../../../../src/query/insights/paths/fold.ts'

const MINUTE_US = 60_000_000
const RULES: PathRules = { startPoint: undefined, endPoint: undefined, stepLimit: 5 }
const item = (letter: string | undefined) =>
  letter === undefined ? undefined : letter.charCodeAt(0)

/** The edges of letters at minutes, `a0 b5`: `1ab 5` from a to b in 5 minutes. */
function edges(
  text: string,
  rules: { readonly start?: string; readonly end?: string; readonly stepLimit?: number } = {},
): string {
  const events = text.split(' ').map((word) => ({
    at: Math.round(Number(word.slice(1)) * MINUTE_US),
    item: item(word) ?? 0,
  }))
  const { start, end, stepLimit = RULES.stepLimit } = rules
  const asked = { startPoint: item(start), endPoint: item(end), stepLimit }
  const letter = (code: number) => (code === LEFT_OUT ? '.' : String.fromCharCode(code))
  return edgesOf(events, asked)
    .map(({ step, from, to, time }) => `${step}${letter(from)}${letter(to)} ${time / MINUTE_US}`)
    .join(', ')
}

t.test('a path goes from item to item', async (t) => {
  t.equal(edges('a0 b5 c6'), '1ab 5, 2bc 1')
  t.equal(edges('a0'), '')
  t.equal(edges('a0 b1 a2 b3'), '1ab 1, 2ba 1, 3ab 1')
  t.equal(edges('a0 b1 c2 d3 e4 f5'), '1ab 1, 2bc 1, 3cd 1, 4de 1')
  t.equal(edges('a0 b1 c2', { stepLimit: 2 }), '1ab 1')
})

t.test('repeats in a row are one, and each keeps the path alive', async (t) => {
  t.equal(edges('a0 a1 b2 b3 a4'), '1ab 2, 2ba 2')
  t.equal(edges('a0 a20 a40 b60'), '1ab 60')
})

t.test('a step more than 30 minutes after the last begins a new path', async (t) => {
  t.equal(edges('a0 b30 c60'), '1ab 30, 2bc 30')
  t.match(edges('a0 b30.0001 c31'), /^1bc 0[.]99\d*$/)
  t.equal(edges('a0 b1 b32 c33'), '1ab 1, 1bc 1')
})

t.test('a path from a point, to a point, and between two', async (t) => {
  const text = 'a0 b1 c2 d3 b4 e5 f6'
  t.equal(edges(text, { start: 'b' }), '1bc 1, 2cd 1, 3db 1, 4be 1')
  t.equal(edges(text, { end: 'd' }), '1ab 1, 2bc 1, 3cd 1')
  t.equal(edges(text, { end: 'd', stepLimit: 2 }), '1cd 1', 'the last steps before it')
  t.equal(edges(text, { start: 'c', end: 'b' }), '1cd 1, 2db 1', 'the end is after the start')
  t.equal(edges(text, { start: 'x' }), '')
  t.equal(edges(text, { end: 'x' }), '')
  t.equal(edges(text, { start: 'e', end: 'a' }), '')
})

t.test(
  'a path with both ends that is too long keeps both, and says that it left out some',
  async (t) => {
    const text = 'a0 b1 c2 d3 e4 f5 g6'
    t.equal(edges(text, { start: 'a', end: 'g' }), '1ab 1, 2b. 1, 3.f 3, 4fg 1')
    t.equal(edges(text, { start: 'a', end: 'g', stepLimit: 2 }), '1a. 1')
    t.equal(edges(text, { start: 'a', end: 'e' }), '1ab 1, 2bc 1, 3cd 1, 4de 1')
  },
)
