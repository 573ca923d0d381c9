import { randomBytes } from 'node:crypto'
import t from 'tap'
import { LOG_MESSAGE_BYTES_MAX } from '../../../../cluster/nats/jetstream-log.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { OUTAGES_TOLD_MS } from '../../../../src/core/logging/outages.ts'
import type { MessageLog } from '../../../../src/core/message-log.ts'
import type { EventBatch } from '../../../../src/events/event-batch.ts'
import { EVENT_BYTES_MAX } from '../../../../src/events/event-size.ts'
import {
  SPILL_COMPRESSION_MAX,
  SPILL_PROBE_MS,
  type SpillBounds,
} from '../../../../src/ingest/spill/spill.ts'
import { decodeSpillMessage } from '../../../../src/ingest/spill/spill-message.ts'
import { createSpillingSink } from '../../../../src/ingest/spill/spilling-sink.ts'
import { StoreError } from '../../../../src/ingest/store-port.ts'
import type { WriterOutcome } from '../../../../src/ingest/writer-port.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { makeEvent } from '../../../support/ingest/ingest-store.ts'

type Put = {
  readonly id: string
  readonly bytes: Uint8Array
  keep(): void
  fail(error: unknown): void
}

const AWAY = new StoreError('unreachable', 'ECONNREFUSED', 'nobody there')
const SILENT = new AppError('unavailable', 'no answer')
const FULL = new AppError('resource_exhausted', 'full')
const UNAVAILABLE: WriterOutcome = { kind: 'unavailable', retryAfterS: 1, cause: AWAY }
const STORED: WriterOutcome = { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 }
const BOUNDS: SpillBounds = { messageBytesMax: 2_000, inflightBytesMax: 10_000 }

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function setUp(bounds: Partial<SpillBounds> = {}) {
  const clock = createFakeClock()
  const puts: Put[] = []
  const state = {
    outcome: UNAVAILABLE,
    isOpen: true,
    connected: true,
    messageBytesMax: 5_000,
    status: () => Promise.resolve({ messages: 0, bytes: 0, bytesMax: 1, oldestAgeMs: 0 }),
    reached: 0,
  }
  const messages: MessageLog = {
    put: (id, bytes) =>
      new Promise((resolve, reject) => {
        puts.push({ id, bytes, keep: resolve, fail: reject })
      }),
    next: async () => undefined,
    connected: () => state.connected,
    messageBytesMax: () => state.messageBytesMax,
    status: () => state.status(),
    close: async () => {},
  }
  let ids = 0
  const writer = {
    submit: async () => state.outcome,
    status: () => ({
      ...{ state: 'down' as const, queuedEvents: 0, queuedBytes: 0, storedEvents: 0 },
      ...{ duplicateEvents: 0, deadLetterEvents: 0, oldestWaitMs: 0, lastError: '' },
      breaker: {
        kind: state.isOpen ? ('open' as const) : ('closed' as const),
        forMs: 0,
        opened: 1,
      },
    }),
  }
  const outcomes: string[] = []
  const deps = {
    ...{ writer, clock, log },
    onOutcome: (outcome: string, events: number) => outcomes.push(`${outcome} ${events}`),
    random: () => 0.5,
    newId: () => `id${++ids}`,
    failpoints: {
      reach: async () => {
        state.reached += 1
      },
    },
  }
  const sink = createSpillingSink({ ...deps, messages }, { ...BOUNDS, ...bounds })
  const without = createSpillingSink({ ...deps, messages: undefined }, BOUNDS)
  const put = (index: number): Put => {
    const found = puts[index]
    if (found === undefined) throw new Error(`no message ${index}`)
    return found
  }
  /** Names of the events of a message, with their projects. */
  const namesOf = (index: number) =>
    decodeSpillMessage(put(index).bytes).map(
      ({ projectId: project, events }) => `${project}: ${events.map((each) => each.event)}`,
    )
  return { clock, namesOf, outcomes, put, puts, sink, state, without }
}

