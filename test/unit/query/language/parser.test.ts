import fc from 'fast-check'
import t from 'tap'
import { EXPRESSION_NODES_MAX } from '../../../../src/core/limits/limits-query.ts'
import { EXPRESSION_DEPTH_MAX } from '../../../../src/query/language/cursor.ts'
import { EXPRESSION_CHARS_MAX } from '../../../../src/query/language/expressions.ts'
import {
  parseExpression,
  parseOrderItem,
  parseSelectItem,
} from '../../../../src/query/language/parser.ts'
import type { Expression } from '../../../../src/query/language/tree.ts'
import { codePoint } from '../../../support/code-points.ts'
import { anyExpression, print, withoutPlaces } from '../../../support/query/expressions.ts'

const budget = () => ({ nodes: EXPRESSION_NODES_MAX })
const parse = (text: string) => parseExpression(text, budget())

/** A tree in brackets, operators first. */
function show(tree: Expression): string {
  switch (tree.kind) {
    case 'number':
      return tree.digits
    case 'text':
      return JSON.stringify(tree.value)
    case 'boolean':
      return String(tree.value)
    case 'null':
      return 'null'
    case 'field':
      return tree.path.join('→')
    case 'call':
      return `${tree.name}(${tree.args.map(show).join(' ')})`
    case 'operation':
      return `(${[tree.operator, ...tree.args.map(show)].join(' ')})`
    default:
      return tree satisfies never
  }
}

const shown = (text: string) => {
  const parsed = parse(text)
  return parsed.ok ? show(parsed.value) : `${parsed.error.message} at ${parsed.error.at}`
}

t.test('each production of the grammar', async (t) => {
  const cases: [string, string][] = [
    ['1', '1'],
    ['1.5e-3', '1.5e-3'],
    ["'a'", '"a"'],
    ['"a"', '"a"'],
    ["'it''s'", `"it's"`],
    [String.raw`'it\'s'`, `"it's"`],
    ['"say ""hi"""', String.raw`"say \"hi\""`],
    [String.raw`'100\%'`, String.raw`"100\\%"`],
    [String.raw`'end\\'`, String.raw`"end\\"`],
    ['true', 'true'],
    ['FALSE', 'false'],
    ['Null', 'null'],
    ['event', 'event'],
    ['$x1', '$x1'],
    ['properties.$browser', 'properties→$browser'],
    ['properties."a b"', 'properties→a b'],
    ['properties.`a``b`', 'properties→a`b'],
    [`properties['a']["b"]`, 'properties→a→b'],
    ['properties.and.null', 'properties→and→null'],
    ['f()', 'f()'],
    ['f(1, g(2))', 'f(1 g(2))'],
    ['like(event, 1)', 'like(event 1)'],
    ['ILIKE(event, 1)', 'ilike(event 1)'],
    ['(1)', '1'],
    ['- 1', '(minus 1)'],
    ['- -1', '(minus (minus 1))'],
    ['-a.b * 2', '(* (minus a→b) 2)'],
    ['1 + 2 * 3', '(+ 1 (* 2 3))'],
    ['(1 + 2) * 3', '(* (+ 1 2) 3)'],
    ['1 - 2 - 3', '(- (- 1 2) 3)'],
    ['8 / 4 % 3', '(% (/ 8 4) 3)'],
    ["'a' || 'b' || 'c'", '(|| (|| "a" "b") "c")'],
    ['a = 1', '(= a 1)'],
    ['a == 1', '(= a 1)'],
    ['a != 1', '(!= a 1)'],
    ['a <> 1', '(!= a 1)'],
    ['a < 1', '(< a 1)'],
    ['a <= 1', '(<= a 1)'],
    ['a > 1', '(> a 1)'],
    ['a >= 1 + 1', '(>= a (+ 1 1))'],
    ["a like 'x'", '(like a "x")'],
    ["a NOT LIKE 'x'", '(not like a "x")'],
    ["a ilike 'x'", '(ilike a "x")'],
    ["a not ilike 'x'", '(not ilike a "x")'],
    ['a in (1, 2)', '(in a 1 2)'],
    ['a in [1]', '(in a 1)'],
    ['a not in (1 or 2)', '(not in a (or 1 2))'],
    ['a between 1 and 2 and b', '(and (between a 1 2) b)'],
    ['a not between 1 and 2', '(not between a 1 2)'],
    ['a is null', '(is null a)'],
    ['a IS NOT NULL', '(is not null a)'],
    ['not a = 1', '(not (= a 1))'],
    ['not not a', '(not (not a))'],
    ['a and b or c and not d', '(or (and a b) (and c (not d)))'],
    ['a or b or c', '(or a b c)'],
    ['a and (b or c)', '(and a (or b c))'],
    ['a -- the rest is no part of it', 'a'],
    ['a -- of this line\n + 1', '(+ a 1)'],
    ['1--1', '1'],
    [' \t\n a\r', 'a'],
  ]
  for (const [text, tree] of cases) t.equal(shown(text), tree, text)
})

