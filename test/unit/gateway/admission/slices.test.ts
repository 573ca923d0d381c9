/** Captures of one turn of the event loop leave it to others. */
import t from 'tap'
import { Slices } from '../../../../gateway/admission/slices.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

t.test('the first ones run at once, the others in their order in later turns', async (t) => {
  const ran: number[] = []
  const slices = new Slices({ monotonic: () => ran.length })
  for (let at = 0; at < 100; at += 1) {
    void slices.run(() => ran.push(at))
  }
  t.equal(ran.length, 64, 'no more than the requests of a turn')
  await turn()
  t.equal(ran.length, 69, 'then for five milliseconds a turn')
  await turn()
  t.equal(ran.length, 74)
  for (let more = 0; more < 6; more += 1) await turn()
  t.same(
    ran,
    Array.from({ length: 100 }, (_, at) => at),
  )
})

t.test('a failure rejects, now or later', async (t) => {
  const slices = new Slices(createFakeClock())
  const fail = () => {
    throw new Error('a defect')
  }
  t.throws(() => slices.run(fail), /a defect/)
  for (let at = 0; at < 64; at += 1) slices.run(() => at)
  await t.rejects(slices.run(fail) as unknown as Promise<never>, /a defect/)
})
