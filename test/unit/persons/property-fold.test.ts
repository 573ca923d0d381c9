import fc from 'fast-check'
import t from 'tap'
import {
  type ChangeTexts,
  PropertiesError,
  PropertyFold,
  parseProperties,
  propertiesText,
} from '../../../src/persons/property-fold.ts'

const KEYS = ['a', 'b', 'c', '__proto__', 'constructor', '']
const object = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.jsonValue()), { maxLength: 4 })
  .map((entries) => propertiesText(new Map(entries)))
const objectOrEmpty = fc.oneof(fc.constant(''), object)
const change: fc.Arbitrary<ChangeTexts> = fc.record({
  setOnce: objectOrEmpty,
  set: objectOrEmpty,
  unset: fc.array(fc.constantFrom(...KEYS), { maxLength: 2 }),
})

/** The rules as written: once, then set, then unset. */
function applyOne(properties: Map<string, unknown>, { setOnce, set, unset }: ChangeTexts): void {
  for (const [key, value] of parseProperties(setOnce)) {
    if (!properties.has(key)) properties.set(key, value)
  }
  for (const [key, value] of parseProperties(set)) properties.set(key, value)
  for (const key of unset) properties.delete(key)
}

function sorted(properties: Map<string, unknown>): string {
  return propertiesText(new Map([...properties].sort(([a], [b]) => (a < b ? -1 : 1))))
}

t.test('text that is not an object is refused, alone or among others', async (t) => {
  for (const text of ['[1]', '1', 'null', ' {}', 'nonsense']) {
    t.throws(
      () => new PropertyFold().add({ setOnce: '', set: text, unset: [] }),
      PropertiesError,
      text,
    )
  }
  const fold = new PropertyFold()
  fold.add({ setOnce: '', set: '{broken', unset: [] })
  t.throws(() => fold.add({ setOnce: '', set: '{}', unset: [] }), PropertiesError)
})

t.test('a lone change keeps its texts, unread', async (t) => {
  const fold = new PropertyFold()
  const texts = { setOnce: '{"b":1.0}', set: '{"a" : 1e2}', unset: ['c'] }
  fold.add({ setOnce: '', set: '', unset: [] })
  fold.add(texts)
  t.same(fold.texts(), texts)
})

t.test('__proto__ is a property like any other', async (t) => {
  const fold = new PropertyFold()
  fold.add({ setOnce: '', set: '{"__proto__":{"polluted":true}}', unset: [] })
  fold.add({ setOnce: '{"constructor":1}', set: '', unset: [] })
  const properties = new Map<string, unknown>()
  fold.applyTo(properties)
  t.equal(propertiesText(properties), '{"__proto__":{"polluted":true},"constructor":1}')
  t.notOk('polluted' in {})
})

t.test('a value unset and then set once is set', async (t) => {
  const fold = new PropertyFold()
  fold.add({ setOnce: '', set: '', unset: ['a'] })
  fold.add({ setOnce: '{"a":1}', set: '', unset: [] })
  t.same(fold.texts(), { setOnce: '', set: '{"a":1}', unset: [] })
})

t.test('a fold does what its changes do one by one', async (t) => {
  fc.assert(
    fc.property(object, fc.array(change, { maxLength: 6 }), (start, changes) => {
      const fold = new PropertyFold()
      const expected = parseProperties(start)
      for (const each of changes) {
        fold.add(each)
        applyOne(expected, each)
      }
      const viaTexts = parseProperties(start)
      applyOne(viaTexts, fold.texts())
      const direct = parseProperties(start)
      fold.applyTo(direct)
      t.equal(sorted(viaTexts), sorted(expected))
      t.equal(sorted(direct), sorted(expected))
    }),
    { numRuns: 300 },
  )
})
