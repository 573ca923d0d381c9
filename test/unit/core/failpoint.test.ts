import t from 'tap'
import { type Failpoints, failpointsOf, NO_FAILPOINTS } from '../../../src/core/failpoint.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

function armed(text: string) {
  const clock = createFakeClock()
  let crashes = 0
  const crash = () => {
    crashes += 1
  }
  const parsed = failpointsOf(text, { clock, crash })
  if (!parsed.ok) throw new Error(parsed.error)
  const failpoints: Failpoints = parsed.value
  return { clock, failpoints, crashes: () => crashes }
}

t.test('a failpoint that cannot be read is reported', async (t) => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['mid-handof=crash', /^must name one of .*mid-handoff.*, not mid-handof$/],
    ['crash', /^must name one of /],
    ['__proto__=crash', /^must name one of /],
    ['mid-handoff', /^must say crash, delay:MS or error after mid-handoff=/],
    ['mid-handoff=', /^must say /],
    ['mid-handoff=explode', /^must say /],
    ['mid-handoff=delay', /^must say /],
    ['mid-handoff=delay:', /^must say /],
    ['mid-handoff=delay:-1', /^must say /],
    ['mid-handoff=delay:1.5', /^must say /],
    ['mid-handoff=delay:600001', /^must say /],
    ['mid-handoff=delay:5:1:1', /^must say /],
    ['mid-handoff=error:0', /^must say /],
    ['mid-handoff=error:1:2', /^must say /],
    ['mid-handoff=crash=error', /^must say /],
    ['mid-handoff=crash,mid-handoff=error', /^must not name mid-handoff twice$/],
  ]
  for (const [text, problem] of wrong) {
    const parsed = failpointsOf(text)
    t.equal(parsed.ok, false, text)
    if (!parsed.ok) t.match(parsed.error, problem)
  }
})

t.test('nothing is set by an empty text', async (t) => {
  for (const text of ['', ' ', ' , ']) {
    const parsed = failpointsOf(text)
    t.ok(parsed.ok && parsed.value === NO_FAILPOINTS, JSON.stringify(text))
  }
  await NO_FAILPOINTS.reach('mid-handoff')
})

t.test('a place that is not named is passed', async (t) => {
  const { failpoints, crashes } = armed('mid-handoff=crash, before-drain-ack=error')
  await failpoints.reach('after-spill-ack')
  t.equal(crashes(), 0)
})

t.test('an error is unavailable, every time', async (t) => {
  const { failpoints } = armed('before-epoch-claim=error')
  for (let turn = 0; turn < 3; turn++) {
    await t.rejects(failpoints.reach('before-epoch-claim'), { code: 'unavailable' })
  }
})

t.test('with a number it is that time only', async (t) => {
  const { failpoints } = armed('before-epoch-claim=error:3')
  const outcomes: string[] = []
  for (let turn = 0; turn < 5; turn++) {
    await failpoints.reach('before-epoch-claim').then(
      () => outcomes.push('passed'),
      () => outcomes.push('failed'),
    )
  }
  t.strictSame(outcomes, ['passed', 'passed', 'failed', 'passed', 'passed'])
})

t.test('a delay passes when its time is over', async (t) => {
  const { clock, failpoints } = armed('after-insert-before-ack=delay:500:2')
  await failpoints.reach('after-insert-before-ack')
  let passed = false
  const reached = failpoints.reach('after-insert-before-ack').then(() => {
    passed = true
  })
  await clock.advance(499)
  t.equal(passed, false)
  await clock.advance(1)
  await reached
})

t.test('nothing runs after a crash', async (t) => {
  const { clock, failpoints, crashes } = armed('after-claim-before-load=crash')
  let passed = false
  void failpoints.reach('after-claim-before-load').then(() => {
    passed = true
  })
  await clock.advance(60_000)
  t.equal(crashes(), 1)
  t.equal(passed, false)
})
