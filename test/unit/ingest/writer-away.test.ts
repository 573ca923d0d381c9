import t from 'tap'
import {
  LARGE_EVENT_BYTES,
  SLOW_FLUSH_MS,
  WRITER_WAIT_MAX_MS,
} from '../../../src/core/limits/limits.ts'
import { WRITER_STALL_MS, WRITER_WATCH_MS } from '../../../src/ingest/flush-watchdog.ts'
import { FLUSH_ATTEMPTS_MAX } from '../../../src/ingest/retry-store.ts'
import { FLUSH_TIME_MS } from '../../../src/ingest/slots.ts'
import { StoreError } from '../../../src/ingest/store-port.ts'
import {
  STORE_GOOD_PINGS_MIN,
  STORE_PROBE_MS,
  STORE_QUIET_MS,
} from '../../../src/ingest/store-watch.ts'
import {
  AWAY,
  BAD_ROW,
  batch,
  CONFLICT,
  SET,
  STORED,
  settle,
  setUp,
} from '../../support/ingest/writer-under-test.ts'

/** One probe with its jitter. */
const PROBE_MS = STORE_PROBE_MS * 1.125

t.test('a store that is away takes the writer down, and probes bring it back', async (t) => {
  const { writer, call, clock, state, pings } = setUp({ slots: 1 })
  state.ping = () => Promise.reject(AWAY)
  const inFlight = writer.submit(batch(1, ['a']))
  await settle()
  const queued = writer.submit(batch(1, ['b']))
  await settle()
  for (let n = 0; n < FLUSH_ATTEMPTS_MAX; n++) {
    call(n).fail(AWAY)
    await settle()
    await clock.advance(250)
    await settle()
  }
  t.equal((await inFlight).kind, 'unavailable')
  t.equal((await queued).kind, 'unavailable', 'nobody is held')
  t.match(writer.status(), { state: 'down', breaker: { kind: 'open', opened: 1 } })
  t.match(writer.status().lastError, /ECONNREFUSED/)
  t.equal((await writer.submit(batch(1, ['c']))).kind, 'unavailable', 'refused at once')
  const before = pings()
  await clock.advance(PROBE_MS * 3)
  t.equal(pings() - before, 3, 'one probe at a time, with jitter')
  state.ping = () => Promise.resolve()
  await clock.advance(PROBE_MS * (STORE_GOOD_PINGS_MIN - 1))
  t.equal(writer.status().state, 'down')
  state.ping = () => Promise.reject(AWAY)
  await clock.advance(PROBE_MS)
  state.ping = () => Promise.resolve()
  await clock.advance(PROBE_MS * (STORE_GOOD_PINGS_MIN - 1))
  t.equal(writer.status().state, 'down', 'good ones count in a row only')
  await clock.advance(PROBE_MS)
  t.match(writer.status(), { state: 'up', lastError: '', breaker: { kind: 'closed' } })
  const back = writer.submit(batch(1, ['d']))
  await settle()
  call(FLUSH_ATTEMPTS_MAX).commit()
  t.same(await back, STORED)
  await writer.close(0)
})

t.test('a store that says nothing is away once the oldest event has waited too long', async (t) => {
  const { writer, clock, calls, call, state } = setUp({ slots: 1 })
  state.ping = () => Promise.reject(AWAY)
  const inFlight = writer.submit(batch(1, ['a']))
  await settle()
  t.equal(WRITER_WAIT_MAX_MS, 1_500, 'as it is promised')
  await clock.advance(1_499)
  const queued = writer.submit(batch(2, ['b']))
  await settle()
  t.equal(writer.status().state, 'up')
  await clock.advance(1)
  await settle()
  t.same(
    (await Promise.all([inFlight, queued])).map(({ kind }) => kind),
    ['unavailable', 'unavailable'],
    'in flight and queued alike, however short the latter has waited',
  )
  t.match(writer.status(), { state: 'down', queuedEvents: 0, oldestWaitMs: 0, storedEvents: 0 })
  t.equal((await writer.submit(batch(1, ['c']))).kind, 'unavailable')
  call(0).commit()
  await settle()
  t.equal(writer.status().storedEvents, 1, 'the late outcome counts')
  t.equal(writer.status().state, 'down', 'and says nothing more: only probes do')
  t.equal(calls.length, 1)
  await writer.close(0)
})

