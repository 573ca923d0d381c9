import t from 'tap'
import { remotePayload } from '../../../../src/flags/local/remote-payload.ts'

const of = (payload: unknown, active = true) =>
  remotePayload({ active, filters: { groups: [], payloads: { true: payload } } })

t.test('the payload of a flag is JSON text, whatever was saved', async (t) => {
  const cases: [saved: unknown, text: string | undefined][] = [
    ['{"a": 1}', '{"a": 1}'],
    ['"text"', '"text"'],
    ['null', 'null'],
    ['12345678901234567890', '12345678901234567890'],
    [' [1] ', ' [1] '],
    ['no quotes', '"no quotes"'],
    ['{"a": ', '"{\\"a\\": "'],
    ['', undefined],
    [' \n', undefined],
    [null, undefined],
    [undefined, undefined],
    [{ a: 1 }, '{"a":1}'],
    [[], '[]'],
    [false, 'false'],
    [0, '0'],
  ]
  for (const [saved, text] of cases) t.equal(of(saved), text, JSON.stringify(saved))
})

t.test('a flag that is switched off has none', async (t) => {
  t.equal(of('1', false), undefined)
  t.equal(of('1', true), '1')
})

t.test('filters of any shape have none, and payloads of variants are not taken', async (t) => {
  const odd: unknown[] = [null, undefined, 5, 'x', [], {}, { payloads: null }, { payloads: ['1'] }]
  for (const filters of odd) t.equal(remotePayload({ active: true, filters }), undefined)
  const variants = { payloads: { one: '1', false: '2', __proto__: { true: '3' } } }
  t.equal(remotePayload({ active: true, filters: variants }), undefined)
})
