import t from 'tap'
import { RecentMap } from '../../../../../src/event-store/postgres/flush/recent-map.ts'

t.test('the bound holds, and what is in use stays', async (t) => {
  const map = new RecentMap<number>(10)
  for (let n = 0; n < 1_000; n++) {
    map.set(`k${n}`, n)
    map.set('used', map.get('used') ?? -1)
    t.ok(map.size <= 10)
  }
  t.equal(map.get('used'), -1)
  t.equal(map.get('k999'), 999)
  t.equal(map.get('k0'), undefined)
})

t.test('a bound in bytes counts the cost of keys', async (t) => {
  const map = new RecentMap<true>(100, (key) => key.length)
  for (let n = 0; n < 100; n++) map.set(`${n}`.padStart(20, '0'), true)
  t.ok(map.size <= 5)
  map.set('x'.repeat(1_000), true)
  t.ok(map.size <= 4, 'one larger than the bound pushes the others out')
})

t.test('a key set again is not counted again', async (t) => {
  const map = new RecentMap<number>(4)
  map.set('a', 1)
  for (let n = 0; n < 100; n++) map.set('b', n)
  t.same([map.get('a'), map.get('b')], [1, 99])
})
