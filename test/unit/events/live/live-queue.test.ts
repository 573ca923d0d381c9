import t from 'tap'
import {
  type LiveMessage,
  OPEN,
  revisionMessage,
} from '../../../../src/events/live/live-message.ts'
import { createLiveQueue, readLive } from '../../../../src/events/live/live-queue.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const BOUNDS = { perSecond: 3, ringMax: 4 }

function eventOf(id: string) {
  return {
    ...{ id, event: id, distinct_id: 'd', timestamp: '', stored_at: '' },
    ...{ properties: '{}', elements_chain: '', truncated: false },
  }
}

function shown(message: LiveMessage | undefined): unknown {
  if (message === undefined) return 'end'
  const { kind, event, dropped, revision, reason } = message
  return { event: event?.id, dropped, revision, bye: reason, open: 'open' }[kind]
}

function setUp() {
  const clock = createFakeClock()
  const dropped: number[] = []
  const onDropped = (count: number) => dropped.push(count)
  const queue = createLiveQueue(clock, { ...BOUNDS, onDropped })
  const seen: unknown[] = []
  const read = async () => {
    for await (const message of readLive(queue, () => seen.push('left'))) seen.push(shown(message))
  }
  const offer = (...ids: string[]) => {
    for (const id of ids) queue.offer(eventOf(id))
  }
  return { clock, queue, dropped, seen, offer, read }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

t.test('so many events a second are read, and the oldest make room', async (t) => {
  const { clock, queue, dropped, seen, offer, read } = setUp()
  queue.tell(OPEN)
  offer('1', '2', '3', '4')
  const reading = read()
  await settle()
  t.strictSame(seen.splice(0), ['open', '1', '2', '3'], 'the fourth waits for its second')
  offer('5', '6', '7', '8', '9')
  await settle()
  t.strictSame(seen, [], 'what is dropped is told once a second')
  await clock.advance(1_000)
  await settle()
  t.strictSame(seen.splice(0), [2, '6', '7', '8'])
  t.strictSame(dropped, [1, 1])
  await clock.advance(1_000)
  await settle()
  t.strictSame(seen.splice(0), ['9'])
  queue.bye('renew')
  await reading
  t.strictSame(seen, ['renew', 'left'])
})

t.test('a late reader reads what is left before the bye', async (t) => {
  const { queue, seen, offer, read } = setUp()
  offer('1', '2', '3', '4', '5')
  queue.miss(0)
  queue.tell(revisionMessage(7))
  queue.tell(revisionMessage(8))
  queue.bye('drain')
  offer('6')
  await read()
  t.strictSame(seen, [8, 0, 1, '2', '3', '4', '5', 'drain', 'left'])
})

t.test('a reader that has lost its rights reads nothing of what waits', async (t) => {
  const { queue, seen, offer, read } = setUp()
  offer('1', '2')
  queue.bye('revoked')
  await read()
  t.strictSame(seen, ['revoked', 'left'])
})

t.test('a reader may leave while it waits', async (t) => {
  const { queue, seen } = setUp()
  const messages = readLive(queue, () => seen.push('left'))
  const waiting = messages.next()
  await messages.return?.()
  t.strictSame(await waiting, { done: true, value: undefined })
  t.strictSame(seen, ['left'], 'once')
})
