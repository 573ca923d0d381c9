import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { createLiveHub } from '../../../../src/events/live/live-hub.ts'
import { createLiveQueue, readLive } from '../../../../src/events/live/live-queue.ts'
import { createLiveFilter } from '../../../../src/manage/live/live-filter.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { makeEvent } from '../../../support/ingest/ingest-store.ts'
import { createGate } from '../../../support/workers/gate.ts'

const PROJECT = projectId(1)
const OTHER = projectId(2)
const ALL = { event: undefined, distinctId: undefined }

function setUp() {
  const clock = createFakeClock()
  const hub = createLiveHub(clock.now)
  const queueOf = (project = PROJECT) => {
    const queue = createLiveQueue(clock, { perSecond: 100, ringMax: 100 })
    hub.watch({ ...ALL, projectId: project }, queue)
    return queue
  }
  const store = (...ids: string[]) => {
    const rows = ids.map((distinctId) => ({ projectId: PROJECT, event: makeEvent({ distinctId }) }))
    hub.stored(rows, () => true)
  }
  const forget = (distinctId: string, project = PROJECT) =>
    hub.forget([{ projectId: project, distinctId, askedAtMs: clock.now() }])
  return { clock, hub, queueOf, store, forget }
}

type Queue = ReturnType<ReturnType<typeof setUp>['queueOf']>

/** All that waits, as a slow reader gets it in the end. */
async function rest(queue: Queue) {
  queue.bye('drain')
  const seen: unknown[] = []
  for await (const { kind, event, dropped } of readLive(queue, () => undefined)) {
    if (kind === 'event') seen.push(event?.distinct_id)
    if (kind === 'dropped') seen.push(dropped)
  }
  return seen
}

t.test('waiting events of a deleted person are dropped, and nothing else', async (t) => {
  const { clock, queueOf, store, forget } = setUp()
  const [slow, other] = [queueOf(), queueOf()]
  store('ann', 'ben', 'ann')
  forget('ben', OTHER)
  await clock.advance(1)
  forget('ann')
  await clock.advance(1)
  store('ann')
  forget('nobody')
  t.strictSame(await rest(slow), [2, 'ben', 'ann'], 'a later one stays')
  t.strictSame(await rest(other), [2, 'ben', 'ann'])
})

t.test('events being looked at are dropped too', async (t) => {
  const { clock, hub, store, forget } = setUp()
  const queue = createLiveQueue(clock, { perSecond: 100, ringMax: 100 })
  const looked = createGate()
  const looking = createGate()
  const { signal } = new AbortController()
  const passing = async (events: readonly { readonly id: string }[]) => {
    looking.open()
    await looked.opened
    return new Set(events.map(({ id }) => id))
  }
  hub.watch({ ...ALL, projectId: PROJECT }, createLiveFilter({ passing, clock, signal }, queue))
  store('ann', 'ben')
  await clock.advance(10_000)
  await looking.opened
  store('ann', 'cat')
  forget('ann')
  looked.open()
  await clock.advance(10_000)
  t.strictSame(await rest(queue), ['ben', 'cat'])
})
