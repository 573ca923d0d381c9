import t from 'tap'
import { packEvents } from '../../../src/event-store/outbox/payload.ts'
import { eventsOfRows } from '../../../src/replication/outbox-rows.ts'
import { countTurns } from '../../support/turns.ts'

const COMMITTED = '2026-03-04T05:06:07.123456Z'
const EVENT = {
  ...{ projectId: 1, uuid: '0190C4E2-0000-7000-8000-000000000001', event: 'seen' },
  ...{ distinctId: 'ann', timestamp: COMMITTED, elementsChain: '' },
}

/** A flush of `count` events of 1 KB. */
async function memberOf(count: number) {
  const event = { ...EVENT, properties: JSON.stringify({ text: 'x'.repeat(1_000) }) }
  const { bytes: payload, textBytes } = await packEvents(Array.from({ length: count }, () => event))
  return { payload, textBytes, skipped: [0], committedAt: COMMITTED }
}

t.test('others have their turns while a block is unpacked', async (t) => {
  const members = await Promise.all(Array.from({ length: 40 }, () => memberOf(30)))
  const turns = countTurns()
  const events = await eventsOfRows(members)
  turns.end()
  t.equal(events.length, 40 * 29, 'but for those that are left out')
  t.ok(turns.count() >= 15, `${turns.count()} turns for 40 flushes of 30 KB`)
  t.match(events[0], { uuid: EVENT.uuid.toLowerCase(), createdAt: COMMITTED })
})
