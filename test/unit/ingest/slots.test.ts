import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import { SLOW_FLUSH_MS } from '../../../src/core/limits/limits.ts'
import type { QueuedBatch } from '../../../src/ingest/queue.ts'
import { Slots } from '../../../src/ingest/slots.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function batch(id: number, ordered: boolean): QueuedBatch {
  const events = { projectId: projectId(id), events: [], bytes: 1 }
  return {
    batch: events,
    ordered,
    large: false,
    queuedAt: 0,
    answer: () => undefined,
  }
}

function setUp() {
  const clock = createFakeClock()
  return { clock, slots: new Slots(clock, { slots: 2, joinEventsMin: 100 }) }
}

t.test('a few events wait for the flush under way, a backlog does not', async (t) => {
  const { slots } = setUp()
  t.equal(slots.next(1), 0, 'nothing is under way')
  slots.start(0, [batch(1, false)])
  t.equal(slots.next(99), undefined)
  t.equal(slots.next(100), 1)
  slots.start(1, [batch(1, false)])
  t.equal(slots.next(10_000), undefined, 'every slot is taken')
  slots.end(0)
  t.equal(slots.next(1), undefined)
  slots.end(1)
  t.ok(slots.isIdle)
  t.equal(slots.next(1), 0)
})

t.test('large batches have a slot of their own, and no other', async (t) => {
  const { clock, slots } = setUp()
  t.equal(slots.nextLarge(), 2)
  slots.start(2, [batch(1, false)])
  await clock.advance(SLOW_FLUSH_MS)
  t.equal(slots.nextLarge(), undefined)
  t.notOk(slots.isIdle)
  t.equal(slots.next(1), 0, 'the others go on as if it were not there')
  slots.start(0, [batch(1, false)])
  t.equal(slots.next(1), undefined)
})

t.test('a slow flush is not waited for', async (t) => {
  const { clock, slots } = setUp()
  slots.start(0, [batch(1, false)])
  await clock.advance(SLOW_FLUSH_MS - 1)
  t.equal(slots.next(1), undefined)
  await clock.advance(1)
  t.equal(slots.next(1), 1)
  slots.start(1, [batch(1, false)])
  slots.end(0)
  t.equal(slots.next(1), undefined, 'the one that is left is quick so far')
})

t.test('a project is held while its persons are being changed', async (t) => {
  const { slots } = setUp()
  slots.start(0, [batch(1, true), batch(2, false)])
  t.ok(slots.isHeld(projectId(1)))
  t.notOk(slots.isHeld(projectId(2)))
  slots.end(0)
  t.notOk(slots.isHeld(projectId(1)))
})
