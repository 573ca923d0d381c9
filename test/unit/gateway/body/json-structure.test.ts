import t from 'tap'
import {
  exceedsStructure,
  JSON_MEMBERS_MAX,
  JSON_NAMES_MAX,
} from '../../../../gateway/body/json-structure.ts'
import { parseContainer } from '../../../../gateway/body/json-text.ts'
import { stringEnd } from '../../../../src/core/json-text/json-characters.ts'
import { BODY_BYTES_MAX } from '../../../../src/core/limits/limits.ts'

/** Parts of a list, the same or made one by one. */
const repeated = (count: number, part: string | ((at: number) => string)) =>
  typeof part === 'string'
    ? `${part},`.repeat(count).slice(0, -1)
    : Array.from({ length: count }, (_, at) => part(at)).join()

/** A page view as a browser library sends it: 60 properties in some 2,400 bytes. */
function pageView(at: number): string {
  const names = Array.from({ length: 60 }, (_, name) => `$property_${name}`)
  const value = (name: number) => (name % 4 === 0 ? name * at : `https://shop.test/${at}?x=${name}`)
  const properties = Object.fromEntries(names.map((name, index) => [name, value(index)]))
  return JSON.stringify({ event: '$pageview', distinct_id: `u${at}`, properties })
}

t.test('full bodies of real events are within the bounds', async (t) => {
  const views: string[] = []
  for (let bytes = 0; bytes < BODY_BYTES_MAX - 100_000; bytes += views.at(-1)?.length ?? 0) {
    views.push(pageView(views.length))
  }
  const bodies = {
    'page views': `{"api_key":"phc_x","batch":[${views.join()}]}`,
    'the shortest events': `[${repeated(655_000, '{"event":"e","distinct_id":"d"}')}]`,
    'events with one property': `[${repeated(403_000, '{"event":"e","distinct_id":"d","properties":{"a":1}}')}]`,
  }
  for (const [name, text] of Object.entries(bodies)) {
    t.ok(text.length <= BODY_BYTES_MAX + 1_000_000 && text.length > 18_000_000, name)
    t.notOk(exceedsStructure(text), name)
  }
})

t.test('more members than a real body has are refused before they are parsed', async (t) => {
  const crowds = {
    'new names in one object': `{${repeated(200_000, (at) => `"${at.toString(36)}":1`)}}`,
    'new names in small objects': `[${repeated(200_000, (at) => `{"${at.toString(36)}":1}`)}]`,
    'new names after spaces': `{${repeated(200_000, (at) => `"${at.toString(36)}" \n: 1`)}}`,
    'one name again and again': `{${repeated(3_000_000, '"a":1')}}`,
    'one name in one object': `{${repeated(JSON_MEMBERS_MAX + 1, '"":1')}}`,
    'values of a list': `[${repeated(3_000_000, '1')}]`,
    'texts of a list': `[${repeated(3_000_000, '""')}]`,
    containers: `[${repeated(1_000_001, '[]')}]`,
  }
  for (const [name, text] of Object.entries(crowds)) {
    t.ok(exceedsStructure(text), name)
    t.match(parseContainer(text), { error: { code: 'invalid_payload' } }, name)
  }
})

t.test('different names are counted, not texts or values', async (t) => {
  const many = 2 * JSON_NAMES_MAX
  const texts = `{"a":[${repeated(many, (at) => `"${at.toString(36)}"`)}]}`
  const values = `[${repeated(many, (at) => `{"a":"${at.toString(36)}"}`)}]`
  t.notOk(exceedsStructure(texts))
  t.notOk(exceedsStructure(values))
})

t.test('members are counted by object', async (t) => {
  const most = `{${repeated(JSON_MEMBERS_MAX, '"":1')}}`
  t.notOk(exceedsStructure(most))
  t.notOk(exceedsStructure(`{"a":${most},"b":[${most}],"c":{}}`))
  t.ok(exceedsStructure(`{"a":${most.replace('}', ',"a":{},"b":1}')}}`))
})

t.test('a string ends at the first quote that is not escaped', async (t) => {
  for (const text of ['"a"', '""', '"\\\\"', '"\\"b"', '"\\\\\\"x\\\\"']) {
    t.equal(stringEnd(`${text},"y"`, 0), text.length - 1, text)
  }
  t.equal(stringEnd('"a', 0), 2)
  t.equal(stringEnd('"a\\"', 0), 4)
})
