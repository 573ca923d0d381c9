import t from 'tap'
import { createFlushShare } from '../../../src/ingest/flush-share.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

t.test('the share of the time that flushes take, of which the past is forgotten', async (t) => {
  const clock = createFakeClock()
  const share = createFlushShare(clock)
  t.equal(share.now(), 0)
  for (let n = 0; n < 200; n++) {
    await clock.advance(100)
    share.add(30)
  }
  const busy = share.now()
  t.ok(busy > 0.28 && busy < 0.33, `30 of each 100 ms: ${busy}`)
  await clock.advance(2_000)
  t.ok(share.now() < busy / 2, 'less than half two seconds later')
  await clock.advance(60_000)
  t.ok(share.now() < 0.001)
})
