/** Packed events are followed as others are. */
import fc from 'fast-check'
import t from 'tap'
import { eventsOf, packedOf } from '../../../../src/event-store/actor-text.ts'
import { type FunnelRules, follow } from '../../../../src/query/insights/funnels/fold.ts'
import { packedFold } from '../../../../src/query/insights/funnels/fold-packed.ts'

const STEPS_MAX = 4
const FROM_US = 1_700_000_000_000_000

/** Moments that are close, equal now and then, with one step or several each. */
const actor = fc.array(
  fc.record({
    us: fc.integer({ min: 0, max: 60 }),
    mask: fc.oneof(
      {
        weight: 12,
        arbitrary: fc.integer({ min: 0, max: STEPS_MAX - 1 }).map((step) => 1 << step),
      },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** STEPS_MAX - 1 }) },
    ),
  }),
  { maxLength: 14 },
)

t.test('the quick way gives the same paths, one actor after the other', async (t) => {
  let quick = 0
  fc.assert(
    fc.property(
      fc.array(actor, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: STEPS_MAX }),
      fc.integer({ min: 0, max: 60 }),
      (actors, steps, window) => {
        const rules: FunnelRules = { order: 'ordered', steps, window, exclusions: [] }
        const fold = packedFold(rules)
        for (const events of actors) {
          const items = Float64Array.from(events, ({ us, mask }) => us * 2 ** STEPS_MAX + mask)
          const packing = { fromUs: FROM_US, bits: STEPS_MAX }
          const packed = packedOf({ pairs: '', items, packing })
          if (packed === undefined || fold === undefined) throw new Error('it is packed')
          const way = fold.follow(packed)
          if (way === 'several') continue
          quick += 1
          t.strictSame(way, follow(eventsOf({ pairs: '', items, packing }), rules))
        }
      },
    ),
    { numRuns: 2_000 },
  )
  t.ok(quick > 1_000, `${quick} actors`)
})

t.test(
  'one moment with several events, and an event that may be two steps, are left',
  async (t) => {
    const fold = packedFold({ order: 'ordered', steps: 2, window: 9, exclusions: [] })
    const way = (...items: number[]) => {
      const packed = { items: Float64Array.from(items), packing: { fromUs: 0, bits: 2 } }
      return fold?.follow(packed)
    }
    t.strictSame(way(4 + 1, 8 + 2), { times: [1, 2], latestStart: 1 })
    t.equal(way(4 + 1, 4 + 2), 'several')
    t.equal(way(4 + 3), 'several')
    t.equal(way(), undefined)
  },
)

t.test('other rules are left too', async (t) => {
  const rules = { steps: 2, window: 9, exclusions: [] } as const
  t.equal(packedFold({ ...rules, order: 'strict' }), undefined)
  t.equal(packedFold({ ...rules, order: 'unordered' }), undefined)
  t.equal(packedFold({ ...rules, order: 'ordered', exclusions: [{ from: 0, to: 1 }] }), undefined)
})

t.test('few and many events are put in order', async (t) => {
  for (const count of [0, 1, 2, 39, 40, 41, 500]) {
    const numbers = Array.from({ length: count }, (_, index) => (index * 7_919) % 1_009)
    const packing = { fromUs: 0, bits: 1 }
    const packed = packedOf({ pairs: '', items: Float64Array.from(numbers), packing })
    t.strictSame(
      [...(packed?.items ?? [])],
      numbers.toSorted((one, other) => one - other),
    )
  }
})
