import t from 'tap'
import { createInFlight } from '../../../../src/plugins/runtime/in-flight.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

function setUp() {
  const clock = createFakeClock()
  const inFlight = createInFlight<string, number>(clock, 3)
  const ends = new Map<string, () => void>()
  const start = (key: string, piece: number) => {
    const work = new Promise<void>((resolve) => ends.set(key, resolve))
    inFlight.start(key, piece, work)
  }
  const end = async (key: string) => {
    ends.get(key)?.()
    await clock.advance(0)
  }
  const never = new AbortController().signal
  /** Whether it has resolved. */
  const watch = (promise: Promise<void>) => {
    const seen = { over: false }
    promise.then(() => {
      seen.over = true
    })
    return seen
  }
  return { clock, inFlight, start, end, never, watch }
}

t.test('pieces are under way until their work ends', async (t) => {
  const { inFlight, start, end } = setUp()
  start('a', 1)
  start('b', 2)
  t.same([inFlight.free(), inFlight.pieces()], [1, [1, 2]])
  await end('a')
  t.same([inFlight.free(), inFlight.pieces()], [2, [2]])
})

t.test('a rest ends with its time, and with the abort', async (t) => {
  const { clock, inFlight, watch, never } = setUp()
  const timed = watch(inFlight.rest(100, never, false))
  await clock.advance(99)
  t.notOk(timed.over)
  await clock.advance(1)
  t.ok(timed.over)
  const abort = new AbortController()
  const aborted = watch(inFlight.rest(100, abort.signal, false))
  abort.abort()
  await clock.advance(0)
  t.ok(aborted.over)
  const after = watch(inFlight.rest(100, abort.signal, false))
  await clock.advance(0)
  t.ok(after.over)
  t.equal(clock.timers(), 0)
})

t.test('a rest that waits for an end is woken by one, also by one before it began', async (t) => {
  const { clock, inFlight, start, end, watch, never } = setUp()
  start('a', 1)
  start('b', 2)
  start('c', 3)
  const woken = watch(inFlight.rest(100, never, true))
  await clock.advance(50)
  t.notOk(woken.over)
  await end('a')
  t.ok(woken.over)
  await end('c')
  await inFlight.rest(100, never, true)
  t.equal(clock.monotonic(), 50, 'what ended meanwhile is looked at')
  const deaf = watch(inFlight.rest(100, never, false))
  await end('b')
  t.notOk(deaf.over)
  await clock.advance(100)
  t.ok(deaf.over)
})

t.test('a settle waits for all, but not for ever', async (t) => {
  const { clock, inFlight, start, end, watch } = setUp()
  start('a', 1)
  start('b', 2)
  const late = watch(inFlight.settle(100))
  await end('a')
  t.notOk(late.over)
  await clock.advance(100)
  t.ok(late.over)
  const all = watch(inFlight.settle(100))
  await end('b')
  t.ok(all.over)
  t.equal(clock.timers(), 0)
})
