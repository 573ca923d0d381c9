import fc from 'fast-check'
import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  PLUGIN_LOG_CHARS_MAX,
  PLUGIN_LOG_PER_S_MAX,
} from '../../../../src/core/limits/limits-plugins.ts'
import type { LogSource, LogType } from '../../../../src/plugins/ports.ts'
import {
  createPluginRecords,
  PLUGIN_COUNTS_FLUSH_MS,
  PLUGIN_COUNTS_WAITING_MAX,
  PLUGIN_LOG_FLUSH_MS,
} from '../../../../src/plugins/runtime/records.ts'
import {
  PLUGIN_LOG_BATCH_CHARS_MAX,
  PLUGIN_LOG_BATCH_ENTRIES_MAX,
  PLUGIN_LOG_WAITING_CHARS_MAX,
  PLUGIN_LOG_WAITING_MAX,
} from '../../../../src/plugins/runtime/waiting-logs.ts'
import type {
  NewPluginLog,
  PluginCounts,
} from '../../../../src/store/plugins/plugin-records-store.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createLogLines } from '../../../support/log-lines.ts'

const ONE = projectId(1)
const INSTANCE = '01890000-0000-7000-8000-00000000000a'
const AWAY = new AppError('unavailable', 'database: 08006')

function setUp() {
  const clock = createFakeClock()
  const lines = createLogLines()
  const batches: (readonly NewPluginLog[])[] = []
  const counted: (readonly PluginCounts[])[] = []
  const world: { failure: Error | undefined; held: Promise<void> | undefined } = {
    failure: undefined,
    held: undefined,
  }
  const answer = async () => {
    if (world.held !== undefined) await world.held
    if (world.failure !== undefined) throw world.failure
  }
  const records = createPluginRecords({
    store: {
      async writeLogs(entries) {
        await answer()
        batches.push(entries)
      },
      async addCounts(counts) {
        await answer()
        counted.push(counts)
      },
    },
    clock,
    log: lines.log,
    instanceId: INSTANCE,
  })
  const say = (
    message: string,
    { config = 7, source = 'CONSOLE', type = 'LOG' }: Partial<Said> = {},
  ) => {
    const step = { configId: config, pluginId: 3, pluginName: 'P', order: 1, stamp: 's' }
    records.log({ projectId: ONE, step, source, type, message })
  }
  const written = () => batches.flat()
  return { clock, lines, batches, counted, world, records, say, written }
}
type Said = { config: number; source: LogSource; type: LogType }

t.test('entries are written together, within the time, in their order', async (t) => {
  const { clock, batches, say } = setUp()
  say('a')
  say('b', { type: 'ERROR', source: 'PLUGIN', config: 8 })
  await clock.advance(PLUGIN_LOG_FLUSH_MS - 1)
  t.same(batches, [])
  await clock.advance(1)
  t.equal(batches.length, 1)
  const entry = { projectId: ONE, pluginId: 3, timestamp: '2023-11-14T22:13:20.000Z' }
  t.match(batches[0], [
    { ...entry, configId: 7, source: 'CONSOLE', type: 'LOG', message: 'a', instanceId: INSTANCE },
    { ...entry, configId: 8, source: 'PLUGIN', type: 'ERROR', message: 'b' },
  ])
  t.equal(clock.timers(), 0, 'nothing runs while nothing waits')
})

t.test('a flush writes what is there, and resolves when it is written', async (t) => {
  const { records, say, written, world } = setUp()
  let letGo = () => {}
  world.held = new Promise((resolve) => {
    letGo = resolve
  })
  say('a')
  const first = records.flush()
  say('b')
  const second = records.flush()
  t.same(written(), [])
  letGo()
  await first
  await second
  t.same(
    written().map(({ message }) => message),
    ['a', 'b'],
  )
  t.equal(new Set(written().map(({ id }) => id)).size, 2)
})

t.test('a message is cut, and holds nothing that no store can', async (t) => {
  const { records, say, written } = setUp()
  say(`${'x'.repeat(PLUGIN_LOG_CHARS_MAX - 1)}\u{1f600}`)
  say('a\0b\ud800c')
  await records.flush()
  const [long, odd] = written()
  t.equal(long?.message, `${'x'.repeat(PLUGIN_LOG_CHARS_MAX - 1)}\ufffd`)
  t.equal(odd?.message, 'a\ufffdb\ufffdc')
})

