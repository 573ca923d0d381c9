import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { createPluginCaches } from '../../../../src/plugins/host/cache.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const SMALL = {
  entriesMax: 3,
  bytesMax: 4_000,
  entryBytesMax: 2_000,
  listMax: 1_000,
  allBytesMax: 6_000,
}

function createCache(bounds?: typeof SMALL) {
  const clock = createFakeClock()
  const caches = createPluginCaches({ clock }, bounds)
  return { clock, caches, cache: caches.of(1, 1) }
}

t.test('values come back as they were set, and not as the plugin changed them since', async (t) => {
  const { cache } = createCache()
  const value = { list: [1] }
  await cache.set('k', value, undefined)
  value.list.push(2)
  t.same(await cache.get('k'), { list: [1] })
  for (const json of [null, false, 0, '', [], { ['__proto__']: 1 }] satisfies Json[]) {
    await cache.set('k', json, undefined)
    t.same(await cache.get('k'), json)
  }
  t.equal(await cache.get('other'), undefined)
})

t.test('plugins and projects do not see each other', async (t) => {
  const { caches, cache } = createCache()
  await cache.set('k', 1, undefined)
  t.equal(await caches.of(1, 1).get('k'), 1)
  t.equal(await caches.of(1, 2).get('k'), undefined)
  t.equal(await caches.of(2, 1).get('k'), undefined)
  t.equal(await caches.of(11, 1).get('k'), undefined)
})

t.test('a key lives for its time by the monotonic clock', async (t) => {
  const { cache, clock } = createCache()
  await cache.set('short', 1, 1.5)
  await cache.set('ever', 1, undefined)
  await cache.set('zero', 1, 0)
  clock.jump(1_000_000_000)
  await clock.advance(1_499)
  t.equal(await cache.get('short'), 1)
  await clock.advance(1)
  t.equal(await cache.get('short'), undefined)
  await clock.advance(10_000_000_000)
  t.equal(await cache.get('ever'), 1)
  t.equal(await cache.get('zero'), 1, 'no time is for ever, as plugins know it')
})

t.test('expire sets the time of a key that is there', async (t) => {
  const { cache, caches, clock } = createCache()
  t.equal(await cache.expire('k', 5), false)
  await cache.set('k', 1, undefined)
  t.equal(await cache.expire('k', 5), true)
  await clock.advance(5_000)
  t.equal(await cache.get('k'), undefined)
  await cache.set('k', 1, undefined)
  t.equal(await cache.expire('k', 0), true)
  t.equal(await cache.get('k'), undefined)
  t.equal(caches.bytes, 0, 'nothing is left of it')
})

t.test('incr counts from 0, keeps the time, and refuses what is no integer', async (t) => {
  const { cache, clock } = createCache()
  t.equal(await cache.incr('n'), 1)
  t.equal(await cache.incr('n'), 2)
  await cache.expire('n', 10)
  await clock.advance(9_000)
  t.equal(await cache.incr('n'), 3)
  await clock.advance(1_000)
  t.equal(await cache.incr('n'), 1)
  for (const value of ['1', 1.5, null, [1], Number.MAX_SAFE_INTEGER] satisfies Json[]) {
    await cache.set('n', value, undefined)
    await t.rejects(cache.incr('n'), { message: 'cache: the value is not an integer' })
  }
})

t.test('a key holds a value or a list, not both', async (t) => {
  const { cache } = createCache()
  await cache.set('value', 1, undefined)
  await cache.lpush('list', [1])
  await t.rejects(cache.get('list'), { message: /holds a list/ })
  await t.rejects(cache.incr('list'), { message: /holds a list/ })
  const calls: Promise<unknown>[] = [
    cache.lpush('value', [1]),
    cache.lrange('value', 0, 1),
    cache.llen('value'),
    cache.lpop('value', 1),
    cache.lrem('value', 0, 1),
  ]
  for (const call of calls) await t.rejects(call, { message: /does not hold a list/ })
  await cache.set('list', 1, undefined)
  t.equal(await cache.get('list'), 1, 'setting replaces either')
})

/** Lists of Redis, by the plainest means. */
function removed(list: readonly number[], count: number, value: number): number[] {
  const kept = count < 0 ? list.toReversed() : [...list]
  for (let left = count === 0 ? list.length : Math.abs(count); left > 0; left--) {
    const at = kept.indexOf(value)
    if (at !== -1) kept.splice(at, 1)
  }
  return count < 0 ? kept.reverse() : kept
}