t.test(
  'a store that answers a probe is not away, however slow a flush of one project is',
  async (t) => {
    const { writer, clock, calls, call, pings } = setUp()
    const slow = writer.submit(batch(1, ['slow']))
    await settle()
    await clock.advance(WRITER_WAIT_MAX_MS)
    await settle()
    t.match(await slow, { kind: 'unavailable', cause: { code: 'SLOW' } }, 'who waited is told')
    t.equal(pings(), 1)
    t.match(writer.status(), { state: 'up', breaker: { opened: 0 } })
    const other = writer.submit(batch(2, ['other']))
    await settle()
    t.same(call(1).names, ['other'])
    call(1).commit()
    t.same(await other, STORED, 'nobody else hears of it')
    for (let n = 0; n < FLUSH_ATTEMPTS_MAX; n++) {
      call(0).fail(new StoreError('unreachable', 'TIMEOUT', 'no answer'))
      await settle()
    }
    t.match(writer.status(), { state: 'up', breaker: { opened: 0 } })
    t.equal(calls.length, 2)
    await writer.close(0)
  },
)

t.test('a store that says of itself that it takes no writes is believed', async (t) => {
  const { writer, clock, call, pings } = setUp({ slots: 1 })
  const done = writer.submit(batch(1, ['a']))
  await settle()
  const full = new StoreError('unreachable', '53100', 'disk full', undefined, true)
  for (let n = 0; n < FLUSH_ATTEMPTS_MAX; n++) {
    call(n).fail(full)
    await settle()
    await clock.advance(250)
    await settle()
  }
  t.equal((await done).kind, 'unavailable')
  t.match(writer.status(), { state: 'down', breaker: { opened: 1 } })
  t.equal(pings(), 0)
  await writer.close(0)
})

t.test('large events are flushed apart, and hold up no smaller ones', async (t) => {
  const { writer, call, calls } = setUp({ slots: 1, bytesMax: 1_000_000, flushBytesMax: 500_000 })
  const large = (project: number, name: string) => {
    const { events, ...rest } = batch(project, [name], LARGE_EVENT_BYTES + 1)
    const properties = `{"a":"${'x'.repeat(LARGE_EVENT_BYTES)}"}`
    return { ...rest, events: events.map((event) => ({ ...event, properties })) }
  }
  const first = writer.submit(large(1, 'large 1'))
  const small = writer.submit(batch(2, ['small 1']))
  await settle()
  t.same(calls.map(({ slot, names }) => [slot, ...names]).toSorted(), [
    [0, 'small 1'],
    [1, 'large 1'],
  ])
  const second = writer.submit(large(1, 'large 2'))
  const smaller = writer.submit(batch(2, ['small 2']))
  const plain = calls.findIndex(({ slot }) => slot === 0)
  call(plain).commit()
  t.same(await small, STORED)
  await settle()
  t.same(
    calls.slice(2).map(({ names }) => names),
    [['small 2']],
    'the large ones take turns',
  )
  call(2).commit()
  call(1 - plain).commit()
  t.same([await first, await smaller], [STORED, STORED])
  await settle()
  call(3).commit()
  t.same(await second, STORED)
  await writer.close(0)
})

t.test('a flush that nobody waits for is not tried again and opens nothing', async (t) => {
  const { writer, clock, calls, call } = setUp({ slots: 1 })
  const first = writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  await first
  await clock.advance(PROBE_MS * STORE_GOOD_PINGS_MIN)
  t.equal(writer.status().state, 'up')
  call(0).fail(AWAY)
  await settle()
  await clock.advance(1_000)
  t.equal(calls.length, 1)
  t.match(writer.status(), { state: 'up', lastError: '', breaker: { opened: 0 } })
  const next = writer.submit(batch(1, ['b']))
  await settle()
  call(1).commit()
  t.same(await next, STORED, 'its slot is free again')
  await writer.close(0)
})

