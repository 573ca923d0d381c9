import fc from 'fast-check'
import t from 'tap'
import { byCodePoint } from '../../../../src/core/order/by-code-point.ts'
import { firstOf } from '../../../../src/core/order/first-of.ts'

t.test('the first are those of all in order, equal ones as they came', async () => {
  const item = fc.record({
    rank: fc.integer({ min: 0, max: 9 }),
    name: fc.string({ maxLength: 1 }),
  })
  type Item = { readonly rank: number; readonly name: string }
  const byRank = (one: Item, other: Item) => other.rank - one.rank
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 200 }),
      fc.integer({ min: 0, max: 12 }),
      (items, limit) => {
        const wanted = items.toSorted(byRank).slice(0, limit)
        const found = firstOf(items, limit, byRank)
        return found.length === wanted.length && found.every((each, at) => each === wanted[at])
      },
    ),
  )
})

t.test('texts are compared by code point, as their bytes are', async (t) => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '\ufffd', '\ue000', '\ud7ff', '🎉', '𐀀', '\0'))
    .map((signs) => signs.join(''))
  fc.assert(
    fc.property(text, fc.oneof(text, fc.string({ unit: 'binary' })), (one, other) => {
      const wanted = Buffer.compare(Buffer.from(one), Buffer.from(other))
      t.equal(Math.sign(byCodePoint(one, other)), wanted)
    }),
  )
})
