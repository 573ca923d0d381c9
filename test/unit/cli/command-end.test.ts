import t from 'tap'
import { createStopJudge } from '../../../src/cli/command-end.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

t.test('the signal that npm and the terminal both send is one, a later one forces', async (t) => {
  const clock = createFakeClock()
  const judge = createStopJudge(clock)
  await clock.advance(10_000)
  t.equal(judge(), 'stop')
  t.equal(judge(), 'repeat')
  await clock.advance(500)
  t.equal(judge(), 'repeat', 'until half a second after the first')
  await clock.advance(1)
  t.equal(judge(), 'force')
})
