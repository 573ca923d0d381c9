import t from 'tap'
import { backoffMs, halfJitter } from '../../../src/core/backoff.ts'

t.test('a wait doubles with each failure, up to its bound', async (t) => {
  const waits = (maxMs?: number) =>
    [1, 2, 3, 4].map((failures) =>
      backoffMs({ firstMs: 100, ...(maxMs === undefined ? {} : { maxMs }) }, failures),
    )
  t.same(waits(), [100, 200, 400, 800])
  t.same(waits(300), [100, 200, 300, 300])
  t.equal(backoffMs({ firstMs: 100, maxMs: 300 }, 5_000), 300, 'however many there were')
})

t.test('jitter takes up to half of a wait', async (t) => {
  t.equal(
    halfJitter(100, () => 0),
    50,
  )
  t.equal(
    halfJitter(100, () => 0.5),
    75,
  )
})
