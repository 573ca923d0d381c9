import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import {
  AWAY_PROBE_ATTEMPT_MS,
  AWAY_PROBE_MS,
  createDatabaseHealth,
  LATE_PROBE_ATTEMPT_MS,
} from '../../../src/core/database-health.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createLogLines } from '../../support/log-lines.ts'

const REFUSED = new Error('connection refused')

function setUp() {
  const clock = createFakeClock()
  const { log, all } = createLogLines()
  const lines = () => all().map(({ level, message }) => `${level}: ${message}`)
  /** Answer of the database to a probe, and how often it was asked. */
  const world = { probe: () => Promise.reject<unknown>(REFUSED), probes: 0 }
  const probe = () => {
    world.probes++
    return world.probe()
  }
  const isUnreachable = (error: unknown) => error === REFUSED
  const health = createDatabaseHealth({ clock, log, isUnreachable, probe })
  return {
    ...{ clock, health, lines, world },
    ...{ keys: health.reads('keys', 100), rows: health.reads('rows', 200) },
  }
}

const hang = () => new Promise<never>(() => {})

t.test('a failure found by one kind of read is known to all', async (t) => {
  const { clock, health, keys, rows, lines } = setUp()
  await t.rejects(
    keys.ask(() => Promise.reject(REFUSED)),
    REFUSED,
  )
  await clock.advance(0)
  t.ok(health.isAway)
  let asked = 0
  await t.rejects(
    rows.ask(async () => asked++),
    { code: 'unavailable' },
  )
  t.equal(asked, 0, 'nobody waits for it')
  t.strictSame(lines(), ['warn: database is away'])
})

t.test('a late read whose probe is late as well finds it away', async (t) => {
  const { clock, health, rows, lines, world } = setUp()
  world.probe = hang
  const late = t.rejects(rows.ask(hang), { code: 'unavailable' })
  await clock.advance(200)
  await late
  t.notOk(health.isAway, 'one late read proves nothing')
  await clock.advance(LATE_PROBE_ATTEMPT_MS - 1)
  t.notOk(health.isAway)
  await clock.advance(1)
  t.ok(health.isAway)
  t.strictSame(lines(), ['warn: read is late', 'warn: database is away'])
})

t.test('reads that are late again and again make nobody else wait', async (t) => {
  const { clock, health, keys, rows, lines, world } = setUp()
  world.probe = async () => {}
  for (let n = 1; n <= 5; n++) {
    const late = t.rejects(rows.ask(hang), { code: 'unavailable' })
    await clock.advance(200)
    await late
    await clock.advance(LATE_PROBE_ATTEMPT_MS)
    t.notOk(health.isAway)
    t.equal(world.probes, n, 'a question of its own, not the read again')
    t.equal(await keys.ask(async () => n), n)
  }
  t.strictSame(lines(), Array(5).fill('warn: read is late'))
})

t.test('one connection that is lost says nothing against it', async (t) => {
  const { clock, health, keys, rows, world } = setUp()
  world.probe = async () => {}
  await t.rejects(
    rows.ask(() => Promise.reject(REFUSED)),
    REFUSED,
  )
  await clock.advance(0)
  t.notOk(health.isAway)
  t.equal(await keys.ask(async () => 1), 1)
})

t.test('an error that it answers with says nothing against it, and is told once', async (t) => {
  const { health, keys, lines, world } = setUp()
  const bad = new AppError('internal', 'a defect')
  const fail = () =>
    t.rejects(
      keys.ask(() => Promise.reject(bad)),
      bad,
    )
  await fail()
  await fail()
  t.notOk(health.isAway)
  t.equal(world.probes, 0)
  t.strictSame(lines(), ['error: read failed'])
  t.equal(await keys.ask(async () => 1), 1)
  await fail()
  t.equal(lines().length, 2, 'told again after one that was answered')
})

t.test('while it is away one probe at a time asks, and the first answer ends it', async (t) => {
  const { clock, health, keys, rows, lines, world } = setUp()
  await t.rejects(keys.ask(() => Promise.reject(REFUSED)))
  await clock.advance(0)
  let answer: (value: unknown) => void = () => {}
  world.probes = 0
  world.probe = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const refused = () => t.rejects(rows.ask(hang), { code: 'unavailable' })
  await clock.advance(AWAY_PROBE_MS - 1)
  await refused()
  t.equal(world.probes, 0)
  await clock.advance(1)
  await refused()
  await refused()
  t.equal(world.probes, 1, 'never two at a time')
  await clock.advance(AWAY_PROBE_ATTEMPT_MS)
  t.ok(health.isAway, 'a late probe is no answer')
  await clock.advance(AWAY_PROBE_MS)
  await refused()
  t.equal(world.probes, 2)
  answer(undefined)
  await clock.advance(0)
  t.notOk(health.isAway)
  t.equal(await keys.ask(async () => 'back'), 'back')
  t.strictSame(lines(), ['warn: database is away', 'info: database is back'])
})

t.test('a probe that the database refuses to answer as asked ends it too', async (t) => {
  const { clock, health, keys, world } = setUp()
  await t.rejects(keys.ask(() => Promise.reject(REFUSED)))
  await clock.advance(AWAY_PROBE_MS)
  t.ok(health.isAway)
  world.probe = () => Promise.reject(new TypeError('a defect'))
  await t.rejects(keys.ask(hang), { code: 'unavailable' })
  await clock.advance(0)
  t.notOk(health.isAway)
})
