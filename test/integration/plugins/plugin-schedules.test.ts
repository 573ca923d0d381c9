import t, { type Test } from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import type { Json } from '../../../src/core/json.ts'
import { dueTimeAt, SCHEDULES } from '../../../src/plugins/jobs/due-times.ts'
import type { CallAnswer } from '../../../src/plugins/ports.ts'
import type { Schedule } from '../../../src/project/plugin-ports.ts'
import { claimTasks } from '../../../src/store/plugins/plugin-schedule-store.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createConfig, type PluginRow } from '../../support/plugins/plugin-rows.ts'
import { createRunners, failure, OK } from '../../support/plugins/plugin-runners.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** 20 s into a minute. */
const START_MS = Date.parse('2024-02-29T22:58:20Z')

/** The wall clock stands still until the test moves it; sleeps are the machine's. */
async function setUp(t: Test, tasks: readonly Json[] = ['runEveryMinute']) {
  const db = await testDatabase(t, { connectionsMax: 8 })
  const { sql } = db
  const rows: PluginRow[] = []
  for (const scheduled_tasks of tasks) {
    rows.push(await createConfig(sql, undefined, { methods: [], jobs: [], scheduled_tasks }))
  }
  const [row] = rows
  if (row === undefined) throw new Error('a config is needed')
  const wall = createFakeClock(START_MS)
  const clock = { ...systemClock, now: () => wall.now() }
  const runners = createRunners(t, sql, rows, clock)
  const slots = async () => {
    const found = await sql<{ kind: Schedule; slot: Date }[]>`
      select kind, slot from plugin_schedules order by plugin_config_id, kind`
    return found.map(({ kind, slot }) => `${kind} ${slot.toISOString()}`)
  }
  const pass = (ms: number) => wall.jump(ms)
  const begun = (tasks: number) =>
    until('the tasks are known', async () => (await slots()).length === tasks)
  return { db, sql, rows, row, wall, ...runners, slots, pass, begun }
}

const listed = (schedules: readonly Schedule[]): Json => [...schedules]

t.test('tasks run at whole minutes, whole hours and midnight in UTC', async (t) => {
  const { world, schedules, slots, pass, begun } = await setUp(t, [listed(SCHEDULES)])
  schedules('a')
  await begun(3)
  t.same(await slots(), [
    'runEveryDay 2024-02-29T00:00:00.000Z',
    'runEveryHour 2024-02-29T22:00:00.000Z',
    'runEveryMinute 2024-02-29T22:58:00.000Z',
  ])
  t.same(world.calls, [], 'what had begun before the plugin was known is not made up for')
  const names = () => world.calls.map(({ name }) => name)
  pass(40_000)
  await until('a minute', () => names().length === 1)
  pass(MINUTE_MS)
  await until('an hour', () => names().length === 3)
  t.same(names().sort(), ['runEveryHour', 'runEveryMinute', 'runEveryMinute'])
  pass(HOUR_MS)
  await until('a day', () => names().length === 6)
  t.ok(names().includes('runEveryDay'))
  t.same(await slots(), [
    'runEveryDay 2024-03-01T00:00:00.000Z',
    'runEveryHour 2024-03-01T00:00:00.000Z',
    'runEveryMinute 2024-03-01T00:00:00.000Z',
  ])
  t.same(new Set(world.counted), new Set(['scheduledTask success']))
})

t.test('slots that were missed are left out, but for the newest', async (t) => {
  const { world, schedules, pass, begun, slots } = await setUp(t)
  const first = schedules('a')
  await begun(1)
  await first.stop()
  pass(10 * MINUTE_MS)
  schedules('b')
  await until('it runs', () => world.calls.length === 1)
  t.same(await slots(), ['runEveryMinute 2024-02-29T23:08:00.000Z'])
  pass(MINUTE_MS)
  await until('the next', () => world.calls.length === 2)
})

t.test('three workers at once run each slot of each config once', async (t) => {
  const tasks = Array.from({ length: 12 }, () => listed(['runEveryMinute', 'runEveryHour']))
  const { world, schedules, pass, begun, slots } = await setUp(t, tasks)
  for (const worker of ['a', 'b', 'c']) schedules(worker)
  await begun(24)
  for (let minute = 1; minute <= 4; minute++) {
    pass(MINUTE_MS)
    const now = new Date(START_MS + minute * MINUTE_MS - 20_000).toISOString()
    await until('all are claimed', async () => {
      const minutes = (await slots()).filter((slot) => slot.startsWith('runEveryMinute'))
      return minutes.every((slot) => slot.endsWith(now))
    })
  }
  const expected = 12 * 4 + 12
  await until('all have run', () => world.counted.length === expected)
  t.equal(world.calls.length, expected)
  const perTask = new Map<string, number>()
  for (const { config, name } of world.calls) {
    perTask.set(`${config} ${name}`, (perTask.get(`${config} ${name}`) ?? 0) + 1)
  }
  for (const [task, calls] of perTask) t.equal(calls, task.endsWith('Minute') ? 4 : 1, task)
})

