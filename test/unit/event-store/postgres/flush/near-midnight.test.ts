import t from 'tap'
import { midnightNear } from '../../../../../src/event-store/postgres/flush/near-midnight.ts'

t.test('times on both sides of a midnight name the same one', (t) => {
  const midnight = Date.parse('2027-01-01T00:00:00Z')
  const near = [
    '2026-12-31T22:00:00.000000Z',
    '2026-12-31T23:59:59.999999Z',
    '2027-01-01T00:00:00.000000Z',
    '2027-01-01T01:59:59.999999Z',
  ]
  for (const time of near) t.equal(midnightNear(time), midnight, time)
  t.equal(midnightNear('0001-01-01T00:00:00.000000Z'), Date.parse('0001-01-01'))
  t.equal(midnightNear('9999-12-31T23:00:00.000000Z'), Date.parse('+010000-01-01'))
  t.end()
})

t.test('times between are near none', (t) => {
  for (const time of ['02:00:00.000000', '12:30:00.000000', '21:59:59.999999']) {
    t.equal(midnightNear(`2026-12-31T${time}Z`), undefined, time)
  }
  t.end()
})