t.test('lists behave as those of Redis', async (t) => {
  const value = fc.integer({ min: 0, max: 2 })
  const index = fc.integer({ min: -6, max: 6 })
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('push'), values: fc.array(value, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('pop'), count: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant('remove'), count: fc.integer({ min: -2, max: 2 }), value }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(operation), index, index, async (operations, start, stop) => {
      const { cache, caches } = createCache()
      let model: number[] = []
      for (const each of operations) {
        if ('values' in each) {
          model = [...each.values.toReversed(), ...model]
          t.equal(await cache.lpush('k', each.values), model.length)
        } else if ('value' in each) {
          const left = removed(model, each.count, each.value)
          t.equal(await cache.lrem('k', each.count, each.value), model.length - left.length)
          model = left
        } else {
          t.same(await cache.lpop('k', each.count), model.splice(0, each.count))
        }
        t.equal(await cache.llen('k'), model.length)
      }
      t.same(await cache.lrange('k', 0, -1), model)
      const at = (position: number) => (position < 0 ? model.length + position : position)
      const within = model.filter((_, i) => i >= at(start) && i <= at(stop))
      t.same(await cache.lrange('k', start, stop), within)
      t.equal(caches.bytes === 0, model.length === 0, 'an empty list is no key')
    }),
    { numRuns: 50 },
  )
})

t.test('a list keeps the time of its key', async (t) => {
  const { cache, clock } = createCache()
  await cache.lpush('k', [1])
  await cache.expire('k', 10)
  await cache.lpush('k', [2])
  await clock.advance(10_000)
  t.equal(await cache.llen('k'), 0)
})

t.test('a list holds 1,000 items, and refuses more without a change', async (t) => {
  const { cache } = createCache()
  await cache.lpush('k', Array(1_000).fill(0))
  await t.rejects(cache.lpush('k', [1]), { message: 'cache: a list holds at most 1000 items' })
  t.equal(await cache.llen('k'), 1_000)
})

t.test('keys, values and numbers that are out of bounds are refused', async (t) => {
  const { cache, caches } = createCache()
  const keys = { message: 'cache: the key must have 1 to 1024 characters' }
  await t.rejects(cache.get(''), keys)
  await t.rejects(cache.set('k'.repeat(1_025), 1, undefined), keys)
  await t.rejects(cache.set('k', 'x'.repeat(4_194_304), undefined), { message: /larger than/ })
  await t.rejects(cache.set('k', 'x'.repeat(2_097_152), undefined), { message: /at most/ })
  let deep: Json = 1
  for (let level = 0; level < 65; level++) deep = [deep]
  await t.rejects(cache.set('k', deep, undefined), { message: /nests more than 64 levels/ })
  await t.rejects(cache.set('k', 1, -1), { message: /time to live/ })
  await t.rejects(cache.set('k', 1, Number.NaN), { message: /a number/ })
  await t.rejects(cache.lrange('k', 0, Number.POSITIVE_INFINITY), { message: /a number/ })
  t.equal(caches.bytes, 0)
})

t.test('the least recently used entries are forgotten first', async (t) => {
  const { cache } = createCache(SMALL)
  await cache.set('a', 1, undefined)
  await cache.set('b', 1, undefined)
  await cache.set('c', 1, undefined)
  await cache.get('a')
  await cache.set('d', 1, undefined)
  t.equal(await cache.get('b'), undefined)
  for (const key of ['a', 'c', 'd']) t.equal(await cache.get(key), 1, key)
})

t.test('a cache forgets entries over its bytes', async (t) => {
  const { cache, caches } = createCache(SMALL)
  const text = 'x'.repeat(900)
  for (const key of ['a', 'b', 'c']) await cache.set(key, text, undefined)
  t.equal(await cache.get('a'), undefined)
  t.equal(await cache.get('c'), text)
  t.ok(caches.bytes > 3_600 && caches.bytes <= SMALL.bytesMax, `${caches.bytes}`)
})

t.test('over the bytes of all, the least recently used cache is forgotten whole', async (t) => {
  const { caches } = createCache(SMALL)
  const text = 'x'.repeat(900)
  const [first, second, third] = [caches.of(1, 1), caches.of(2, 1), caches.of(3, 1)]
  await first.set('k', text, undefined)
  await second.set('k', text, undefined)
  await first.get('k')
  await third.set('k', text, undefined)
  await third.set('other', text, undefined)
  t.equal(await second.get('k'), undefined)
  t.equal(await first.get('k'), text)
  t.equal(await third.get('k'), text)
  t.ok(caches.bytes <= SMALL.allBytesMax)
})
