import t from 'tap'
import { createBoundedMap } from '../../../src/core/bounded-map.ts'

t.test('over its bound a map forgets what was used the longest ago', async (t) => {
  const evicted: string[] = []
  const map = createBoundedMap<string, number>({
    entriesMax: 2,
    onEvict: (key, value) => evicted.push(`${key}=${value}`),
  })
  map.set('a', 1)
  map.set('b', 2)
  t.equal(map.get('a'), 1)
  map.set('c', 3)
  t.same(
    [...map.entries()],
    [
      ['a', 1],
      ['c', 3],
    ],
  )
  t.equal(map.peek('a'), 1, 'a look is no use')
  map.set('d', 4)
  t.same(evicted, ['b=2', 'a=1'])
  t.equal(map.get('a'), undefined)
  map.set('c', 5)
  t.equal(map.size, 2, 'another value of one key takes no place')
  t.ok(map.delete('c'))
  map.clear()
  t.equal(map.size, 0)
})
