import t from 'tap'
import { createTries, type EndTry, type TriedBy, type Tries } from '../../../src/access/tries.ts'
import { AppError } from '../../../src/core/code.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const HERE = { place: '1', mail: 'a' }
const REFUSED = { code: 'resource_exhausted' }

/** A door behind which a try stays until it is ended. */
function setUp(entriesMax?: number) {
  const clock = createFakeClock()
  const tries = createTries({ clock, ...(entriesMax === undefined ? {} : { entriesMax }) })
  const running: EndTry[] = []
  const refused: unknown[] = []
  const enter = (by: TriedBy = HERE, signal?: AbortSignal) =>
    void tries.begin(by, signal).then(
      (end) => running.push(end),
      (error: unknown) => refused.push(error),
    )
  /** Ends running tries, in order, until none is left. */
  const endAll = async (hasFailed: boolean) => {
    let ended = 0
    for (await settle(); running.length > 0; await settle()) {
      running.shift()?.(hasFailed)
      ended++
    }
    return ended
  }
  return { clock, tries, running, refused, enter, endAll }
}

/** Everything that waits for nothing but promises has run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function fail(tries: Tries, times: number, by: TriedBy = HERE) {
  for (let time = 0; time < times; time++) (await tries.begin(by))(true)
}

t.test('ten at once who are right all come in, five at a time', async (t) => {
  const { running, refused, enter, endAll } = setUp()
  for (let count = 0; count < 10; count++) enter()
  await settle()
  t.equal(running.length, 5)
  t.equal(await endAll(false), 10)
  t.strictSame(refused, [])
})

t.test('five wrong tries of a burst are judged, and the others are refused', async (t) => {
  const { refused, enter, endAll } = setUp()
  for (let count = 0; count < 1_000; count++) enter()
  t.equal(await endAll(true), 5)
  t.equal(refused.length, 995)
  t.ok(refused.every((error) => error instanceof AppError && error.code === 'resource_exhausted'))
})

t.test('failures of a network count for a minute, whoever they are for', async (t) => {
  const { clock, tries } = setUp()
  await fail(tries, 4)
  await fail(tries, 1, { place: '1', mail: 'b' })
  await t.rejects(tries.begin(HERE), REFUSED)
  await t.rejects(tries.begin({ place: '1' }), REFUSED, 'with a key too')
  await clock.advance(59_000)
  await t.rejects(tries.begin(HERE), REFUSED)
  await clock.advance(1_000)
  await fail(tries, 5)
  await t.rejects(tries.begin(HERE), REFUSED)
})

t.test('nobody is kept out by failures from another network', async (t) => {
  const { tries } = setUp()
  await fail(tries, 5)
  await t.rejects(tries.begin(HERE), REFUSED)
  await t.resolves(tries.begin({ place: '2', mail: 'a' }))
})

t.test('a known browser counts by itself', async (t) => {
  const { tries } = setUp()
  const known = { place: 'browser 1' }
  await fail(tries, 5)
  await fail(tries, 5, known)
  await t.rejects(tries.begin(known), REFUSED)
  await t.resolves(tries.begin({ place: 'browser 2' }))
})

t.test('many failures for a mail delay further tries for it and refuse none', async (t) => {
  const { clock, tries, running, refused, enter } = setUp()
  for (let network = 0; network < 10; network++)
    await fail(tries, 5, { place: `${network}`, mail: 'a' })
  enter({ place: 'own', mail: 'b' })
  enter({ place: 'known browser' })
  await settle()
  t.equal(running.length, 2, 'another mail and a known browser are not delayed')
  enter({ place: 'own', mail: 'a' })
  await clock.advance(99)
  t.equal(running.length, 2)
  await clock.advance(1)
  t.equal(running.length, 3)

  for (let network = 0; network < 100; network++) enter({ place: `later ${network}`, mail: 'a' })
  await clock.advance(4_999)
  t.ok(running.length < 103)
  await clock.advance(1)
  t.equal(running.length, 103, 'nobody waits for longer than the longest delay')
  t.strictSame(refused, [])
})

t.test('a try whose caller leaves while it is delayed gives its place back', async (t) => {
  const { clock, tries, running, refused, enter } = setUp()
  for (let network = 0; network < 10; network++)
    await fail(tries, 5, { place: `${network}`, mail: 'a' })
  const leaving = new AbortController()
  for (let count = 0; count < 5; count++) enter({ place: 'own', mail: 'a' }, leaving.signal)
  await settle()
  leaving.abort(new Error('gone'))
  await settle()
  t.equal(refused.length, 5)
  enter({ place: 'own', mail: 'a' })
  await clock.advance(5_000)
  t.equal(running.length, 1)
})

t.test('a try that is under way when its minute ends still holds its place', async (t) => {
  const { clock, running, enter, endAll } = setUp()
  for (let count = 0; count < 6; count++) enter()
  await settle()
  await clock.advance(60_000)
  enter()
  await settle()
  t.equal(running.length, 5)
  t.equal(await endAll(false), 7)
})

t.test('a full window is not forgotten for refused tries, nor for those of others', async (t) => {
  const { tries } = setUp(20)
  await fail(tries, 5)
  for (let mail = 0; mail < 100; mail++) {
    await t.rejects(tries.begin({ place: '1', mail: `${mail}` }), REFUSED)
  }
  for (let network = 2; network < 100; network++) {
    await fail(tries, 1, { place: `${network}`, mail: `${network}` })
  }
  await t.rejects(tries.begin(HERE), REFUSED)
})
