import fc from 'fast-check'
import t from 'tap'
import { NumberRing } from '../../../../bench/load/ring.ts'
import { createSchedule, OpenModel, TICK_LATE_MS } from '../../../../bench/load/schedule.ts'
import { createPrng } from '../../../../bench/load/workload/prng.ts'

/** An open model on `free` connections whose clock is the test's. */
function openModel(options: { ratePerS: number; free: number; backlogMax: number }) {
  const sent: { intendedAt: number; at: number }[] = []
  const dropped: number[] = []
  const state = { free: options.free }
  const model = new OpenModel(
    {
      schedule: createSchedule(createPrng(1), {
        kind: 'uniform',
        ratePerS: options.ratePerS,
        startMs: 0,
      }),
      trySend: (intendedAt, at) => {
        if (state.free === 0) return false
        state.free--
        sent.push({ intendedAt, at })
        return true
      },
      onDrop: (intendedAt) => dropped.push(intendedAt),
    },
    { backlogMax: options.backlogMax },
  )
  return { model, sent, dropped, state }
}

t.test('a rate must be above zero and finite', async (t) => {
  for (const ratePerS of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    const make = () => createSchedule(createPrng(1), { kind: 'uniform', ratePerS, startMs: 0 })
    t.throws(make, { name: 'InvariantError' })
  }
})

t.test('a full backlog drops arrivals, and finishing drops what still waits', async (t) => {
  const { model, sent, dropped, state } = openModel({ ratePerS: 1000, free: 1, backlogMax: 2 })
  for (let now = 1; now <= 5; now++) model.tick(now)
  t.strictSame(sent, [{ intendedAt: 1, at: 1 }])
  t.strictSame(dropped, [4, 5])
  t.equal(model.backlog, 2)
  state.free = 1
  model.drain(6)
  t.strictSame(sent.at(-1), { intendedAt: 2, at: 6 })
  model.finish()
  t.strictSame(dropped, [4, 5, 3])
  t.strictSame(model.counts, {
    arrivals: 5,
    missedTicks: 0,
    delayed: 4,
    dropped: 3,
    backlogPeak: 2,
  })
})

t.test('an arrival that waited is sent first and keeps its intended moment', async (t) => {
  const { model, sent, state } = openModel({ ratePerS: 1000, free: 0, backlogMax: 100 })
  model.tick(1)
  model.tick(2)
  state.free = 3
  model.tick(3)
  t.strictSame(sent, [
    { intendedAt: 1, at: 3 },
    { intendedAt: 2, at: 3 },
    { intendedAt: 3, at: 3 },
  ])
  t.equal(model.counts.missedTicks, 0, 'waiting for the server is not the generator being late')
})

t.test('a generator that sleeps too long misses ticks, and sends them all the same', async (t) => {
  const { model, sent } = openModel({ ratePerS: 1000, free: 100, backlogMax: 1 })
  model.tick(10)
  t.equal(sent.length, 10)
  t.equal(model.counts.missedTicks, 10 - TICK_LATE_MS - 1)
})

t.test('uniform arrivals keep their rate over any time without drifting', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000 }), (ratePerS) => {
      const schedule = createSchedule(createPrng(1), { kind: 'uniform', ratePerS, startMs: 100 })
      for (let count = 1; count < ratePerS; count++) schedule.advance()
      return Math.abs(schedule.peek() - 1100) < 1e-6
    }),
    { numRuns: 20 },
  )
})

t.test('poisson arrivals have the rate on average and gaps as spread as their mean', async (t) => {
  const schedule = createSchedule(createPrng(5), { kind: 'poisson', ratePerS: 1000, startMs: 0 })
  const gaps: number[] = []
  for (let before = 0; gaps.length < 50_000; schedule.advance()) {
    gaps.push(schedule.peek() - before)
    before = schedule.peek()
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  t.ok(Math.abs(mean - 1) < 0.02, `mean gap ${mean} ms`)
  t.ok(Math.abs(variance - 1) < 0.05, `variance ${variance}`)
  t.ok(gaps.every((gap) => gap >= 0))
})

t.test('a ring gives back in order what it took, up to its bound', async (t) => {
  t.throws(() => new NumberRing(0), { name: 'InvariantError' })
  const ring = new NumberRing(3)
  const expected: number[] = []
  const prng = createPrng(3)
  for (let step = 0; step < 1000; step++) {
    if (prng.below(2) === 0 && !ring.full) {
      ring.push(step)
      expected.push(step)
    } else {
      t.equal(ring.peek(), expected[0])
      t.equal(ring.shift(), expected.shift())
    }
    if (ring.size !== expected.length) t.fail('size differs')
  }
  while (!ring.full) ring.push(0)
  t.throws(() => ring.push(1), { name: 'InvariantError' })
})
