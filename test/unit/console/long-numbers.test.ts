import t from 'tap'
import { exactParse, parsedJson } from '../../../gateway/console/data/json.ts'
import { compileTest } from '../../../src/conditions/decide.ts'
import { parseExact } from '../../../src/core/json-text/exact-numbers.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const LONG = ['9007199254740993', '-9007199254740993', '0.1234567890123456789', '7'.repeat(400)]

t.test('the console reads a long number as the text of its digits', async (t) => {
  for (const number of LONG) {
    t.strictSame(exactParse(`{"a":${number}, "b":[${number} ]}`), { a: number, b: [number] })
    t.equal(parsedJson(number), number)
  }
})

t.test('a filter with that text finds the number that was sent', async (t) => {
  const meter = { now: 0, regexWork: 0, timeDependent: false }
  for (const number of LONG) {
    const { test } = compileTest({ value: exactParse(number) as string }, zoneOf('UTC'))
    t.equal(test(parseExact(number), meter), true, number)
    t.equal(test(Number(number), meter), false, number)
  }
})

t.test('nothing else of JSON changes', async (t) => {
  const texts = [
    '["9007199254740993", "a: 9007199254740993, b", "\\"", 9007199254740992, 1763632800123456]',
    '{"1234567890123456789":"\\\\","x":1.5e300,"y":12345678901234567e2,"z":0.2660950620000003}',
    '[null,true,-0,1e21,{"a":[]}]',
  ]
  for (const text of texts) t.strictSame(exactParse(text), JSON.parse(text), text)
  t.equal(parsedJson('{"a":9007199254740993'), undefined)
})
