import t from 'tap'
import { quietRepeats } from '../../../../src/core/logging/quiet-repeats.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createLogLines } from '../../../support/log-lines.ts'

t.test('a failure is told once, not once a call, and again after a minute', async (t) => {
  const clock = createFakeClock()
  const { log, all } = createLogLines()
  const quiet = quietRepeats(log, clock)
  const error = new Error('the database is away')
  for (let call = 0; call < 5; call++) quiet.warn('call failed', { method: `m${call}`, error })
  t.match(all(), [{ message: 'call failed', method: 'm0' }])
  t.equal(all().length, 1)
  await clock.advance(60_000)
  quiet.warn('call failed', { error })
  t.match(all()[1], { message: 'call failed', repeats: 4 })
})

t.test('another failure, another message and lines without one are told', async (t) => {
  const { log, all } = createLogLines()
  const quiet = quietRepeats(log, createFakeClock())
  quiet.warn('call failed', { error: new Error('one') })
  quiet.warn('call failed', { error: new Error('two') })
  quiet.error('call failed', { error: new Error('one') })
  quiet.warn('flush failed', { error: new Error('one') })
  for (let line = 0; line < 3; line++) quiet.warn('member is removed')
  for (let line = 0; line < 3; line++) quiet.info('note', { error: 'one' })
  t.equal(all().length, 10)
})

t.test('parts of a process share what was told, and memory is bounded', async (t) => {
  const { log, all } = createLogLines()
  const quiet = quietRepeats(log, createFakeClock())
  const error = new Error('away')
  quiet.warn('x', { error })
  quiet.child({ part: 'mail' }).warn('x', { error })
  t.equal(all().length, 1)
  for (let at = 0; at < 300; at++) quiet.warn('x', { error: new Error(String(at)) })
  quiet.warn('x', { error })
  t.equal(all().length, 302, 'forgotten failures are told once more')
})
