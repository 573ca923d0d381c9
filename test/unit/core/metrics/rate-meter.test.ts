import t from 'tap'
import { createRateMeter } from '../../../../src/core/metrics/rate-meter.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

function setUp() {
  const clock = createFakeClock()
  const state = { count: 100 }
  const meter = createRateMeter(clock, () => state.count)
  return { clock, state, meter }
}

t.test('counts from before the start are no rate, nor is a moment of no length', async (t) => {
  const { clock, meter, state } = setUp()
  t.equal(meter.perSecond(), 0)
  state.count += 5
  t.equal(meter.perSecond(), 0)
  await clock.advance(500)
  t.equal(meter.perSecond(), 10)
})

t.test('only the last ten seconds count', async (t) => {
  const { clock, meter, state } = setUp()
  state.count += 1_000
  await clock.advance(4_000)
  t.equal(meter.perSecond(), 250)
  await clock.advance(6_000)
  t.equal(meter.perSecond(), 100)
  await clock.advance(1_000)
  t.equal(meter.perSecond(), 0)
})

t.test('a process that stood still for longer says what came since it did', async (t) => {
  const { clock, meter, state } = setUp()
  await clock.advance(3_000)
  state.count += 300
  await clock.stall(60_000)
  await clock.advance(1_000)
  state.count += 20
  t.equal(meter.perSecond(), 20)
})

t.test('a meter that is closed reads no more', async (t) => {
  const { clock, meter } = setUp()
  t.equal(clock.timers(), 1)
  meter.close()
  t.equal(clock.timers(), 0)
})
