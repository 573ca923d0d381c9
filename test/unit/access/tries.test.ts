import t from 'tap'
import { createTries, type Tries } from '../../../src/access/tries.ts'
import { AppError } from '../../../src/core/code.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const NAMES = ['address 1', 'mail a']

/** A door behind which a try stays until it is ended. */
function setUp() {
  const clock = createFakeClock()
  const tries = createTries({ clock })
  const running: ((hasFailed: boolean) => void)[] = []
  const refused: unknown[] = []
  const enter = (names: readonly string[] = NAMES) =>
    void tries.begin(names).then(
      (end) => running.push(end),
      (error: unknown) => refused.push(error),
    )
  /** Ends those under way, in order, until none is left. */
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

async function fail(tries: Tries, times: number, names: readonly string[] = NAMES) {
  for (let time = 0; time < times; time++) (await tries.begin(names))(true)
}

t.test('ten at once who are right all come in, five at a time', async (t) => {
  const { running, refused, enter, endAll } = setUp()
  for (let count = 0; count < 10; count++) enter()
  await settle()
  t.equal(running.length, 5)
  t.equal(await endAll(false), 10)
  t.strictSame(refused, [])
})

t.test('of a burst that is wrong five are judged, and the others are refused', async (t) => {
  const { refused, enter, endAll } = setUp()
  for (let count = 0; count < 1_000; count++) enter()
  t.equal(await endAll(true), 5)
  t.equal(refused.length, 995)
  t.ok(refused.every((error) => error instanceof AppError && error.code === 'resource_exhausted'))
})

t.test('failures count for a minute, by each of the names', async (t) => {
  const { clock, tries } = setUp()
  await fail(tries, 5)
  await t.rejects(tries.begin(NAMES), { code: 'resource_exhausted' })
  await t.rejects(tries.begin(['address 2', 'mail a']), { code: 'resource_exhausted' })
  await fail(tries, 1, ['address 2', 'mail b'])
  await clock.advance(59_000)
  await t.rejects(tries.begin(NAMES), { code: 'resource_exhausted' })
  await clock.advance(1_000)
  await fail(tries, 5)
  await t.rejects(tries.begin(NAMES), { code: 'resource_exhausted' })
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
