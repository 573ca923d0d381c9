import t, { type Test } from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { SPILL_ACK_WAIT_MS, SPILL_CLOCK_SKEW_MS } from '../../../../src/core/limits/limits.ts'
import { createLog } from '../../../../src/core/log.ts'
import { BEHIND, SLOW } from '../../../../src/ingest/outcomes.ts'
import {
  createDrainer,
  DRAIN_AWAY_MS,
  DRAIN_PAUSE_MS,
  DRAIN_RETRY_MAX_MS,
  DRAIN_RETRY_MS,
  DRAIN_UNREADABLE_MS,
  DRAIN_WAIT_MS,
  DRAIN_WRITER_WAIT_MAX_MS,
  type DrainerBounds,
} from '../../../../src/ingest/spill/drainer.ts'
import { encodeSpillMessage } from '../../../../src/ingest/spill/spill-message.ts'
import { StoreError } from '../../../../src/ingest/store-port.ts'
import type { WriterOutcome, WriterStatus } from '../../../../src/ingest/writer-port.ts'
import { DRAIN_BYTES_MAX } from '../../../../src/worker/worker-writer.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { makeEvent } from '../../../support/ingest/ingest-store.ts'
import { createMemoryMessageLog } from '../../../support/ingest/memory-message-log.ts'

const STORED: WriterOutcome = { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 }
const GONE: WriterOutcome = { kind: 'no_project' }
const OVERLOADED: WriterOutcome = { kind: 'overloaded', retryAfterS: 1 }
const UNAVAILABLE: WriterOutcome = {
  ...{ kind: 'unavailable', retryAfterS: 1 },
  cause: new StoreError('unreachable', 'ECONNREFUSED', 'nobody there'),
}
const BOUNDS: DrainerBounds = { bytesMax: DRAIN_BYTES_MAX, messagesMax: 4, writerBytesMax: 1_000 }
const UP: WriterStatus = {
  ...{ state: 'up', queuedEvents: 0, queuedBytes: 0, storedEvents: 0, duplicateEvents: 0 },
  ...{ deadLetterEvents: 0, oldestWaitMs: 0, lastError: '' },
  breaker: { kind: 'closed', forMs: 0, opened: 0 },
}

type Submitted = {
  readonly name: string
  readonly ackedAtMs: number | undefined
  answer(outcome: WriterOutcome): void
}

async function setUp(t: Test) {
  const clock = createFakeClock()
  const messages = createMemoryMessageLog(clock, {
    bytesMax: 100_000_000,
    ackWaitMs: SPILL_ACK_WAIT_MS,
  })
  const submitted: Submitted[] = []
  const state = {
    status: UP,
    failpoint: async () => {},
  }
  const lines: { level: string; message: string; sequence?: number }[] = []
  const drainer = createDrainer(
    {
      messages,
      writer: {
        submit: (batch) =>
          new Promise((answer) => {
            const name = batch.events.map((each) => each.event).join()
            submitted.push({ name, ackedAtMs: batch.ackedAtMs, answer })
          }),
        status: () => state.status,
      },
      clock,
      log: createLog({}, { write: (line) => lines.push(JSON.parse(line)) }),
      random: () => 1,
      failpoints: { reach: () => state.failpoint() },
    },
    BOUNDS,
  )
  const abort = new AbortController()
  const running = drainer.run(abort.signal)
  const stop = async () => {
    abort.abort()
    await clock.advance(0)
    await running
  }
  let ids = 0
  /** A message with a batch for each name, of its own project. */
  const put = (names: readonly string[], chars = 0) => {
    const properties = JSON.stringify({ text: 'x'.repeat(chars) })
    const pieces = names.map((name, index) => ({
      projectId: projectId(index + 1),
      events: [makeEvent({ event: name, properties })],
    }))
    return messages.put(`m${++ids}`, encodeSpillMessage(`m${ids}`, pieces))
  }
  t.teardown(stop)
  const names = () => submitted.map(({ name }) => name)
  const answer = async (index: number, outcome: WriterOutcome) => {
    const found = submitted[index]
    if (found === undefined) throw new Error(`nothing submitted at ${index}`)
    found.answer(outcome)
    await clock.advance(0)
  }
  return { answer, clock, drainer, lines, messages, names, put, state, stop, submitted }
}

t.test('a message is acknowledged after its last batch, whatever became of each', async (t) => {
  const { answer, clock, drainer, messages, names, put } = await setUp(t)
  await put(['a', 'b', 'c'])
  await clock.advance(0)
  t.same(names(), ['a', 'b', 'c'])
  await answer(2, STORED)
  await answer(1, GONE)
  t.equal(messages.kept().length, 1)
  t.equal(drainer.status().drainedEvents, 0)
  await answer(0, { kind: 'stored', stored: 0, duplicates: 0, deadLetters: 1 })
  t.equal(messages.kept().length, 0)
  t.match(drainer.status(), { drainedEvents: 3, inflightMessages: 0 })
})