t.test('a config that says too much in a second is cut off, and told how much', async (t) => {
  const { clock, say, written } = setUp()
  for (let index = 0; index < PLUGIN_LOG_PER_S_MAX + 25; index++) say(`${index}`)
  say('other', { config: 8 })
  say('system', { source: 'SYSTEM', type: 'ERROR' })
  await clock.advance(2_000)
  const of = (config: number) => written().filter(({ configId }) => configId === config)
  t.equal(of(8).length, 1, 'others are not')
  const mine = of(7)
  t.equal(mine.length, PLUGIN_LOG_PER_S_MAX + 2)
  t.match(mine.at(-2), { source: 'SYSTEM', message: 'system' }, 'the system is heard')
  t.match(mine.at(-1), { source: 'SYSTEM', type: 'WARN', message: 'Log entries dropped: 25.' })
  t.equal(clock.timers(), 0)
  say('again')
  await clock.advance(PLUGIN_LOG_FLUSH_MS)
  t.match(of(7).at(-1), { message: 'again' }, 'another second is another')
})

t.test('entries that go on being dropped are told every second', async (t) => {
  const { clock, say, written } = setUp()
  for (let second = 0; second < 3; second++) {
    for (let index = 0; index < PLUGIN_LOG_PER_S_MAX + 1; index++) say('x')
    await clock.advance(1_000)
  }
  await clock.advance(1_000)
  const told = written().filter(({ source }) => source === 'SYSTEM')
  t.same(
    told.map(({ message }) => message),
    Array(3).fill('Log entries dropped: 1.'),
  )
})

t.test('with the database away entries wait, within bounds, and are written later', async (t) => {
  const { clock, lines, records, say, written, world } = setUp()
  world.failure = AWAY
  for (let index = 0; index < PLUGIN_LOG_WAITING_MAX + 500; index++) {
    say(`${index}`, { config: index % 1_000 })
    if (index % 1_000 === 999) await clock.advance(100)
  }
  await clock.advance(10 * PLUGIN_LOG_FLUSH_MS)
  t.same(written(), [])
  const warned = lines.all().filter(({ level }) => level === 'warn')
  t.match(warned, [{ message: 'log entries of plugins are dropped' }])
  t.equal(warned.length, 1, 'told once')
  world.failure = undefined
  await clock.advance(PLUGIN_LOG_FLUSH_MS)
  t.ok(written().length > 0, 'they are tried again by themselves')
  await records.flush()
  t.equal(written().length, PLUGIN_LOG_WAITING_MAX)
  t.match(written()[0], { message: '0' }, 'the oldest are kept')
  t.match(lines.all().at(-1), { message: 'plugin records are stored again', dropped: 500 })
})

t.test('waiting entries are bounded by their characters, as is a statement', async (t) => {
  const { records, say, batches, written, world } = setUp()
  world.failure = AWAY
  const message = 'x'.repeat(PLUGIN_LOG_CHARS_MAX)
  for (let index = 0; index < 400; index++) say(message, { config: index })
  world.failure = undefined
  await records.flush()
  t.equal(written().length, Math.floor(PLUGIN_LOG_WAITING_CHARS_MAX / PLUGIN_LOG_CHARS_MAX))
  for (const batch of batches) {
    t.ok(batch.length * PLUGIN_LOG_CHARS_MAX <= PLUGIN_LOG_BATCH_CHARS_MAX)
  }
  for (let index = 0; index < PLUGIN_LOG_BATCH_ENTRIES_MAX + 1; index++) say('', { config: index })
  await records.flush()
  t.same(
    batches.slice(-2).map((batch) => batch.length),
    [PLUGIN_LOG_BATCH_ENTRIES_MAX, 1],
  )
})

