import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import { organizationId } from '../../../src/core/ids.ts'
import {
  EVENT_SCANS_CONNECTIONS,
  EVENT_SCANS_WAIT_MS,
} from '../../../src/core/limits/limits-query.ts'
import {
  createQueryLimiter,
  EVENT_SCANS_BURST_MS,
  EVENT_SCANS_MEBIBYTE_MS,
  EVENT_SCANS_RUNNING_MAX,
  EVENT_SCANS_SHARE,
  EVENT_SCANS_WAITING_MAX,
  type Scans,
} from '../../../src/query/query-limiter.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'

const never = () => new AbortController().signal

/** Work that ends when told. */
function work() {
  let started = false
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const run = async () => {
    started = true
    await ended
  }
  return { run, end: () => end(), isStarted: () => started }
}

/** Work that takes so long by the fake clock. */
function busyFor(clock: FakeClock, ms: number) {
  return async () => {
    await clock.advance(ms)
  }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

/** The turns of some organizations of one worker. */
function turns() {
  const clock = createFakeClock()
  const gate = createQueryLimiter(clock)
  return { clock, of: (name: string) => gate.of(organizationId(name)) }
}

function begin(scans: Scans, count: number) {
  const works = Array.from({ length: count }, work)
  const calls = works.map(({ run }) => scans.run(never(), run))
  return {
    works,
    started: () => works.filter((each) => each.isStarted()).length,
    async end() {
      for (const { end } of works) end()
      await Promise.all(calls)
    },
  }
}

t.test('past its bounds an organization is refused, and others are not', async (t) => {
  const { of } = turns()
  const busy = begin(of('a'), EVENT_SCANS_RUNNING_MAX + EVENT_SCANS_WAITING_MAX)
  t.equal(busy.started(), EVENT_SCANS_RUNNING_MAX)
  t.equal(await codeOf(of('a').run(never(), async () => undefined)), 'resource_exhausted')
  t.equal(await of('b').run(never(), async () => 'other'), 'other')
  await busy.end()
  t.equal(await of('a').run(never(), async () => 'again'), 'again')
})

t.test('no more run than there are connections, and organizations take turns', async (t) => {
  const { of } = turns()
  const each = EVENT_SCANS_RUNNING_MAX
  const names = Array.from(
    { length: EVENT_SCANS_CONNECTIONS / each },
    (_, index) => `busy ${index}`,
  )
  const busy = names.map((name) => begin(of(name), each + EVENT_SCANS_WAITING_MAX))
  const running = () => busy.reduce((all, { started }) => all + started(), 0)
  t.equal(running(), EVENT_SCANS_CONNECTIONS)
  const late = begin(of('late'), 1)
  t.equal(late.started(), 0)
  // One place that is free goes to the one who waits longest for a connection.
  busy[0]?.works[0]?.end()
  await new Promise(setImmediate)
  t.equal(late.started(), 1)
  t.equal(running(), EVENT_SCANS_CONNECTIONS, 'its next one waits for the next place')
  await Promise.all([late, ...busy].map(({ end }) => end()))
})

t.test('a caller that has waited for too long learns when to try again', async (t) => {
  const { of, clock } = turns()
  const busy = begin(of('a'), EVENT_SCANS_RUNNING_MAX)
  const gone = work()
  const waiting = of('a').run(never(), gone.run)
  const refused = t.rejects(waiting, {
    code: 'resource_exhausted',
    detail: { code: 'throttled', retryAfterS: 2 },
  })
  await clock.advance(EVENT_SCANS_WAIT_MS)
  await refused
  await busy.end()
  t.notOk(gone.isStarted())
  const slow = work()
  const call = of('b').run(never(), slow.run)
  await clock.advance(2 * EVENT_SCANS_WAIT_MS)
  slow.end()
  t.equal(await codeOf(call), 'done', 'what runs is not cut')
})

t.test('a caller that goes while it waits gives its place up', async (t) => {
  const { of } = turns()
  const busy = begin(of('a'), EVENT_SCANS_RUNNING_MAX)
  const abort = new AbortController()
  const gone = work()
  const waiting = codeOf(of('a').run(abort.signal, gone.run))
  const next = of('a').run(never(), async () => 'next')
  abort.abort()
  t.equal(await waiting, 'cancelled')
  t.equal(await codeOf(of('a').run(AbortSignal.abort(), gone.run)), 'cancelled')
  await busy.end()
  t.equal(await next, 'next')
  t.notOk(gone.isStarted())
})

t.test('work that fails hands its place on', async (t) => {
  const { of } = turns()
  const failing = () => Promise.reject(new AppError('unavailable', 'x'))
  for (let call = 0; call < 3 * EVENT_SCANS_CONNECTIONS; call++) {
    t.equal(await codeOf(of('a').run(never(), failing)), 'unavailable')
  }
  t.equal(await of('a').run(never(), async () => 'next'), 'next')
})

t.test(
  'an organization pays for the time of its queries with pauses, and nobody else does',
  async (t) => {
    const { of, clock } = turns()
    const owed = 1_000
    await of('a').run(never(), busyFor(clock, EVENT_SCANS_BURST_MS / 2))
    t.equal(await of('a').run(never(), async () => 'at once'), 'at once')
    await of('a').run(never(), busyFor(clock, EVENT_SCANS_BURST_MS + owed))
    t.equal(await of('b').run(never(), async () => 'other'), 'other')
    const next = work()
    const call = of('a').run(never(), next.run)
    const waitMs = owed / EVENT_SCANS_SHARE
    await clock.advance(waitMs - 1)
    t.notOk(next.isStarted())
    await clock.advance(2)
    t.ok(next.isStarted())
    next.end()
    await call
  },
)

t.test('a caller that would have to wait for too long learns when to try again', async (t) => {
  const { of, clock } = turns()
  const ms = EVENT_SCANS_BURST_MS + 10 * EVENT_SCANS_WAIT_MS
  await of('a').run(never(), busyFor(clock, ms))
  const late = work()
  await t.rejects(of('a').run(never(), late.run), {
    code: 'resource_exhausted',
    detail: {
      code: 'throttled',
      retryAfterS: (10 * EVENT_SCANS_WAIT_MS) / EVENT_SCANS_SHARE / 1_000 + 1,
    },
  })
  t.notOk(late.isStarted())
})

t.test('an organization pays for the bytes that its queries answer', async (t) => {
  const { of, clock } = turns()
  const pages = Math.ceil(EVENT_SCANS_BURST_MS / (12 * EVENT_SCANS_MEBIBYTE_MS))
  const page = async () => 'page'
  for (let count = 0; count < pages; count++) {
    t.equal(await of('a').run(never(), page, () => 12 * 1_048_576), 'page')
  }
  const abort = new AbortController()
  const waiting = codeOf(of('a').run(abort.signal, page))
  t.equal(await of('b').run(never(), page), 'page')
  abort.abort()
  t.equal(await waiting, 'cancelled')
  await clock.advance(12 * (EVENT_SCANS_MEBIBYTE_MS / EVENT_SCANS_SHARE))
  t.equal(await of('a').run(never(), page), 'page')
})

t.test('a project that is alone on the instance does not pause', async (t) => {
  const clock = createFakeClock()
  let others = false
  const gate = createQueryLimiter(clock, { hasOthers: async () => others })
  const scans = gate.of(organizationId('a'))
  const ms = EVENT_SCANS_BURST_MS + 10 * EVENT_SCANS_WAIT_MS
  await scans.run(never(), busyFor(clock, ms))
  t.equal(await scans.run(never(), async () => 'at once'), 'at once')
  others = true
  t.equal(await codeOf(scans.run(never(), async () => 'late')), 'resource_exhausted')
})
