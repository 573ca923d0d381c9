import t from 'tap'
import { DEMO_SENSITIVITY } from '../../../../src/cli/demo/demo-alarm.ts'
import { deploymentBefore, isBroken } from '../../../../src/cli/demo/demo-deployment.ts'
import { DEMO_DAYS, type DemoEvent, demoDays } from '../../../../src/cli/demo/demo-events.ts'
import { bannerOf, hasNewCheckout } from '../../../../src/cli/demo/demo-flags.ts'
import { demoPerson } from '../../../../src/cli/demo/demo-persons.ts'
import { randomOf, shared } from '../../../../src/cli/demo/random.ts'
import { bandOf, historyOf, isAnomaly } from '../../../../src/manage/alerts/rules/anomaly.ts'

const DAY_MS = 86_400_000
/** A Friday afternoon, two days before clocks change in Europe. */
const UNTIL = Date.parse('2026-03-27T15:20:00Z')
const EVENTS = 10_000
const DEPLOYMENT = deploymentBefore(UNTIL)

function made(events: number, untilMs: number): readonly DemoEvent[] {
  return [...demoDays({ events, untilMs, deployment: DEPLOYMENT })].flat()
}

const all = made(EVENTS, UNTIL)
const countOf = (name: string) => all.filter(({ event }) => event === name).length

t.test('there are as many events and persons as were asked for, and none is late', async (t) => {
  for (const events of [1, 7, 100, 1_003]) t.equal(made(events, UNTIL).length, events)
  t.equal(all.length, EVENTS)
  t.equal(new Set(all.map(({ uuid }) => uuid)).size, EVENTS)
  t.equal(new Set(all.map(({ distinct_id }) => distinct_id)).size, EVENTS / 20)
  const times = all.map(({ timestamp }) => Date.parse(timestamp))
  t.ok(Math.max(...times) < UNTIL)
  t.ok(Math.max(...times) > UNTIL - 3_600_000, 'the last hour is not empty')
  t.ok(times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0)))
  const days = new Set(all.map(({ timestamp }) => timestamp.slice(0, 10)))
  t.same([...days].sort()[0], '2026-02-25')
  t.equal(days.size, DEMO_DAYS)
})

t.test('it is the same at every run, in whatever zone the machine is', async (t) => {
  const zone = process.env['TZ']
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  const some = JSON.stringify(made(1_003, UNTIL))
  for (const each of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
    process.env['TZ'] = each
    t.ok(JSON.stringify(made(1_003, UNTIL)) === some, each)
  }
})

t.test('an event of another run has the same uuid on the same day', async (t) => {
  const dayOf = new Map(all.map(({ uuid, timestamp }) => [uuid, timestamp.slice(0, 10)]))
  const later = made(EVENTS, UNTIL + DAY_MS)
  const known = later.filter(({ uuid }) => dayOf.has(uuid))
  for (const { uuid, timestamp } of known) {
    if (dayOf.get(uuid) !== timestamp.slice(0, 10)) t.fail(`${uuid} is of two days`)
  }
  // The rest of a day and a new one, and some more where the days share the events otherwise.
  t.ok(later.length - known.length < EVENTS / 10, `${later.length - known.length} are new`)
  const soon = made(EVENTS, UNTIL + 60_000).filter(({ uuid }) => !dayOf.has(uuid))
  t.ok(soon.length < 50, `${soon.length} are new a minute later`)
})

t.test('a week has its working days, and a month grows', async (t) => {
  const perDay = new Map<string, number>()
  for (const { timestamp } of all) {
    const day = timestamp.slice(0, 10)
    perDay.set(day, (perDay.get(day) ?? 0) + 1)
  }
  const on = (day: string) => perDay.get(day) ?? 0
  t.ok(on('2026-03-22') < 0.75 * on('2026-03-24'), 'a Sunday, and the Tuesday after it')
  t.ok(on('2026-03-03') < on('2026-03-24'), 'the first Tuesday, and the last one')
  t.ok(on('2026-03-27') < on('2026-03-26'), 'today is not over')
})