function batch(project: number, names: readonly string[], chars = 0): EventBatch {
  const properties = JSON.stringify({ text: 'x'.repeat(chars) })
  const events = names.map((event) => makeEvent({ event, properties }))
  return { projectId: projectId(project), events, bytes: events.length * (chars + 300) }
}

/** Two events of it fill a message. */
const HALF = 600

t.test('a batch that the store takes or refuses for good is not spilled', async (t) => {
  const { sink, state, puts, outcomes } = setUp()
  state.isOpen = false
  for (const outcome of [
    STORED,
    { kind: 'overloaded', retryAfterS: 1 },
    { kind: 'no_project' },
    { ...UNAVAILABLE, cause: new StoreError('fault', '42P01', 'no table') },
    { ...UNAVAILABLE, cause: new TypeError('defect') },
  ] satisfies WriterOutcome[]) {
    state.outcome = outcome
    t.same(await sink.submit(batch(1, ['a'])), outcome)
  }
  t.equal(puts.length, 0)
  const refused = ['overloaded 1', 'no_project 1', 'unavailable 1', 'unavailable 1']
  t.same(outcomes, ['stored 1', ...refused], 'each is counted')
})

t.test('without a log the word of the writer is final', async (t) => {
  const { without, outcomes } = setUp()
  t.same(await without.submit(batch(1, ['a', 'b'])), UNAVAILABLE)
  t.same(outcomes, ['unavailable 2'])
  t.equal(without.spill(), undefined)
  await without.close()
})

t.test('a log that is not connected refuses at once, for some seconds', async (t) => {
  const { sink, state, puts } = setUp()
  state.connected = false
  t.same(await sink.submit(batch(1, ['a'])), { ...UNAVAILABLE, retryAfterS: 6 })
  t.equal(puts.length, 0)
})

t.test('a full log refuses, and takes again once it is not', async (t) => {
  const { sink, put, puts } = setUp()
  const first = sink.submit(batch(1, ['a']))
  await settle()
  put(0).fail(FULL)
  t.match(await first, { kind: 'unavailable', retryAfterS: 6, cause: FULL })
  t.match(sink.spill(), { isFull: true, spilledEvents: 0, breaker: { kind: 'closed' } })
  t.equal(puts.length, 1, 'asking again would not help')
  const second = sink.submit(batch(1, ['b']))
  await settle()
  put(1).keep()
  t.same(await second, { kind: 'spilled' })
  t.match(sink.spill(), { isFull: false, spilledEvents: 1, inflightBytes: 0 })
})

t.test('batches on their way are bounded, one batch passes whatever its size', async (t) => {
  const { sink, put } = setUp({ inflightBytesMax: 1_000 })
  const first = sink.submit({ ...batch(1, ['a']), bytes: 5_000 })
  t.same(await sink.submit(batch(1, ['b'])), { kind: 'overloaded', retryAfterS: 2 })
  await settle()
  put(0).keep()
  t.same(await first, { kind: 'spilled' })
  const next = sink.submit(batch(1, ['c']))
  await settle()
  put(1).keep()
  t.same(await next, { kind: 'spilled' })
})

t.test('an event that no message can hold is refused before anything of its batch', async (t) => {
  const { sink, puts, state } = setUp()
  const events = [...batch(1, ['a'], 10).events, ...batch(1, ['large'], 6_000).events]
  const { projectId } = batch(1, [])
  state.messageBytesMax = 6_000 / SPILL_COMPRESSION_MAX
  t.match(await sink.submit({ projectId, events, bytes: 7_000 }), { kind: 'unavailable' })
  await settle()
  t.equal(puts.length, 0)
  state.messageBytesMax = 10_000
  const fits = sink.submit({ projectId, events, bytes: 7_000 })
  await settle()
  t.equal(puts.length, 1)
  puts[0]?.keep()
  await settle()
  t.equal(puts.length, 2, 'it travels alone')
  puts[1]?.keep()
  t.same(await fits, { kind: 'spilled' })
})

