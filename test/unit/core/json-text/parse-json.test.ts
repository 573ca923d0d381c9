import fc from 'fast-check'
import t from 'tap'
import { parseJson, parseWithPlainNames } from '../../../../src/core/json-text/parse-json.ts'

t.test('a name with an escape is read as it is written, whatever was read before', async (t) => {
  parseJson('{"h":[],"\\\\":0}')
  t.same(entriesOf(parseJson('{"h":1,"\\"":2}')), [
    ['h', 1],
    ['"', 2],
  ])
  parseJson('{"event":"","\\\\u":0}')
  t.same(entriesOf(parseJson('{"event":"","\\u540d\\u524d":1}')), [
    ['event', ''],
    ['名前', 1],
  ])
})

t.test('plain names change nothing else', async (t) => {
  const texts = [
    '{"a\\u0062":"\\u0063\\n","d":["\\u0041:",{"\\u0065":{}}]}',
    '{"\\u0061":1,"a":2}',
    '{"\\"":1,"b":2,"\\u0022":3}',
    '{"\\u005f_proto__":{"x":1},"constructor":1}',
    '{ "\\t" \n:\r 1 , "5" : 2, "\\u0035x":3 }',
    '{"\\ud800":1,"\\ud83d\\ude00":2,"\\u0000":3,"\\u007f":4,"\\u2028":5}',
    '"\\u0041"',
    '["a\\"", ":"]',
  ]
  for (const text of texts)
    t.same(shapeOf(parseWithPlainNames(text)), shapeOf(JSON.parse(text)), text)
})

t.test('a text that is no JSON stays none', async (t) => {
  for (const text of ['{"\\x":1}', '{"\\u12":1}', '{"a\\', '{"\\n":}', '"\\', '{"\\u0061"', '\\']) {
    t.throws(() => parseWithPlainNames(text), SyntaxError, text)
  }
})

t.test('any JSON is read as it was, with any of its characters escaped', async (t) => {
  const name = fc.string({
    unit: fc.constantFrom('\\', '"', 'u', 'n', '\ud800', '\0', 'é', '_', '5'),
  })
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 1, ':', '\\"', 'x'),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc
      .array(fc.tuple(name, tie('any')), { maxLength: 4 })
      .map((members) => new Map(members)),
  })).object
  fc.assert(
    fc.property(value, fc.boolean(), (given, isAscii) => {
      const text = textOf(given, isAscii)
      t.same(shapeOf(parseWithPlainNames(text)), shapeOf(given))
    }),
    { numRuns: 500 },
  )
})

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(Object(value))
}

/** JSON whose objects are maps, with every character of names as an escape when asked for. */
function textOf(value: unknown, isAscii: boolean): string {
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, isAscii)).join(',')}]`
  if (!(value instanceof Map)) return JSON.stringify(value)
  const members = [...value].map(([name, each]) => {
    const escaped = [...String(name).split('')]
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    return `${isAscii ? `"${escaped}"` : JSON.stringify(name)}:${textOf(each, isAscii)}`
  })
  return `{${members.join(',')}}`
}

/** Objects as lists of members in the order of their names, since `JSON.stringify` sees some twice. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  const members = value instanceof Map ? [...value] : Object.entries(value)
  return {
    members: members
      .map(([name, each]): [string, unknown] => [String(name), shapeOf(each)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}