t.test('fewer and fewer go on to an order, and who pays has the better checkout', async (t) => {
  const steps = ['$pageview', 'product viewed', 'product added', 'checkout started', 'order placed']
  const counts = steps.map(countOf)
  t.same(
    counts,
    [...counts].sort((one, other) => other - one),
  )
  t.ok(counts.every((count) => count > EVENTS / 100))
  t.ok(countOf('signed up') > 0)
  const flags = all.filter(({ event }) => event === '$feature_flag_called')
  t.ok(flags.length > EVENTS / 50)
  for (const { distinct_id, properties } of flags) {
    const person = demoPerson(Number(distinct_id.slice(-5)) - 1)
    const is = { 'demo-banner': bannerOf(person), 'demo-new-checkout': hasNewCheckout(person) }
    const { $feature_flag: key, $feature_flag_response: response } = properties
    if (Object.entries(is).find(([each]) => each === key)?.[1] !== response) t.fail(String(key))
  }
})

t.test('a deployment of the day before breaks the checkout for hours', async (t) => {
  t.same(DEPLOYMENT, {
    beginMs: Date.parse('2026-03-26T07:00:00Z'),
    endMs: Date.parse('2026-03-26T19:00:00Z'),
  })
  const visits = new Map<unknown, DemoEvent[]>()
  for (const one of all) {
    const id = one.properties['$session_id']
    visits.set(id, [...(visits.get(id) ?? []), one])
  }
  const begun = (deployment: typeof DEPLOYMENT) => {
    return [...visits.values()].filter(([first]) => {
      return isBroken(deployment, Date.parse(first?.timestamp ?? ''))
    })
  }
  const bounces = (some: readonly unknown[][]) => {
    return some.filter(({ length }) => length === 1).length / some.length
  }
  const pays = (visit: DemoEvent[]) => visit.some(({ event }) => event === 'checkout started')
  const broken = begun(DEPLOYMENT)
  const usual = begun(deploymentBefore(UNTIL - DAY_MS))
  t.ok(bounces(broken) > 1.5 * bounces(usual))
  t.ok(usual.filter(pays).length > 2)
  t.equal(broken.filter(pays).length, 0)
})

t.test('the alert of the demo fires for that day', async (t) => {
  const perDay = new Map<string, number>()
  for (const { event, timestamp } of made(100_000, UNTIL)) {
    const day = timestamp.slice(0, 10)
    perDay.set(day, (perDay.get(day) ?? 0) + (event === 'checkout started' ? 1 : 0))
  }
  const counts = [...perDay.values()]
  const isFew = (at: number) => {
    const usual = historyOf([...perDay.keys()], counts, at)
    t.equal(usual.length, 4)
    const band = bandOf(usual, DEMO_SENSITIVITY)
    return isAnomaly(counts[at] ?? 0, band) && (counts[at] ?? 0) < band.low
  }
  t.equal(isFew(counts.length - 2), true)
  t.equal(isFew(counts.length - 3), false, 'the day before')
})

t.test('all can be told from what is not of the demo', async (t) => {
  for (const { properties, distinct_id } of all) {
    if (properties['sluice_demo'] !== 'yes') t.fail('an event has no mark')
    if (!distinct_id.startsWith('demo-person-')) t.fail('a distinct id of somebody else')
  }
  t.match(demoPerson(3).set, { sluice_demo: 'yes', email: /\.00004@example\.com$/ })
})

t.test('places share whole things by weight, and chance follows from its text', async (t) => {
  t.same(shared(10, [1, 1, 1]), [4, 3, 3])
  t.same(shared(5, [0, 1, 0]), [0, 5, 0])
  t.equal(randomOf('a').next(), randomOf('a').next())
  t.not(randomOf('a').next(), randomOf('b').next())
  const random = randomOf('even')
  const heads = Array.from({ length: 10_000 }, () => random.chance(0.3)).filter(Boolean).length
  t.ok(heads > 2_700 && heads < 3_300)
})