t.test('a message of which one batch failed comes again as a whole', async (t) => {
  const { answer, clock, drainer, messages, names, put } = await setUp(t)
  await put(['a', 'b'])
  for (const [round, outcome] of [UNAVAILABLE, UNAVAILABLE].entries()) {
    await clock.advance(0)
    await answer(2 * round, STORED)
    await answer(2 * round + 1, outcome)
    t.equal(messages.kept().length, 1)
    await clock.advance(DRAIN_RETRY_MS * 2 ** round + DRAIN_WAIT_MS)
  }
  t.same(names(), ['a', 'b', 'a', 'b', 'a', 'b'])
  await answer(4, STORED)
  await answer(5, STORED)
  t.equal(messages.kept().length, 0)
  t.match(drainer.status(), { drainedEvents: 2, redeliveredMessages: 2 })
})

t.test('a batch for which the writer had no time is submitted again, alone', async (t) => {
  const { answer, clock, drainer, names, put, state } = await setUp(t)
  await put(['a', 'b', 'c'])
  await clock.advance(0)
  await answer(0, { ...STORED, duplicates: 1 })
  await answer(1, { kind: 'unavailable', retryAfterS: 1, cause: BEHIND })
  await answer(2, OVERLOADED)
  state.status = { ...UP, oldestWaitMs: DRAIN_WRITER_WAIT_MAX_MS + 1 }
  await clock.advance(SPILL_ACK_WAIT_MS)
  t.same(names(), ['a', 'b', 'c'], 'not while the writer is behind')
  state.status = UP
  await clock.advance(2 * DRAIN_PAUSE_MS)
  t.same(names(), ['a', 'b', 'c', 'b', 'c'])
  await answer(3, { kind: 'unavailable', retryAfterS: 1, cause: SLOW })
  await answer(4, STORED)
  state.status = { ...UP, state: 'down' }
  await clock.advance(2 * DRAIN_PAUSE_MS)
  t.equal(names().length, 5)
  state.status = UP
  await clock.advance(DRAIN_RETRY_MS + DRAIN_WAIT_MS)
  t.equal(names().length, 8, 'handed back to the log when the store was away')
  for (const index of [5, 6, 7]) await answer(index, { ...STORED, duplicates: 1 })
  t.match(drainer.status(), { drainedEvents: 3, repeatedEvents: 3, redeliveredMessages: 1 })
})

t.test('the writer is told when the log took a message', async (t) => {
  const { answer, clock, put, submitted } = await setUp(t)
  const spilledAt = clock.now()
  await put(['a', 'b'])
  await clock.advance(DRAIN_WAIT_MS)
  const since = spilledAt - SPILL_CLOCK_SKEW_MS
  t.same(
    submitted.map(({ ackedAtMs }) => ackedAtMs),
    [since, since],
    'what was deleted since then is not stored, for clocks that disagree',
  )
  for (const index of submitted.keys()) await answer(index, STORED)
})

t.test(
  'a message that keeps failing is tried less and less often, one that only waits is not',
  async (t) => {
    const { answer, clock, names, put, state } = await setUp(t)
    await put(['a'])
    await clock.advance(0)
    for (let tried = 1; tried <= 10; tried++) {
      t.equal(names().length, tried)
      await answer(tried - 1, UNAVAILABLE)
      const delayMs = Math.min(DRAIN_RETRY_MS * 2 ** (tried - 1), DRAIN_RETRY_MAX_MS)
      await clock.advance(delayMs - 1)
      t.equal(names().length, tried, 'not sooner')
      await clock.advance(2)
    }
    state.status = { ...UP, state: 'down' }
    await answer(10, UNAVAILABLE)
    await clock.advance(60 * DRAIN_RETRY_MAX_MS)
    t.equal(names().length, 11, 'nothing is taken while the writer is away')
    state.status = UP
    await clock.advance(2 * DRAIN_PAUSE_MS)
    t.equal(names().length, 12)
    await answer(11, STORED)
  },
)