t.test('an abandoned flush still holds its project: its changes may be under way', async (t) => {
  const { writer, clock, calls, call } = setUp()
  const first = writer.submit(batch(1, ['a'], 10, SET))
  await settle()
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  await first
  await clock.advance(PROBE_MS * STORE_GOOD_PINGS_MIN)
  const second = writer.submit(batch(1, ['b'], 10, SET))
  const other = writer.submit(batch(2, ['c'], 10, SET))
  await settle()
  await clock.advance(SLOW_FLUSH_MS)
  t.same(call(1).names, ['c'])
  call(1).commit()
  t.same(await other, STORED)
  await clock.advance(WRITER_WATCH_MS)
  t.equal(calls.length, 2)
  call(0).commit()
  await settle()
  t.same(call(2).names, ['b'])
  call(2).commit()
  t.same(await second, STORED)
})

t.test('a store that is behind loses only what has waited too long', async (t) => {
  const { writer, clock, call } = setUp({ slots: 1, flushEventsMax: 1 })
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const second = writer.submit(batch(1, ['b']))
  const overdue = writer.submit(batch(1, ['c']))
  await clock.advance(WRITER_WAIT_MAX_MS - STORE_QUIET_MS)
  const young = writer.submit(batch(2, ['d']))
  await clock.advance(STORE_QUIET_MS - 1)
  call(0).commit()
  t.same(await first, STORED)
  await settle()
  t.same(call(1).names, ['b'])
  await clock.advance(1)
  await settle()
  t.match(await overdue, { kind: 'unavailable', cause: { code: 'BEHIND' } })
  t.match(writer.status(), { state: 'up', queuedEvents: 1 })
  call(1).commit()
  t.same(await second, STORED, 'what is in flight has its chance')
  await settle()
  call(2).commit()
  t.same(await young, STORED)
  t.equal(writer.status().breaker.opened, 0)
  await writer.close(0)
})

t.test('a store that fell silent over a backlog is away', async (t) => {
  const { writer, clock, call, state } = setUp({ slots: 1, flushEventsMax: 1 })
  state.ping = () => Promise.reject(AWAY)
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const second = writer.submit(batch(1, ['b']))
  await clock.advance(WRITER_WAIT_MAX_MS - 1)
  call(0).commit()
  t.same(await first, STORED)
  await settle()
  await clock.advance(1)
  await settle()
  for (let waited = 1; waited < STORE_QUIET_MS; waited += WRITER_WATCH_MS) {
    t.equal(writer.status().state, 'up')
    await clock.advance(WRITER_WATCH_MS)
    await settle()
  }
  t.match(await second, { kind: 'unavailable', cause: { code: 'SLOW' } })
  t.equal(writer.status().state, 'down')
  call(1).commit()
  await writer.close(0)
})

t.test('a flush that begins late has its time, and its events are in one place', async (t) => {
  const { writer, clock, call } = setUp({ slots: 1, flushEventsMax: 1 })
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const late = writer.submit(batch(1, ['b']))
  await clock.advance(WRITER_WAIT_MAX_MS - 1)
  call(0).commit()
  await first
  await settle()
  await clock.advance(FLUSH_TIME_MS - 1)
  await settle()
  call(1).commit()
  t.same(await late, STORED)
  await writer.close(0)
})

t.test('a batch acknowledged before is answered by its flush', async (t) => {
  const { writer, clock, call } = setUp({ slots: 1 })
  const drained = writer.submit({ ...batch(1, ['a']), ackedAtMs: 1 })
  await settle()
  await clock.advance(2 * WRITER_WAIT_MAX_MS)
  await settle()
  call(0).commit()
  t.same(await drained, STORED, 'it need not come again')
  await writer.close(0)
})

