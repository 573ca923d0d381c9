import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import { organizationId } from '../../../src/core/ids.ts'
import {
  EVENT_SCANS_CONNECTIONS,
  EVENT_SCANS_RUNNING_MAX,
  EVENT_SCANS_WAIT_MS,
  EVENT_SCANS_WAITING_MAX,
} from '../../../src/core/limits/limits.ts'
import { createScanGate, type Scans } from '../../../src/query/scan-gate.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

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

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

/** The turns of some organizations of one worker. */
function turns() {
  const clock = createFakeClock()
  const gate = createScanGate(clock)
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

t.test('who has waited for too long is told when to come again', async (t) => {
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
  const call = of('a').run(never(), slow.run)
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