t.test(
  'an event longer than the log takes is compressed, and refused if that is not enough',
  async (t) => {
    const { sink, puts, put, state } = setUp()
    const large = sink.submit(batch(1, ['large'], 6_000))
    while (puts.length === 0) await settle()
    t.ok(put(0).bytes.length < state.messageBytesMax)
    const [read] = decodeSpillMessage(put(0).bytes)
    t.match(read?.events, [{ event: 'large', properties: /^\{"text":"x{6000}"\}$/ }])
    put(0).keep()
    t.same(await large, { kind: 'spilled' })
    const noise = randomBytes(6_000).toString('base64')
    const event = makeEvent({ event: 'noise', properties: JSON.stringify({ noise }) })
    const refused = sink.submit({ projectId: projectId(1), events: [event], bytes: 8_300 })
    t.match(await refused, { kind: 'unavailable' })
    t.equal(puts.length, 1)
  },
)

t.test('an event of a megabyte fits into what NATS takes by default', async (t) => {
  const { sink, puts, put, state } = setUp()
  state.messageBytesMax = LOG_MESSAGE_BYTES_MAX - 512
  const noise = randomBytes(EVENT_BYTES_MAX).toString('base64').slice(0, EVENT_BYTES_MAX)
  const event = makeEvent({ event: 'e', properties: JSON.stringify({ noise }) })
  const spilled = sink.submit({ projectId: projectId(1), events: [event], bytes: EVENT_BYTES_MAX })
  while (puts.length === 0) await settle()
  t.ok(put(0).bytes.length <= state.messageBytesMax)
  put(0).keep()
  t.same(await spilled, { kind: 'spilled' })
})

t.test('batches of one turn share a message, later ones wait for the next', async (t) => {
  const { sink, put, puts, namesOf, state } = setUp()
  const first = [sink.submit(batch(1, ['a', 'b'])), sink.submit(batch(2, ['c']))]
  await settle()
  t.equal(puts.length, 1)
  t.same(namesOf(0), ['1: a,b', '2: c'])
  const later = [sink.submit(batch(1, ['d'])), sink.submit(batch(1, ['e']))]
  await settle()
  t.equal(puts.length, 1, 'one at a time keeps the order')
  put(0).keep()
  t.same(await Promise.all(first), [{ kind: 'spilled' }, { kind: 'spilled' }])
  t.equal(state.reached, 1)
  await settle()
  t.same(namesOf(1), ['1: d', '1: e'])
  t.not(put(1).id, put(0).id)
  put(1).keep()
  t.same(await Promise.all(later), [{ kind: 'spilled' }, { kind: 'spilled' }])
  t.equal(sink.spill()?.spilledEvents, 5)
})

t.test('a large batch goes in pieces, and is answered after the last one', async (t) => {
  const { sink, put, namesOf } = setUp()
  const small = sink.submit(batch(1, ['a'], HALF))
  let isAnswered = false
  const large = sink.submit(batch(2, ['b', 'c', 'd', 'e'], HALF)).then((outcome) => {
    isAnswered = true
    return outcome
  })
  const last = sink.submit(batch(3, ['f'], HALF))
  await settle()
  t.same(namesOf(0), ['1: a', '2: b'])
  t.ok(put(0).bytes.length <= BOUNDS.messageBytesMax)
  put(0).keep()
  t.same(await small, { kind: 'spilled' })
  await settle()
  t.same(namesOf(1), ['2: c,d'])
  put(1).keep()
  await settle()
  t.notOk(isAnswered)
  t.same(namesOf(2), ['2: e', '3: f'])
  put(2).keep()
  t.same(await Promise.all([large, last]), [{ kind: 'spilled' }, { kind: 'spilled' }])
  t.equal(sink.spill()?.inflightBytes, 0)
})

t.test('a batch of which one piece fails is refused, those behind it are not', async (t) => {
  const { sink, put, namesOf } = setUp()
  const large = sink.submit(batch(2, ['a', 'b', 'c', 'd', 'e'], HALF))
  const other = sink.submit(batch(3, ['f'], HALF))
  await settle()
  put(0).keep()
  await settle()
  t.same(namesOf(1), ['2: c,d'])
  put(1).fail(FULL)
  t.equal((await large).kind, 'unavailable')
  await settle()
  t.same(namesOf(2), ['3: f'], 'what is left of it stays out')
  put(2).keep()
  t.same(await other, { kind: 'spilled' })
  t.equal(sink.spill()?.inflightBytes, 0)
})