t.test('the writer is left alone while it has enough to do', async (t) => {
  const { answer, clock, names, put, state } = await setUp(t)
  const busy: readonly Partial<WriterStatus>[] = [
    { state: 'closing' },
    { queuedBytes: 501 },
    { oldestWaitMs: DRAIN_WRITER_WAIT_MAX_MS + 1 },
  ]
  for (const [round, status] of busy.entries()) {
    state.status = { ...UP, ...status }
    await clock.advance(DRAIN_WAIT_MS)
    await put([`m${round}`])
    await clock.advance(10_000)
    t.equal(names().length, round)
    state.status = UP
    await clock.advance(2 * DRAIN_PAUSE_MS)
    t.equal(names().length, round + 1)
    await answer(round, STORED)
  }
})

t.test('two full messages are under way at most, or some small ones', async (t) => {
  const { answer, clock, names, put } = await setUp(t)
  for (const name of ['a', 'b', 'c']) await put([name], 520_000)
  await clock.advance(0)
  t.same(names(), ['a', 'b'])
  await answer(1, STORED)
  t.same(names(), ['a', 'b', 'c'])
  await answer(0, STORED)
  await answer(2, STORED)
  for (const name of ['d', 'e', 'f', 'g', 'h']) await put([name])
  await clock.advance(0)
  t.same(names().slice(3), ['d', 'e', 'f', 'g'])
  await answer(3, STORED)
  t.same(names().slice(7), ['h'])
  for (let n = 4; n < 8; n++) await answer(n, STORED)
})

t.test('work that takes long is not handed to another worker', async (t) => {
  const { answer, clock, drainer, messages, names, put } = await setUp(t)
  await put(['a'])
  await clock.advance(0)
  await clock.advance(3 * SPILL_ACK_WAIT_MS)
  t.same(names(), ['a'])
  t.equal(drainer.status().inflightMessages, 1)
  await answer(0, STORED)
  t.equal(messages.kept().length, 0)
})

t.test('a message that cannot be read stays, is told, and holds up nobody', async (t) => {
  const { answer, clock, drainer, lines, messages, names, put } = await setUp(t)
  await messages.put('bad', new TextEncoder().encode('what is this'))
  await put(['a'])
  await clock.advance(0)
  t.same(names(), ['a'])
  await answer(0, STORED)
  t.equal(messages.kept().length, 1)
  const told = { level: 'error', message: 'spilled message cannot be read', sequence: 1 }
  t.match(lines, [told])
  await clock.advance(DRAIN_UNREADABLE_MS - DRAIN_WAIT_MS)
  t.equal(lines.length, 1)
  await clock.advance(2 * DRAIN_WAIT_MS)
  t.match(lines, [told, told])
  t.match(drainer.status(), { unreadableMessages: 2, drainedEvents: 1 })
})

t.test('a log that is away is waited for, and told once', async (t) => {
  const { answer, clock, lines, messages, names, put } = await setUp(t)
  await put(['a'])
  messages.setConnected(false)
  await clock.advance(20 * DRAIN_AWAY_MS)
  t.match(lines, [{ level: 'warn', message: 'spill cannot be drained' }])
  messages.setConnected(true)
  await clock.advance(2 * DRAIN_AWAY_MS)
  t.same(names(), ['a'])
  await answer(0, STORED)
})

t.test('an acknowledgement that is lost brings the message again', async (t) => {
  const { answer, clock, drainer, lines, messages, names, put } = await setUp(t)
  await put(['a'])
  await clock.advance(0)
  messages.setConnected(false)
  await answer(0, STORED)
  t.match(lines, [{ level: 'warn', message: 'drained message could not be acknowledged' }])
  messages.setConnected(true)
  await clock.advance(SPILL_ACK_WAIT_MS + DRAIN_WAIT_MS)
  t.same(names(), ['a', 'a'])
  await answer(1, { kind: 'stored', stored: 0, duplicates: 1, deadLetters: 0 })
  t.equal(messages.kept().length, 0)
  t.equal(drainer.status().drainedEvents, 1)
})

t.test('a message stored and not yet acknowledged at the stop is delivered again', async (t) => {
  const { answer, clock, messages, names, put, state } = await setUp(t)
  state.failpoint = () => Promise.reject(new Error('failpoint'))
  await put(['a'])
  await clock.advance(0)
  await answer(0, STORED)
  t.equal(messages.kept().length, 1)
  state.failpoint = async () => {}
  await clock.advance(SPILL_ACK_WAIT_MS + DRAIN_WAIT_MS)
  t.same(names(), ['a', 'a'])
  await answer(1, STORED)
  t.equal(messages.kept().length, 0)
})

t.test('an abort ends it once nothing is under way', async (t) => {
  const { answer, clock, messages, put, stop } = await setUp(t)
  await put(['a'])
  await clock.advance(0)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await clock.advance(10)
  t.notOk(isStopped)
  await answer(0, STORED)
  await stopped
  t.equal(messages.kept().length, 0)
  t.equal(clock.timers(), 0)
})
