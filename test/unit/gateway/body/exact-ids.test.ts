import fc from 'fast-check'
import t from 'tap'
import { parseContainer } from '../../../../gateway/body/json-text.ts'

function parsed(text: string): unknown {
  const result = parseContainer(text)
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

t.test('an id that is a long number keeps all its digits', async (t) => {
  const long = '12345678901234567890'
  for (const [text, expected] of [
    [`{"distinct_id":${long}}`, { distinct_id: long }],
    [`{"distinct_id" : -9007199254740993 }`, { distinct_id: '-9007199254740993' }],
    [`{"$distinct_id":9007199254740993,"x":1}`, { $distinct_id: '9007199254740993', x: 1 }],
    [`{"properties":{"distinct_id":${long}}}`, { properties: { distinct_id: long } }],
    [`{"properties":{"$anon_distinct_id":${long}}}`, { properties: { $anon_distinct_id: long } }],
    [`{"batch":[{},{"userId":${long}}]}`, { batch: [{}, { userId: long }] }],
    [
      `[{"distinct_id":"a"},{"distinct_id":${long}}]`,
      [{ distinct_id: 'a' }, { distinct_id: long }],
    ],
    [`{"distinct_id":${long},"n":NaN}`, { distinct_id: long, n: null }],
  ] as const) {
    t.same(parsed(text), expected, text)
  }
})

t.test('other numbers, and texts that look like an id, stay as they are', async (t) => {
  const note = '"distinct_id":12345678901234567890,'
  for (const [id, expected] of [
    ['5', 5],
    ['12345678901234567890', '12345678901234567890'],
  ]) {
    const text = `{"distinct_id":${id},"note":${JSON.stringify(note)}}`
    t.same(parsed(text), { distinct_id: expected, note }, text)
  }
  t.same(parsed('{"distinct_id":9007199254740991}'), { distinct_id: 9007199254740991 })
  t.same(parsed('{"distinct_id":1e30}'), { distinct_id: 1e30 })
  t.same(parsed('{"distinct_id":"a","order":12345678901234567890}'), {
    distinct_id: 'a',
    order: Number('12345678901234567890'),
  })
})

t.test('every integer is an id of its own', async () => {
  fc.assert(
    fc.property(fc.bigInt(), (id) => {
      const { distinct_id } = parsed(`{"distinct_id":${id}}`) as { distinct_id: unknown }
      return String(distinct_id) === String(id)
    }),
  )
})