t.test('an unknown outcome is tried once more under the same id', async (t) => {
  const { sink, put, puts } = setUp()
  const done = sink.submit(batch(1, ['a']))
  await settle()
  put(0).fail(SILENT)
  await settle()
  t.equal(puts.length, 2)
  t.equal(put(1).id, put(0).id)
  t.strictSame(put(1).bytes, put(0).bytes)
  put(1).keep()
  t.same(await done, { kind: 'spilled' })
  t.equal(sink.spill()?.breaker.opened, 0)
})

t.test('a log that stays silent is left alone until it answers a probe', async (t) => {
  const { sink, put, puts, state, clock } = setUp()
  state.status = () => Promise.reject(SILENT)
  const first = sink.submit(batch(1, ['a']))
  await settle()
  const waiting = sink.submit(batch(1, ['b']))
  put(0).fail(SILENT)
  await settle()
  put(1).fail(SILENT)
  t.match(await first, { kind: 'unavailable', retryAfterS: 6 })
  t.match(await waiting, { kind: 'unavailable', retryAfterS: 6 }, 'nobody waits behind it')
  t.match(sink.spill(), { breaker: { kind: 'open' }, inflightBytes: 0 })
  t.match(await sink.submit(batch(1, ['c'])), { kind: 'unavailable' })
  await clock.advance(3 * SPILL_PROBE_MS)
  t.match(await sink.submit(batch(1, ['d'])), { kind: 'unavailable' })
  t.equal(puts.length, 2, 'clients are not used as probes')
  state.status = () => Promise.resolve({ messages: 0, bytes: 0, bytesMax: 1, oldestAgeMs: 0 })
  await clock.advance(2 * SPILL_PROBE_MS)
  t.equal(sink.spill()?.breaker.kind, 'closed')
  const back = sink.submit(batch(1, ['e']))
  await settle()
  put(2).keep()
  t.same(await back, { kind: 'spilled' })
  await clock.advance(OUTAGES_TOLD_MS)
  t.equal(clock.timers(), 0)
})

t.test('a connection lost meanwhile is not waited for a second time', async (t) => {
  const { sink, put, puts, state } = setUp()
  const done = sink.submit(batch(1, ['a']))
  await settle()
  state.connected = false
  put(0).fail(SILENT)
  t.equal((await done).kind, 'unavailable')
  t.equal(puts.length, 1)
  await sink.close()
})

t.test('a defect refuses its batches and opens nothing', async (t) => {
  const { sink, put } = setUp()
  const done = sink.submit(batch(1, ['a']))
  await settle()
  put(0).fail(new TypeError('defect'))
  t.equal((await done).kind, 'unavailable')
  t.equal(sink.spill()?.breaker.kind, 'closed')
})

t.test('a probe that failed with a defect leaves the way into the spill open', async (t) => {
  const { sink, put, state } = setUp()
  state.outcome = { ...UNAVAILABLE, cause: new StoreError('fault', 'XX000', 'odd answer') }
  const done = sink.submit(batch(1, ['a']))
  await settle()
  put(0).keep()
  t.same(await done, { kind: 'spilled' })
})

t.test('a batch without events needs no message', async (t) => {
  const { sink, puts } = setUp()
  t.same(await sink.submit(batch(1, [])), { kind: 'spilled' })
  await settle()
  t.equal(puts.length, 0)
})

t.test('close waits for what is on its way, and refuses what comes then', async (t) => {
  const { sink, put } = setUp()
  const first = sink.submit(batch(1, ['a']))
  await settle()
  let isClosed = false
  const closed = sink.close().then(() => {
    isClosed = true
  })
  t.equal((await sink.submit(batch(1, ['b']))).kind, 'unavailable')
  await settle()
  t.notOk(isClosed)
  put(0).keep()
  await closed
  t.same(await first, { kind: 'spilled' })
})