t.test('only tasks that a plugin names, of configs in force, are run', async (t) => {
  const odd: Json[] = [null, 'runEveryMinute?', {}, 7, ['runEverySecond', 'setupPlugin'], []]
  const { sql, rows, world, schedules, slots, pass, begun } = await setUp(t, [
    ['runEveryMinute', 'runEveryMinute'],
    ['runEveryMinute'],
    ...odd,
  ])
  await sql`update plugin_configs set enabled = false where id = ${rows[1]?.configId ?? 0}`
  await sql`update plugins set capabilities = '[]' where id = ${rows[2]?.pluginId ?? 0}`
  schedules('a')
  await begun(1)
  pass(MINUTE_MS)
  await until('it runs', () => world.calls.length === 1)
  t.match(world.calls, [{ config: rows[0]?.configId, name: 'runEveryMinute' }])
  t.equal((await slots()).length, 1)
})

t.test('a task that fails is counted and said; the next slot runs again', async (t) => {
  const { world, schedules, pass, begun } = await setUp(t)
  world.answer = async () => failure('broken')
  schedules('a')
  await begun(1)
  pass(MINUTE_MS)
  await until('it has failed', () => world.errors.length === 1)
  t.match(world.said, [
    {
      type: 'ERROR',
      source: 'PLUGIN',
      message: /^Scheduled task runEveryMinute failed\.\nError: broken/,
    },
  ])
  t.match(world.errors, [{ message: 'broken' }])
  world.answer = async () => OK
  pass(MINUTE_MS)
  await until('the next', () => world.counted.length === 2)
  t.same(world.counted, ['scheduledTask failure', 'scheduledTask success'])
})

t.test('a task that takes longer than its period does not run beside itself', async (t) => {
  const { world, rows, schedules, pass, begun } = await setUp(t, [
    ['runEveryMinute'],
    ['runEveryMinute'],
  ])
  const [slow, quick] = rows
  let end = (_answer: CallAnswer) => {}
  const held = new Promise<CallAnswer>((resolve) => {
    end = resolve
  })
  world.answer = async ({ config }) => (config === slow?.configId ? await held : OK)
  schedules('a')
  await begun(2)
  const of = (row: PluginRow | undefined) =>
    world.calls.filter(({ config }) => config === row?.configId).length
  for (let minute = 1; minute <= 3; minute++) {
    pass(MINUTE_MS)
    await until('the other goes on', () => of(quick) === minute)
  }
  t.equal(of(slow), 1)
  end(OK)
  await until('it runs again', () => of(slow) === 2)
})

t.test('the slot of a worker that died is left out, and only that one', async (t) => {
  const { sql, world, schedules, pass, begun, slots } = await setUp(t)
  const first = schedules('a')
  await begun(1)
  await first.stop()
  pass(MINUTE_MS)
  const dueMs = dueTimeAt('runEveryMinute', START_MS + MINUTE_MS)
  const dead = await claimTasks(sql, [{ schedule: 'runEveryMinute', dueMs }], 5, [])
  t.equal(dead.length, 1)
  schedules('b')
  pass(MINUTE_MS)
  await until('it runs', () => world.calls.length === 1)
  t.same(await slots(), ['runEveryMinute 2024-02-29T23:00:00.000Z'])
})

t.test('a worker whose clock is wrong takes no slot', async (t) => {
  const { sql, row } = await setUp(t)
  const dueTimesAt = (ms: number) => [
    { schedule: 'runEveryMinute' as const, dueMs: dueTimeAt('runEveryMinute', ms) },
  ]
  await sql`insert into plugin_schedules (plugin_config_id, kind, slot)
    values (${row.configId}, 'runEveryMinute', now() - interval '1 hour')`
  t.same(await claimTasks(sql, dueTimesAt(Date.now() + 300_000), 5, []), [])
  const near = dueTimesAt(Date.now())
  t.equal((await claimTasks(sql, near, 5, [])).length, 1)
  t.same(await claimTasks(sql, near, 5, []), [], 'once')
  t.same(await claimTasks(sql, dueTimesAt(Date.now() - 120_000), 5, []), [], 'nor one behind')
})

t.test('one of two claims that overlap takes the slot', async (t) => {
  const { sql, row } = await setUp(t)
  await sql`insert into plugin_schedules (plugin_config_id, kind, slot)
    values (${row.configId}, 'runEveryMinute', now() - interval '1 hour')`
  const slot = {
    schedule: 'runEveryMinute' as const,
    dueMs: dueTimeAt('runEveryMinute', Date.now()),
  }
  const { late } = await sql.begin(async (tx) => {
    t.equal((await claimTasks(tx, [slot], 5, [])).length, 1)
    const late = claimTasks(sql, [slot], 5, [])
    await until('the other one waits', async () => {
      const [found] = await sql`select count(*)::int as waiting from pg_locks where not granted`
      return found?.['waiting'] > 0
    })
    return { late }
  })
  t.same(await late, [])
})

t.test('a restart of the database runs no slot twice, and later ones go on', async (t) => {
  const tasks = Array.from({ length: 4 }, () => listed(['runEveryMinute']))
  const { db, world, schedules, pass, begun } = await setUp(t, tasks)
  schedules('a')
  schedules('b')
  await begun(4)
  pass(MINUTE_MS)
  await until('all have run', () => world.counted.length === 4)
  await db.pg.kill('SIGKILL')
  pass(MINUTE_MS)
  await db.pg.restart()
  await until('all run again', () => world.counted.length === 8)
  pass(MINUTE_MS)
  await until('and again', () => world.counted.length === 12)
  t.equal(world.calls.length, 12)
})
