import fc from 'fast-check'
import t from 'tap'
import { flattenJson, itemsOfList } from '../../../../src/core/json-text/flat-json.ts'
import { codePoint } from '../../../support/code-points.ts'

function cellsOf(json: string): [string, string][] {
  const cells: [string, string][] = []
  flattenJson(json, (path, cell) => cells.push([path, cell]))
  return cells
}

/** The same by way of objects. */
function expectedOf(value: unknown, path = ''): [string, string][] {
  if (value === null) return [[path, '']]
  if (typeof value !== 'object') return [[path, String(value)]]
  const below = path === '' ? '' : `${path}.`
  return Object.entries(value).flatMap(([key, each]) => expectedOf(each, below + key))
}

/** Keys that are numbers come first in an object, and zero has a sign in JSON alone. */
const NUMBER_KEY = /^\d+$/
const key = fc.string({ unit: codePoint }).filter((each) => !NUMBER_KEY.test(each))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(
    fc.string({ unit: codePoint }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
    fc.boolean(),
    fc.constant(null),
  ),
  list: fc.array(tie('tree'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
}))

t.test('every scalar of any JSON is visited with its path, in its order', async () => {
  const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n ')
  fc.assert(
    fc.property(tree, spaces, (value, space) => {
      const json = JSON.stringify(value, null, space)
      const cells = cellsOf(json)
      const expected = expectedOf(JSON.parse(json))
      return JSON.stringify(cells) === JSON.stringify(expected)
    }),
  )
})

t.test('numbers keep their digits, null is empty, what is empty has no cell', async (t) => {
  const json =
    '{"big": 12345678901234567890, "small": 1.50, "e": -1e-7, "n": null, "o": {}, "l": []}'
  t.same(cellsOf(json), [
    ['big', '12345678901234567890'],
    ['small', '1.50'],
    ['e', '-1e-7'],
    ['n', ''],
  ])
  t.same(cellsOf('{"a.b": 1, "a": {"b": [true, {"c": "x"}]}}'), [
    ['a.b', '1'],
    ['a.b.0', 'true'],
    ['a.b.1.c', 'x'],
  ])
  t.same(cellsOf('{"__proto__": {"constructor": 1}}'), [['__proto__.constructor', '1']])
  t.same(cellsOf('{"q\\"\\u00e4": "\\\\ \\ud83d\\ude00"}'), [['q"ä', '\\ 😀']])
  t.same(cellsOf('7'), [['', '7']])
})

t.test('items of a list are cells, lists and objects as they are written', async (t) => {
  t.same(itemsOfList('[ ]'), [])
  t.same(itemsOfList('["a,\\"b", null, 1.0, [1, [2]], {"k": "]"}, true]'), [
    { kind: 'value', text: 'a,"b' },
    { kind: 'null', text: '' },
    { kind: 'value', text: '1.0' },
    { kind: 'list', text: '[1, [2]]' },
    { kind: 'object', text: '{"k": "]"}' },
    { kind: 'value', text: 'true' },
  ])
  t.throws(() => itemsOfList('{}'), SyntaxError)
})

t.test('a text that is cut off is an error, wherever the cut is', async (t) => {
  const json = '{"a": ["x\\n", 1], "b": {"c": "d"}}'
  for (let end = 0; end < json.length; end++) {
    t.throws(() => cellsOf(json.slice(0, end)), SyntaxError, json.slice(0, end))
  }
  for (const wrong of ['{"a" 1}', '{a: 1}', '[1 2]', '[1,]', '{"a": tru}', '1 2', '"\\x"']) {
    t.throws(() => cellsOf(wrong), SyntaxError, wrong)
  }
})

t.test('a large text is read in one go', async (t) => {
  const long = `"${'x'.repeat(1_000)}"`
  const json = `[${Array.from({ length: 20_000 }, () => long).join()}]`
  let count = 0
  flattenJson(json, (_, { length }) => {
    count += length
  })
  t.equal(count, 20_000_000)
})
