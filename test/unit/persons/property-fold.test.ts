import fc from 'fast-check'
import t from 'tap'
import {
  type ChangeTexts,
  NO_CHANGE,
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
  volatile: objectOrEmpty,
  set: objectOrEmpty,
  unset: fc.array(fc.constantFrom(...KEYS), { maxLength: 2 }),
})

/** The rules as written: once, then volatile, then set, then unset. `kept` are names set for good. */
function applyOne(
  properties: Map<string, unknown>,
  { setOnce, volatile, set, unset }: ChangeTexts,
  kept: { readonly set: Set<string>; readonly unset: Set<string> },
): void {
  for (const [key, value] of parseProperties(setOnce)) {
    if (properties.has(key)) continue
    properties.set(key, value)
    if (kept.unset.has(key)) kept.set.add(key)
  }
  for (const [key, value] of parseProperties(volatile)) {
    if (kept.set.has(key)) continue
    properties.set(key, value)
    if (kept.unset.has(key)) kept.set.add(key)
  }
  for (const [key, value] of parseProperties(set)) {
    properties.set(key, value)
    kept.set.add(key)
  }
  for (const key of unset) {
    properties.delete(key)
    kept.set.delete(key)
    kept.unset.add(key)
  }
}

const nothingKept = () => ({ set: new Set<string>(), unset: new Set<string>() })

function sorted(properties: Map<string, unknown>): string {
  return propertiesText(new Map([...properties].sort(([a], [b]) => (a < b ? -1 : 1))))
}

t.test('text that is not an object is refused, alone or among others', async (t) => {
  for (const text of ['[1]', '1', 'null', ' {}', 'nonsense']) {
    t.throws(() => new PropertyFold().add({ ...NO_CHANGE, set: text }), PropertiesError, text)
  }
  const fold = new PropertyFold()
  fold.add({ ...NO_CHANGE, set: '{broken' })
  t.throws(() => fold.add({ ...NO_CHANGE, set: '{}' }), PropertiesError)
})

t.test('a lone change keeps its texts, unread', async (t) => {
  const fold = new PropertyFold()
  const texts = { setOnce: '{"b":1.0}', volatile: '{"d":01}', set: '{"a" : 1e2}', unset: ['c'] }
  fold.add(NO_CHANGE)
  fold.add(texts)
  t.same(fold.texts(), texts)
})

t.test('__proto__ is a property like any other', async (t) => {
  const fold = new PropertyFold()
  fold.add({ ...NO_CHANGE, set: '{"__proto__":{"polluted":true}}' })
  fold.add({ ...NO_CHANGE, setOnce: '{"constructor":1}' })
  const properties = new Map<string, unknown>()
  fold.applyTo(properties)
  t.equal(propertiesText(properties), '{"__proto__":{"polluted":true},"constructor":1}')
  t.notOk('polluted' in {})
})

t.test('a value unset and then set once is set', async (t) => {
  const fold = new PropertyFold()
  fold.add({ ...NO_CHANGE, unset: ['a'] })
  fold.add({ ...NO_CHANGE, setOnce: '{"a":1}' })
  t.same(fold.texts(), { ...NO_CHANGE, set: '{"a":1}' })
})

t.test('a fold does what its changes do one by one', async (t) => {
  fc.assert(
    fc.property(object, fc.array(change, { maxLength: 6 }), (start, changes) => {
      const fold = new PropertyFold()
      const expected = parseProperties(start)
      const kept = nothingKept()
      for (const each of changes) {
        fold.add(each)
        applyOne(expected, each, kept)
      }
      const viaTexts = parseProperties(start)
      applyOne(viaTexts, fold.texts(), nothingKept())
      const direct = parseProperties(start)
      fold.applyTo(direct)
      t.equal(sorted(viaTexts), sorted(expected))
      t.equal(sorted(direct), sorted(expected))
    }),
    { numRuns: 300 },
  )
})