t.test('a process that stood still gives the store its time, once', async (t) => {
  let standstillMs = 0
  const { writer, clock, call } = setUp({ slots: 1 }, (real) => ({
    ...real,
    monotonic: () => real.monotonic() + standstillMs,
  }))
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const second = writer.submit(batch(1, ['b']))
  standstillMs = 2 * WRITER_STALL_MS
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  t.equal(writer.status().state, 'up')
  call(0).commit()
  t.same(await first, STORED)
  standstillMs += 60_000
  await clock.advance(2 * WRITER_STALL_MS)
  await settle()
  t.equal((await second).kind, 'unavailable')
  call(1).commit()
  await writer.close(0)
})

t.test('flushes whose outcome is unknown put the caches in doubt before the answer', async (t) => {
  const { writer, clock, call, unknown } = setUp()
  const plain = writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  await plain
  t.equal(unknown(), 0, 'events alone change no person')
  call(0).commit()
  await clock.advance(PROBE_MS * STORE_GOOD_PINGS_MIN)
  for (const failure of [AWAY, new StoreError('fault', '42P01', 'no table'), new Error('defect')]) {
    const { writer, clock, call, unknown } = setUp()
    let doubts = -1
    const done = writer.submit(batch(1, ['a'], 10, SET)).then((outcome) => {
      doubts = unknown()
      return outcome
    })
    await settle()
    await clock.advance(WRITER_WAIT_MAX_MS - 1)
    for (let n = 0; n < FLUSH_ATTEMPTS_MAX && doubts < 0; n++) {
      call(n).fail(failure)
      await settle()
      await clock.advance(1)
      await settle()
    }
    t.equal((await done).kind, 'unavailable')
    t.equal(doubts, 1, 'once')
    await clock.advance(1_000)
    await writer.close(0)
  }
  const late = writer.submit(batch(1, ['b'], 10, SET))
  await settle()
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  t.equal((await late).kind, 'unavailable')
  t.equal(unknown(), 1)
  call(1).fail(AWAY)
  await settle()
  t.equal(unknown(), 2, 'it may have been written since')
  await writer.close(0)
})

t.test('bad rows and lost conflicts are answers of the store', async (t) => {
  for (const failure of [BAD_ROW, CONFLICT]) {
    const { writer, clock, call } = setUp({ slots: 1 })
    const first = writer.submit(batch(1, ['a', 'bad']))
    await settle()
    await clock.advance(WRITER_WAIT_MAX_MS - STORE_QUIET_MS + 1)
    call(0).fail(failure)
    await settle()
    await clock.advance(STORE_QUIET_MS - 1)
    await settle()
    t.equal(writer.status().state, 'up')
    call(1).commit()
    await settle()
    if (failure === BAD_ROW) call(2).commit()
    t.equal((await first).kind, 'stored')
    await writer.close(0)
  }
})

t.test('nothing that waits is nothing to watch', async (t) => {
  const { writer, clock, call } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  t.equal(clock.timers(), 1, 'one timer')
  void writer.submit(batch(2, ['b']))
  await settle()
  call(0).commit()
  call(1).commit()
  await done
  await clock.advance(WRITER_WAIT_MAX_MS)
  await settle()
  t.equal(clock.timers(), 0)
})

t.test(
  'batches left when the writer closes are answered when they have waited too long',
  async (t) => {
    const { writer, clock, call } = setUp({ slots: 1 })
    const first = writer.submit(batch(1, ['a']))
    await settle()
    const second = writer.submit(batch(1, ['b']))
    const closed = writer.close(10_000)
    await clock.advance(WRITER_WAIT_MAX_MS)
    await settle()
    t.same(
      (await Promise.all([first, second])).map(({ kind }) => kind),
      ['unavailable', 'unavailable'],
    )
    call(0).fail(AWAY)
    await closed
    t.equal(writer.status().state, 'closed')
  },
)

t.test('a failure between commit and answer is an unknown outcome', async (t) => {
  const { writer, call, state, unknown } = setUp()
  state.reach = () => Promise.reject(new Error('failpoint'))
  const done = writer.submit(batch(1, ['a'], 10, SET))
  await settle()
  call(0).commit()
  t.equal((await done).kind, 'unavailable')
  t.match(writer.status(), { state: 'up', storedEvents: 1 })
  t.equal(unknown(), 1)
})