t.test('each error says where', async (t) => {
  const cases: [string, string][] = [
    ['', 'Expected a value but found the end at 0'],
    ['-- only this', 'Expected a value but found the end at 12'],
    ['1 +', 'Expected a value but found the end at 3'],
    ['1 2', 'Expected the end but found 2 at 2'],
    ['a = 1 = 2', 'Expected the end but found = at 6'],
    ['(1', 'Expected ")" but found the end at 2'],
    ['f(1', 'Expected ")" but found the end at 3'],
    ['f(1,)', 'Expected a value but found ) at 4'],
    ['a in 1', 'Expected "(" but found 1 at 5'],
    ['a in ()', 'Expected a value but found ) at 6'],
    ['a in [1)', 'Expected "]" but found ) at 7'],
    ['a between 1 or 2', 'Expected "and" but found or at 12'],
    ['a is 1', 'Expected "null" but found 1 at 5'],
    ['a not = 1', 'Expected the end but found not at 2'],
    ['and', 'Expected a value but found and at 0'],
    ['like', 'Expected a value but found like at 0'],
    ['a.', 'Expected a key but found the end at 2'],
    ["a.'x'", "Expected a key but found 'x' at 2"],
    ['a.1', 'Expected a key but found 1 at 2'],
    ['a[b]', 'Expected a key in quotes but found b at 2'],
    ['a["b"', 'Expected "]" but found the end at 5'],
    ['`a`', 'Expected a value but found `a` at 0'],
    ["a = 'x", 'Unclosed quote at 4'],
    ["'\\'", 'Unclosed quote at 0'],
    ['a.`b', 'Unclosed quote at 2'],
    ['a ; b', 'Unexpected ";" at 2'],
    ['a & b', 'Unexpected "&" at 2'],
    ['1 + ü', 'Unexpected "ü" at 4'],
    ['😀', 'Unexpected "😀" at 0'],
    ['*', 'Expected a value but found * at 0'],
    ['1e999', 'A number is too large at 0'],
    [`1 + ${'9'.repeat(101)}`, 'A number is too large at 4'],
  ]
  for (const [text, problem] of cases) t.equal(shown(text), problem, text)
})

t.test('items of select and orderBy', async (t) => {
  t.match(parseSelectItem(' * -- all', budget()), { ok: true, value: { kind: 'star', at: 1 } })
  t.match(parseSelectItem('* + 1', budget()), { ok: false, error: { at: 0 } })
  t.match(parseSelectItem('event', budget()), { ok: true, value: { kind: 'field' } })
  t.match(parseOrderItem('- count()', budget()), {
    ok: true,
    value: { descending: true, expression: { kind: 'call', at: 2 } },
  })
  t.match(parseOrderItem('event', budget()), { ok: true, value: { descending: false } })
  t.match(parseOrderItem('event desc', budget()), { ok: false, error: { at: 6 } })
  t.match(parseOrderItem('-', budget()), { ok: false, error: { at: 1 } })
})

t.test('depth and parts are bounded', async (t) => {
  for (const [open, close] of [
    ['(', ')'],
    ['f(', ')'],
    ['- ', ''],
    ['not ', ''],
    ['1 in [', ']'],
  ] as const) {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
    t.ok(parse(nested(EXPRESSION_DEPTH_MAX)).ok, open)
    const deep = parse(nested(EXPRESSION_DEPTH_MAX + 1))
    const at = open.length * (EXPRESSION_DEPTH_MAX + 1)
    t.match(deep, { ok: false, error: { message: /more than 32 levels/, at } }, open)
  }
  const sum = (parts: number) => Array.from({ length: parts }, () => '1').join('+')
  t.ok(parse(sum(EXPRESSION_NODES_MAX / 2)).ok, 'a sum has one part less than twice its terms')
  t.match(parse(sum(EXPRESSION_NODES_MAX / 2 + 1)), { error: { message: /more than 512 parts/ } })
  const shared = budget()
  t.ok(parseExpression(sum(EXPRESSION_NODES_MAX / 2), shared).ok)
  t.ok(parseExpression('1', shared).ok)
  t.notOk(parseExpression('1', shared).ok, 'all expressions of a query have one budget')
})

t.test('any text is a tree or a problem within it', async () => {
  const word = fc.constantFrom(
    ...["'", '"', '`', '\\', '(', ')', '[', ']', ',', '.', '-', '--', '*', '||', '=', '<>', '\n'],
    ...['and', 'or', 'not', 'in', 'is', 'null', 'between', 'like', 'event', 'f(', '1', '1e', '$'],
  )
  const soup = fc.array(word, { maxLength: 300 }).map((words) => words.join(' '))
  const dense = fc.array(word, { maxLength: 300 }).map((words) => words.join(''))
  const long = word.map((text) => text.repeat(EXPRESSION_CHARS_MAX).slice(0, EXPRESSION_CHARS_MAX))
  const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 200 }), soup, dense, long)
  fc.assert(
    fc.property(text, (written) => {
      for (const parsed of [parse(written), parseSelectItem(written, budget())]) {
        if (parsed.ok) continue
        const { at, message } = parsed.error
        if (at < 0 || at > written.length || message === '') return false
      }
      return true
    }),
    { numRuns: 500 },
  )
})

t.test('a tree that is written and read is the same tree', async (t) => {
  fc.assert(
    fc.property(anyExpression, (tree) => {
      const parsed = parse(print(tree))
      if (!parsed.ok) throw new Error(`${print(tree)}: ${parsed.error.message}`)
      return t.strictSame(withoutPlaces(parsed.value), withoutPlaces(tree))
    }),
  )
})
