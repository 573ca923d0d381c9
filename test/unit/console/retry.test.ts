/** Automatic retries of the console, on a clock of the test's own. */
import t from 'tap'
import { ApiError } from '../../../gateway/client/index.ts'
import { failureOf } from '../../../gateway/console/data/failure.ts'
import { createRetry, pauseMs } from '../../../gateway/console/data/retry.ts'
import { afterInSight } from '../../../gateway/console/data/timers.ts'

const BUSY = { type: 'server_error', code: 'unavailable', detail: 'Down.', attr: null } as const
const busy = (status = 503, retryAfterS?: number) => new ApiError(status, BUSY, retryAfterS)

/** A clock that moves when it is told to, with timers that never run while `isHidden`. */
function ownedClock() {
  const timers = new Map<object, { readonly at: number; readonly work: () => void }>()
  let at = 0
  return {
    tick: () => at,
    random: () => 0,
    afterInSight(ms: number, work: () => void) {
      const key = {}
      timers.set(key, { at: at + ms, work })
      return () => void timers.delete(key)
    },
    waiting: () => timers.size,
    advance(ms: number) {
      const end = at + ms
      for (;;) {
        const [next] = [...timers].sort(([, one], [, other]) => one.at - other.at)
        if (next === undefined || next[1].at > end) break
        at = next[1].at
        timers.delete(next[0])
        next[1].work()
      }
      at = end
    },
  }
}

t.test('a request that fails in the same way again and again is sent less and less', async (t) => {
  const clock = ownedClock()
  const retry = createRetry(clock)
  const sentAt: number[] = []
  const error = busy(503, 2)
  const send = () => {
    sentAt.push(clock.tick())
    retry.plan(error, send)
  }
  send()
  clock.advance(120_000)
  const gaps = sentAt.slice(1).map((each, index) => each - (sentAt[index] ?? 0))
  t.strictSame(gaps, [2_000, 2_000, 4_000, 8_000, 16_000, 32_000, 40_000])
  t.equal(clock.waiting(), 1, 'one timer, whatever has happened')
  retry.reset()
  clock.advance(1e9)
  t.equal(sentAt.length, 8, 'none after a success')
  t.equal(
    retry.plan(busy(), () => {}),
    clock.tick() + 1_000,
    'and the next failure is a first one',
  )
})

t.test('a pause has a floor, a ceiling, and what the server asks for', async (t) => {
  for (const random of [0, 0.5, 1]) {
    const pauses = [1, 2, 3, 7, 100, 5_000].map((failures) => pauseMs(failures, undefined, random))
    t.ok(Math.min(...pauses) >= 1_000, `floor at ${random}`)
    t.ok(Math.max(...pauses) <= 60_000, `ceiling at ${random}`)
    t.ok(pauseMs(1, 90, random) >= 90_000, 'as late as the server asks')
    t.ok(pauseMs(1, 1e12, random) <= 5_400_000, 'and no more than some hours')
    t.ok(pauseMs(1, 0, random) >= 1_000, 'Retry-After: 0')
  }
  t.not(pauseMs(3, 2, 0), pauseMs(3, 2, 1), 'tabs spread')
})

t.test('only what may pass by itself is tried again', async (t) => {
  const retry = createRetry(ownedClock())
  const noPage = new ApiError(404, { ...BUSY, code: 'error' }, undefined)
  const timeout = new DOMException('the call took too long', 'TimeoutError')
  const passing = [busy(429), busy(502), busy(504), noPage, timeout, new TypeError('fetch')]
  for (const error of [...passing, new SyntaxError('<html>')]) {
    t.not(
      retry.plan(error, () => {}),
      undefined,
      String(error),
    )
  }
  for (const error of [busy(400), busy(403), busy(404), busy(500), new Error('a defect')]) {
    t.equal(
      retry.plan(error, () => {}),
      undefined,
      String(error),
    )
  }
  t.not(
    retry.plan(busy(500), () => {}, true),
    undefined,
    'unless its caller wants it',
  )
  t.equal(failureOf(new SyntaxError('<html>')).code, 'not_json')
})

t.test('the newest failure replaces the timer of the one before', async (t) => {
  const clock = ownedClock()
  const retry = createRetry(clock)
  const ran: string[] = []
  retry.plan(busy(), () => ran.push('first'))
  retry.plan(busy(), () => ran.push('second'))
  clock.advance(60_000)
  t.strictSame(ran, ['second'])
  retry.plan(busy(), () => ran.push('third'))
  retry.cancel()
  clock.advance(60_000)
  t.strictSame(ran, ['second'])
})

t.test('a hidden tab waits until it is shown', async (t) => {
  const page = Object.assign(new EventTarget(), { hidden: true })
  const show = (isShown: boolean) => {
    page.hidden = !isShown
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const shown = new Promise<void>((resolve) => afterInSight(0, resolve, page))
  const never = afterInSight(0, () => t.fail('it was taken back'), page)
  // Two turns of timers: one that ran while hidden would have run by then.
  await new Promise((resolve) => setTimeout(() => setTimeout(resolve, 1), 1))
  t.equal(await Promise.race([shown.then(() => 'ran'), Promise.resolve('waits')]), 'waits')
  never()
  show(true)
  show(false)
  show(true)
  await shown
})
