import t from 'tap'
import type { Second } from '../../../bench/load/report/time-series.ts'
import { servedAsBefore, spanOf } from '../../../bench/overload/spans.ts'

const seconds = (count: number, some: Partial<Second> = {}): Second[] =>
  Array.from({ length: count }, (_, index) => ({
    second: index + 1,
    sent: 10,
    accepted: 10,
    errors: 0,
    shed: 0,
    p50: 5,
    p99: 10,
    ...some,
  }))
const BEFORE = spanOf(seconds(10))

t.test('a span adds up its seconds, and takes the middle one of their percentiles', async (t) => {
  const span = spanOf([
    ...seconds(3),
    ...seconds(1, { shed: 2, p99: 90 }),
    ...seconds(1, { p99: 0 }),
  ])
  t.match(span, { seconds: 5, sent: 50, accepted: 50, shed: 2, errors: 0, p99: 10, p99Worst: 90 })
  t.match(spanOf([]), { seconds: 0, sent: 0, p99: Number.NaN })
  t.ok(Number.isNaN(spanOf(seconds(2, { p99: undefined })).p99))
})

t.test('it is served as before once nothing is shed, wrong or slow for five seconds', async (t) => {
  t.equal(servedAsBefore(seconds(5), BEFORE), 0)
  t.equal(servedAsBefore(seconds(4), BEFORE), undefined)
  const bad: Partial<Second>[] = [{ shed: 1 }, { errors: 1 }]
  for (const some of bad) {
    const after = [...seconds(2, some), ...seconds(1), ...seconds(1, some), ...seconds(9)]
    t.equal(servedAsBefore(after, BEFORE), 4, JSON.stringify(some))
  }
})

t.test(
  'latency may be twice that of before, and a single slow second does not count',
  async (t) => {
    t.equal(servedAsBefore(seconds(5, { p99: 20 }), BEFORE), 0)
    t.equal(servedAsBefore(seconds(9, { p99: 21 }), BEFORE), undefined)
    t.equal(servedAsBefore([...seconds(1, { p99: 500 }), ...seconds(4)], BEFORE), 0)
    t.equal(servedAsBefore([...seconds(8, { p99: 500 }), ...seconds(5)], BEFORE), 6)
  },
)

t.test('seconds without any answer are not as before', async (t) => {
  t.equal(servedAsBefore(seconds(9, { accepted: 0, p99: undefined }), BEFORE), undefined)
})