t.test('a record that the database refuses for good does not block others', async (t) => {
  const { records, lines, say, written, world } = setUp()
  world.failure = new Error('refused')
  say('bad')
  records.count(7, 'onEvent', 'failure', 1)
  await records.flush()
  world.failure = undefined
  say('good')
  await records.flush()
  t.same(
    written().map(({ message }) => message),
    ['good'],
  )
  t.equal(lines.all().filter(({ message }) => message === 'plugin records refused').length, 2)
})

t.test('counts are added up by config, minute and kind of call', async (t) => {
  const { clock, counted, records } = setUp()
  records.count(7, 'processEvent', 'success', 3)
  records.count(7, 'processEvent', 'success', 2)
  records.count(7, 'processEvent', 'failure', 1)
  records.count(7, 'onEvent', 'success_on_retry', 4)
  records.count(8, 'processEvent', 'success', 1)
  records.count(8, 'processEvent', 'success', 0)
  await clock.advance(PLUGIN_COUNTS_FLUSH_MS - 1)
  t.same(counted, [])
  clock.jump(60_000)
  records.count(7, 'processEvent', 'success', 9)
  await clock.advance(1)
  const none = { successes: 0, successesOnRetry: 0, failures: 0 }
  const first = { configId: 7, minute: '2023-11-14T22:13:00.000Z', ...none }
  t.same(counted, [
    [
      { ...first, category: 'processEvent', successes: 5, failures: 1 },
      { ...first, category: 'onEvent', successesOnRetry: 4 },
      { ...first, configId: 8, category: 'processEvent', successes: 1 },
      { ...first, category: 'processEvent', minute: '2023-11-14T22:14:00.000Z', successes: 9 },
    ],
  ])
  t.equal(clock.timers(), 0)
})

t.test('no count is lost or doubled while the database comes and goes', async (t) => {
  const steps = fc.array(
    fc.record({ config: fc.integer({ min: 1, max: 3 }), calls: fc.nat(5), away: fc.boolean() }),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { counted, records, world } = setUp()
      const expected = new Map<number, number>()
      for (const { config, calls, away } of steps) {
        world.failure = away ? AWAY : undefined
        records.count(config, 'onEvent', 'success', calls)
        expected.set(config, (expected.get(config) ?? 0) + calls)
        const flushing = records.flush()
        records.count(config, 'onEvent', 'success', 1)
        expected.set(config, (expected.get(config) ?? 0) + 1)
        await flushing
      }
      world.failure = undefined
      await records.flush()
      const seen = new Map<number, number>()
      for (const { configId, successes } of counted.flat()) {
        seen.set(configId, (seen.get(configId) ?? 0) + successes)
      }
      t.same(seen, expected)
    }),
    { numRuns: 50 },
  )
})

t.test('counts that wait are bounded; those that are known go on being added', async (t) => {
  const { records, counted, lines, world } = setUp()
  world.failure = AWAY
  for (let config = 1; config <= PLUGIN_COUNTS_WAITING_MAX + 10; config++) {
    records.count(config, 'onEvent', 'success', 1)
  }
  records.count(1, 'onEvent', 'success', 1)
  await records.flush()
  world.failure = undefined
  await records.flush()
  const rows = counted.flat()
  t.equal(rows.length, PLUGIN_COUNTS_WAITING_MAX)
  t.equal(rows.find(({ configId }) => configId === 1)?.successes, 2)
  t.match(lines.all().at(-1), { message: 'plugin records are stored again', dropped: 10 })
})

t.test('a close writes everything, also of the second that is under way, and ends', async (t) => {
  const { clock, records, say, written, counted, world, lines } = setUp()
  for (let index = 0; index < PLUGIN_LOG_PER_S_MAX + 3; index++) say('x')
  records.count(7, 'onEvent', 'success', 1)
  await records.close()
  t.match(written().at(-1), { message: 'Log entries dropped: 3.' })
  t.equal(counted.flat().length, 1)
  t.equal(clock.timers(), 0)
  const other = setUp()
  other.world.failure = AWAY
  other.say('x')
  await other.records.close()
  t.equal(other.clock.timers(), 0, 'nothing is tried again')
  t.match(other.lines.all().at(-1), { message: 'plugin records lost at shutdown', entries: 1 })
  t.same([world.failure, lines.all()], [undefined, []])
})
