import t from 'tap'
import { createShardRowReader } from '../../../../cluster/shards/shard-row-reader.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

t.test('the first read is due at once, however little time passes until it is asked', async (t) => {
  const fake = createFakeClock()
  let time = 0
  // As on a machine: it is later each time that the clock is read.
  const clock = { ...fake, monotonic: () => (time += 0.001) }
  const reader = createShardRowReader({
    store: { list: async () => [] },
    ledger: { apply: () => undefined },
    retry: { notBefore: () => 0, failed: () => undefined, succeeded: () => undefined },
    clock,
    random: () => 0,
  })
  const now = clock.monotonic()
  t.ok(
    now >= reader.dueAt({ release: [], claim: [], ask: [], unread: 256, wanted: 0, unsettled: 0 }),
  )
})
