/** Refusals leave the event loop to what is taken. */
import t from 'tap'
import { Refusals } from '../../../../gateway/http/refusals.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

t.test(
  'a bounded number is answered each 20 ms, in order, the oldest whatever that is',
  async (t) => {
    const clock = createFakeClock()
    const refusals = new Refusals(clock)
    const told: number[] = []
    for (let at = 0; at < 20_000; at += 1) refusals.hold(() => told.push(at))
    await clock.advance(80)
    t.equal(told.length, 0, 'each waits for a moment')
    await clock.advance(20)
    t.equal(told.length, 100)
    await clock.advance(100)
    t.equal(told.length, 600)
    await clock.advance(1_000)
    t.equal(told.length, 5_600)
    await clock.advance(1_820)
    t.equal(told.length, 20_000, 'none waits for longer than three seconds')
    t.same(
      told,
      Array.from({ length: 20_000 }, (_, at) => at),
    )
  },
)

t.test('one that comes later waits as long', async (t) => {
  const clock = createFakeClock()
  const refusals = new Refusals(clock)
  await clock.advance(500)
  let told = false
  refusals.hold(() => {
    told = true
  })
  await clock.advance(80)
  t.equal(told, false)
  await clock.advance(40)
  t.equal(told, true)
})
