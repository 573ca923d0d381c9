/** Refusals leave the event loop to what is taken. */
import t from 'tap'
import { Refusals } from '../../../../gateway/admission/refusals.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

t.test(
  'a bounded number is answered each 20 ms, in order, the oldest whatever that is',
  async (t) => {
    const clock = createFakeClock()
    const refusals = new Refusals(clock)
    const told: number[] = []
    for (let at = 0; at < 10_000; at += 1) void refusals.hold().then(() => told.push(at))
    await clock.advance(80)
    t.equal(told.length, 0, 'each waits for a moment')
    await clock.advance(20)
    t.equal(told.length, 50)
    await clock.advance(100)
    t.equal(told.length, 300)
    await clock.advance(820)
    t.equal(told.length, 10_000, 'none waits for longer than a second')
    t.same(
      told,
      Array.from({ length: 10_000 }, (_, at) => at),
    )
  },
)

t.test('one that comes later waits as long', async (t) => {
  const clock = createFakeClock()
  const refusals = new Refusals(clock)
  await clock.advance(500)
  let told = false
  void refusals.hold().then(() => {
    told = true
  })
  await clock.advance(80)
  t.equal(told, false)
  await clock.advance(40)
  t.equal(told, true)
})
