import t from 'tap'
import { withDeadline, within } from '../../../src/core/deadline.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const BOUND = { ms: 100, what: 'waiting' }

t.test('work that never ends is given up at the deadline', async (t) => {
  const clock = createFakeClock()
  const waiting = withDeadline(clock, BOUND, new Promise<never>(() => {}))
  const failed = t.rejects(waiting, {
    code: 'unavailable',
    message: 'waiting took longer than 100 ms',
  })
  await clock.advance(100)
  await failed
})

t.test('work that ends or fails in time is passed on and leaves no timer', async (t) => {
  const clock = createFakeClock()
  t.equal(await withDeadline(clock, BOUND, Promise.resolve('done')), 'done')
  await t.rejects(withDeadline(clock, BOUND, Promise.reject(new Error('no'))), { message: 'no' })
  t.equal(clock.timers(), 0)
})

t.test('a failure after the deadline bothers nobody', async (t) => {
  const clock = createFakeClock()
  let fail: (error: Error) => void = () => {}
  const work = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const failed = t.rejects(withDeadline(clock, BOUND, work), { code: 'unavailable' })
  await clock.advance(100)
  await failed
  fail(new Error('late'))
  await t.rejects(work, { message: 'late' })
})

t.test('a wait answers what its deadline says, whether or not it keeps the process', async (t) => {
  for (const keepsAlive of [true, false]) {
    const clock = createFakeClock()
    const waiting = within(
      clock,
      { ms: 100, keepsAlive },
      new Promise<never>(() => {}),
      () => 'late',
    )
    await clock.advance(100)
    t.equal(await waiting, 'late')
    const deadline = { ms: 100, keepsAlive }
    t.equal(await within(clock, deadline, Promise.resolve('done'), () => 'late'), 'done')
    t.equal(clock.timers(), 0)
  }
})
