import t from 'tap'
import {
  createProjectLimits,
  LIMIT_DEBT_S,
  type ProjectLimitSettings,
} from '../../../src/core/project-limits.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const OFF: ProjectLimitSettings = {
  captureRate: undefined,
  capturePerDay: undefined,
  decideRate: undefined,
  unlimited: [],
}
/** 22:13:20 UTC. */
const START = 1_700_000_000_000
const TO_MIDNIGHT_S = 6_400

function setUp(settings: Partial<ProjectLimitSettings>) {
  const clock = createFakeClock(START)
  const told: string[] = []
  const limits = createProjectLimits(clock, { ...OFF, ...settings }, (work, reason) => {
    told.push(`${work} ${reason}`)
  })
  if (limits === undefined) throw new Error('nothing is limited')
  /** Captures so many events, or says why not. */
  const capture = (project: number, events: number) => {
    const account = limits.capture(project)
    const limited = account?.refusal()
    if (limited === undefined) account?.charge(events)
    return limited
  }
  return { clock, told, limits, capture }
}

t.test('nothing is limited unless the operator says so', async (t) => {
  const told = () => t.fail('nothing is limited')
  t.equal(createProjectLimits(createFakeClock(), { ...OFF, unlimited: [1] }, told), undefined)
  const { capture } = setUp({ decideRate: { perS: 1, burst: 1 } })
  t.equal(capture(1, 1_000_000), undefined)
  t.equal(capture(1, 1_000_000), undefined)
})

t.test('a project above its rate waits, others and unlimited ones do not', async (t) => {
  const { capture, clock, told } = setUp({ captureRate: { perS: 10, burst: 20 }, unlimited: [3] })
  t.equal(capture(1, 15), undefined)
  t.equal(capture(1, 5), undefined)
  t.same(capture(1, 1), { reason: 'rate', retryAfterS: 1 })
  t.equal(capture(2, 20), undefined)
  for (let at = 0; at < 5; at++) t.equal(capture(3, 1_000), undefined)
  await clock.advance(500)
  t.equal(capture(1, 5), undefined)
  t.same(capture(1, 1), { reason: 'rate', retryAfterS: 1 })
  await clock.advance(3_600_000)
  t.equal(capture(1, 20), undefined, 'a quiet hour gives a burst, not more')
  t.match(capture(1, 1), { reason: 'rate' })
  t.same(told, ['capture rate', 'capture rate', 'capture rate'])
})

t.test('a batch above the burst goes, and is owed for a bounded time', async (t) => {
  const { capture, clock } = setUp({ captureRate: { perS: 10, burst: 20 } })
  t.equal(capture(1, 120), undefined)
  t.same(capture(1, 1), { reason: 'rate', retryAfterS: 11 })
  await clock.advance(10_100)
  t.equal(capture(1, 600_000), undefined)
  t.same(capture(1, 1), { reason: 'rate', retryAfterS: LIMIT_DEBT_S + 1 })
})

t.test('a day has its number of events, and ends at midnight of UTC', async (t) => {
  const { capture, clock, told } = setUp({ capturePerDay: 100 })
  t.equal(capture(1, 99), undefined)
  t.equal(capture(1, 50), undefined, 'the request that reaches the number still goes')
  t.same(capture(1, 1), { reason: 'quota', retryAfterS: TO_MIDNIGHT_S })
  await clock.advance(TO_MIDNIGHT_S * 1_000 - 1)
  t.same(capture(1, 1), { reason: 'quota', retryAfterS: 1 })
  await clock.advance(1)
  t.equal(capture(1, 1), undefined)
  t.same(told, ['capture quota', 'capture quota'])
})

t.test('questions have a rate of their own', async (t) => {
  const { limits, capture, clock, told } = setUp({ decideRate: { perS: 2, burst: 3 } })
  for (let at = 0; at < 3; at++) t.equal(limits.decide(1), undefined)
  t.same(limits.decide(1), { reason: 'rate', retryAfterS: 1 })
  t.equal(limits.decide(2), undefined)
  t.equal(capture(1, 9), undefined)
  await clock.advance(500)
  t.equal(limits.decide(1), undefined)
  t.match(limits.decide(1), { reason: 'rate' })
  t.same(told, ['decide rate', 'decide rate'])
})
