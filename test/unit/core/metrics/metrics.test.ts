import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import t from 'tap'
import { createMetrics, type Metrics } from '../../../../src/core/metrics/metrics.ts'
import { readValue } from '../../../support/metric-value.ts'

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** On a bound and on both sides of it, with sums that are not exact. */
const TIMES = [0, ...BOUNDS.flatMap((bound) => [bound, bound * 1.1, bound * 0.9]), 0.1, 0.2, 3_600]
const ODD = 'a "quoted"\\ text\nof two lines'

async function ourText(metrics: Metrics): Promise<string> {
  const { body } = await metrics.text()
  return body.slice(body.indexOf('# HELP sluice_'))
}

t.test('the page is what prom-client makes of the same figures', async (t) => {
  const metrics = createMetrics()
  const registry = new Registry()
  const registers = [registry]
  const head = (name: string) => ({ name, help: `Help of ${name}.`, registers })
  const ours = (name: string) => [name, `Help of ${name}.`] as const

  const plain = metrics.counter(...ours('sluice_plain_total'))
  metrics.counter(...ours('sluice_untouched_total'))
  metrics.gauge(...ours('sluice_level'), () => 1.5)
  const pairs = metrics.counters(...ours('sluice_pairs_total'), ['route', 'status'])
  const unused = metrics.counters(...ours('sluice_unused_total'), ['kind'])
  const times = metrics.seconds(...ours('sluice_time_seconds'), ['service'])
  metrics.seconds(...ours('sluice_never_seconds'), ['service']).labels('known, not used')

  const theirPlain = new Counter(head('sluice_plain_total'))
  new Counter(head('sluice_untouched_total'))
  new Gauge(head('sluice_level')).set(1.5)
  const theirPairs = new Counter({ ...head('sluice_pairs_total'), labelNames: ['route', 'status'] })
  const theirUnused = new Counter({ ...head('sluice_unused_total'), labelNames: ['kind'] })
  const shape = { labelNames: ['service'], buckets: BOUNDS }
  const theirTimes = new Histogram({ ...head('sluice_time_seconds'), ...shape })
  new Histogram({ ...head('sluice_never_seconds'), ...shape }).labels('known, not used')

  for (const counter of [plain, theirPlain]) {
    counter.inc()
    counter.inc(41)
  }
  for (const family of [pairs, theirPairs]) {
    family.labels('e', '200').inc()
    family.labels('e', '503').inc(2)
    family.labels('batch', '200').inc(0.5)
    family.labels(ODD, '').inc(3e21)
    family.labels('e', '200').inc(7)
  }
  for (const family of [unused, theirUnused]) {
    family.labels('not used')
    family.labels('of none').inc(0)
  }
  for (const family of [times, theirTimes]) {
    for (const seconds of TIMES) family.labels('A').observe(seconds)
    family.labels(ODD).observe(20)
  }
  t.equal(await ourText(metrics), await registry.metrics())
})

t.test('figures of Node come with ours', async (t) => {
  const metrics = createMetrics()
  metrics.gauge('sluice_level', 'A level.', () => 2)
  const { contentType, body } = await metrics.text()
  t.equal(contentType, 'text/plain; version=0.0.4; charset=utf-8')
  t.match(body, /^process_resident_memory_bytes \d+$/m)
  t.match(body, /\n\n# HELP sluice_level A level\.\n# TYPE sluice_level gauge\nsluice_level 2\n$/)
})

t.test('a gauge is read each time', async (t) => {
  const metrics = createMetrics()
  let level = 0
  metrics.gauge('sluice_level', 'A level.', () => ++level)
  const levels = [
    await readValue(metrics, 'sluice_level'),
    await readValue(metrics, 'sluice_level'),
  ]
  t.same(levels, [1, 2])
})

t.test('the same labels are the same series, a missing or further one is refused', async (t) => {
  const metrics = createMetrics()
  const one = metrics.counters('sluice_one_total', 'One label.', ['kind'])
  const two = metrics.counters('sluice_two_total', 'Two labels.', ['route', 'status'])
  t.equal(one.labels('a'), one.labels('a'))
  t.not(one.labels('a'), one.labels('b'))
  t.equal(two.labels('a', '1'), two.labels('a', '1'))
  t.not(two.labels('a', '1'), two.labels('a', '2'))
  t.throws(() => one.labels('a', '1'), { message: 'each label has a value' })
  t.throws(() => two.labels('a'), { message: 'each label has a value' })
})

t.test('a value that is no count, no time or no new name is refused', async (t) => {
  const metrics = createMetrics()
  const count = metrics.counter('sluice_plain_total', 'A count.')
  for (const by of [-1, Number.NaN]) t.throws(() => count.inc(by), { message: /only rises/ })
  const times = metrics.seconds('sluice_time_seconds', 'A time.', ['service']).labels('A')
  for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => times.observe(seconds), { message: 'a time is a number' })
  }
  t.throws(() => metrics.gauge('sluice_plain_total', 'The same.', () => 1), { message: /once/ })
  t.equal(await readValue(metrics, 'sluice_plain_total'), 0)
  t.equal(await readValue(metrics, 'sluice_time_seconds_count{service="A"}'), undefined)
})
