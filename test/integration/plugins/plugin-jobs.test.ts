import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { Json } from '../../../src/core/json.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_JOB_PAYLOAD_BYTES_MAX,
  PLUGIN_JOBS_OF_PROJECT_MAX,
} from '../../../src/core/limits/limits-plugins.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { PLUGIN_JOBS_RUNNING_MAX } from '../../../src/plugins/jobs/job-runner.ts'
import type { CallAnswer } from '../../../src/plugins/ports.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import {
  enqueueJob,
  PLUGIN_JOBS_WAITING_MAX,
  takeJobs,
} from '../../../src/store/plugins/plugin-jobs-store.ts'
import { createConfig, type PluginRow } from '../../support/plugins/plugin-rows.ts'
import { createRunners, failure, OK } from '../../support/plugins/plugin-runners.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

async function setUp(t: Test, configs = 1) {
  const db = await testDatabase(t)
  const { sql } = db
  const rows: PluginRow[] = []
  for (let index = 0; index < configs; index++) rows.push(await createConfig(sql))
  const [row] = rows
  if (row === undefined) throw new Error('a config is needed')
  const runners = createRunners(t, sql, rows)
  const enqueue = async (name: string, of: PluginRow = row, payload: Json = {}) =>
    await enqueueJob(sql, of.configId, { name, payload, runAtMs: Date.now() })
  const left = async () => {
    const [found] = await sql<{ jobs: number }[]>`select count(*)::int as jobs from plugin_jobs`
    return found?.jobs ?? 0
  }
  const waitForNone = () => until('no job is left', async () => (await left()) === 0)
  const stored = async () =>
    await sql`
    select name, attempts, payload, run_at <= now() as due from plugin_jobs order by name`
  return { db, sql, rows, row, ...runners, enqueue, left, waitForNone, stored }
}

/** A call that ends when told. */
function gate() {
  let open = (_answer: CallAnswer) => {}
  const passed = new Promise<CallAnswer>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

t.test('a job is called with its payload when its time has come, and goes', async (t) => {
  const { sql, row, world, jobs, enqueue, waitForNone, stored } = await setUp(t)
  const later = { name: 'later', payload: {}, runAtMs: Date.now() + 3_600_000 }
  const id = await enqueueJob(sql, row.configId, later)
  t.match(id, /^[0-9a-f-]{36}$/)
  await enqueueJob(sql, row.configId, { name: 'past', payload: null, runAtMs: 0 })
  await enqueue('now', row, { a: [1, 'b\0'] })
  jobs('a')
  await until('two jobs ran', () => world.counted.length === 2)
  t.match(await stored(), [{ name: 'later', attempts: 0, due: false }])
  t.same(
    world.calls
      .map(({ name, payload }) => ({ name, payload }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'now', payload: { a: [1, 'b\ufffd'] } },
      { name: 'past', payload: {} },
    ],
  )
  t.same(world.counted, ['scheduledTask success', 'scheduledTask success'])
  await sql`update plugin_jobs set run_at = now()`
  await waitForNone()
  t.equal(world.calls.at(-1)?.name, 'later')
})

t.test('jobs in the queue are bounded, in words for the plugin', async (t) => {
  const { sql, row, enqueue } = await setUp(t)
  const ask = (name: string, payload: Json, runAtMs = Date.now()) =>
    enqueueJob(sql, row.configId, { name, payload, runAtMs })
  const year = 366 * 86_400_000
  await ask('in time', {}, Date.now() + 9 * year)
  await t.rejects(ask('x', {}, Date.now() + 11 * year), { message: /within ten years/ })
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    await t.rejects(ask('x', {}, time), { message: 'The time of a job is not a valid time.' })
  }
  for (const name of ['', 'n'.repeat(201)]) {
    await t.rejects(ask(name, {}), { message: /1 to 200 characters/ })
  }
  for (const payload of [1, 'x', [1], true]) {
    await t.rejects(ask('x', payload), { message: /must be an object/ })
  }
  const text = 'x'.repeat(PLUGIN_JOB_PAYLOAD_BYTES_MAX - '{"a":""}'.length)
  await ask('full', { a: text })
  await t.rejects(ask('x', { a: `${text}x` }), { message: /larger than 65536 bytes/ })
  await sql`insert into plugin_jobs (id, plugin_config_id, name)
    select gen_random_uuid(), ${row.configId}, 'n'
    from generate_series(1, ${PLUGIN_JOBS_WAITING_MAX - 2}::integer)`
  await t.rejects(enqueue('x'), { message: /At most 10000 jobs/ })
  await sql`delete from plugin_configs`
  await t.rejects(enqueue('x'), { message: 'The plugin config has been removed.' })
})

t.test('two runners at once run each job once, and share them', async (t) => {
  const { world, jobs, enqueue, waitForNone, rows } = await setUp(t, 6)
  for (let index = 0; index < 240; index++) await enqueue(`${index}`, rows[index % 6])
  jobs('a')
  jobs('b')
  await waitForNone()
  const names = world.calls.map(({ name }) => name)
  t.equal(names.length, 240)
  t.equal(new Set(names).size, 240)
  t.equal(new Set(world.calls.map(({ worker }) => worker)).size, 2)
  t.same(new Set(world.counted), new Set(['scheduledTask success']))
})

t.test('a job that fails is tried again, and dropped after its attempts', async (t) => {
  const { world, jobs, enqueue, waitForNone } = await setUp(t)
  world.answer = async ({ name }) => {
    const calls = world.calls.filter((call) => call.name === name).length
    if (name === 'mends' && calls === 3) return OK
    return failure(`${name} ${calls}`, name === 'mends')
  }
  await enqueue('fails')
  await enqueue('mends')
  jobs('a')
  await waitForNone()
  const callsOf = (name: string) => world.calls.filter((call) => call.name === name).length
  t.same([callsOf('fails'), callsOf('mends')], [PLUGIN_ATTEMPTS_MAX, 3])
  await until('both are counted', () => world.counted.length === 2)
  t.same(world.counted.sort(), ['scheduledTask failure', 'scheduledTask success_on_retry'])
  const errors = world.said.filter(({ type }) => type === 'ERROR')
  t.match(errors, [
    {
      source: 'PLUGIN',
      message: /^Job "fails" failed, attempt 5, and is given up\.\nError: fails 5\n.* at index\.ts/,
    },
  ])
  t.equal(world.said.length, PLUGIN_ATTEMPTS_MAX + 2, 'each failure is said')
  t.match(world.errors.at(-1), { message: /fails|mends/, name: 'Error' })
})

t.test('the wait after a failure doubles', async (t) => {
  const { sql, world, jobs, enqueue } = await setUp(t)
  world.answer = async () => failure('no')
  await enqueue('fails')
  jobs('a', { retryMs: 100_000 })
  const waits: number[] = []
  for (let attempt = 1; attempt < PLUGIN_ATTEMPTS_MAX; attempt++) {
    await until('it has failed', () => world.said.length === attempt)
    const [row] = await sql<{ wait: number }[]>`
      update plugin_jobs set run_at = now()
      returning (select extract(epoch from j.run_at - now())::float8 from plugin_jobs j) as wait`
    waits.push(Math.round((row?.wait ?? 0) / 100))
  }
  t.same(waits, [1, 2, 4, 8])
})

t.test('the jobs of a runner that died are taken over when their lease is out', async (t) => {
  const { sql, world, jobs, enqueue, stored, waitForNone, row } = await setUp(t)
  await enqueue('abandoned')
  const dead = { count: 5, leaseMs: 60_000, held: [], resting: [], avoided: [] }
  t.match(await takeJobs(sql, dead), [{ name: 'abandoned', attempts: 1, configId: row.configId }])
  jobs('b')
  await enqueue('other')
  await until('the other one has run', () => world.calls.length === 1)
  t.match(await stored(), [{ name: 'abandoned', due: false }], 'not while it is held')
  await sql`update plugin_jobs set run_at = now()`
  await waitForNone()
  t.match(world.calls[1], { worker: 'b', name: 'abandoned' })
  t.same(world.counted.at(-1), 'scheduledTask success_on_retry')
})

t.test('a job is dropped when every worker that took it died of it', async (t) => {
  const { sql, world, jobs, enqueue, waitForNone } = await setUp(t)
  await enqueue('kills')
  await sql`update plugin_jobs set attempts = ${PLUGIN_ATTEMPTS_MAX}`
  jobs('a')
  await waitForNone()
  await until('it is counted', () => world.counted.length === 1)
  t.same([world.calls, world.counted], [[], ['scheduledTask failure']])
  t.match(world.said, [{ type: 'ERROR', message: /The worker ended before the job did/ }])
})

t.test('the lease of a job that is under way is renewed', async (t) => {
  const { world, jobs, enqueue, waitForNone, sql } = await setUp(t)
  const held = gate()
  world.answer = () => held.passed
  await enqueue('long')
  jobs('a', { renewMs: 50 })
  await until('it runs', () => world.calls.length === 1)
  const lease = async () => {
    const [row] = await sql<{ until: Date }[]>`select run_at as until from plugin_jobs`
    return row?.until.getTime() ?? 0
  }
  for (let renewal = 1; renewal <= 3; renewal++) {
    const before = await lease()
    await until('it is renewed', async () => (await lease()) > before)
  }
  held.open(OK)
  await waitForNone()
  t.equal(world.calls.length, 1)
})

t.test('a runner that has lost its lease changes nothing any more', async (t) => {
  const { sql, world, jobs, enqueue, stored } = await setUp(t)
  const [first, second] = [gate(), gate()]
  world.answer = async ({ worker, name }) => {
    if (name === 'probe') return OK
    return await (worker === 'a' ? first.passed : second.passed)
  }
  await enqueue('contested')
  const a = jobs('a', { renewMs: 600_000 })
  await until('a has it', () => world.calls.length === 1)
  await sql`update plugin_jobs set run_at = now()`
  await enqueue('probe')
  await until('a has looked again', async () => (await stored()).length === 1)
  const names = world.calls.map(({ name }) => name)
  t.same(names, ['contested', 'probe'], 'a knows what it runs')
  world.counted.length = 0
  const b = jobs('b')
  await until('b has taken it over', () => world.calls.length === 3)
  const stopping = a.stop()
  first.open(OK)
  await stopping
  t.match(await stored(), [{ name: 'contested', attempts: 2, due: false }])
  t.same([world.counted, world.said], [[], []])
  second.open(OK)
  await until('it is gone', async () => (await stored()).length === 0)
  await b.stop()
  t.same(world.counted, ['scheduledTask success_on_retry'])
})

t.test('jobs of a config that is not in force wait, and go after a day', async (t) => {
  const { sql, world, jobs, enqueue, stored, waitForNone, rows } = await setUp(t, 3)
  const [off, level, on] = rows
  await sql`update plugin_configs set enabled = false where id = ${off?.configId ?? 0}`
  await sql`update organizations set plugins_access_level = 0 where id = (
    select organization_id from projects where id = ${level?.projectId ?? 0})`
  await enqueue('off', off)
  await enqueue('level', level)
  await enqueue('old', off)
  await enqueue('old and on', on)
  await sql`update plugin_jobs set run_at = now() - interval '25 hours' where name like 'old%'`
  jobs('a')
  await until('the old one is gone', async () => (await stored()).length === 2)
  t.match(await stored(), [
    { name: 'level', attempts: 0, due: true },
    { name: 'off', attempts: 0, due: true },
  ])
  t.same(
    world.calls.map(({ name }) => name),
    ['old and on'],
  )
  await sql`update plugin_configs set enabled = true`
  await sql`update organizations set plugins_access_level = 9`
  await waitForNone()
  t.equal(world.calls.length, 3)
})

t.test('a plugin that cannot be loaded costs its jobs nothing, until they are old', async (t) => {
  const { sql, world, jobs, enqueue, stored, waitForNone, row } = await setUp(t)
  world.unloadable.add(row.configId)
  await enqueue('waits')
  await enqueue('old')
  await sql`update plugin_jobs set run_at = now() - interval '25 hours' where name = 'old'`
  const [before] = await sql`select run_at from plugin_jobs where name = 'waits'`
  const first = jobs('a')
  await until('the old one is gone', async () => (await stored()).length === 1)
  await until('the other is back', async () => (await stored())[0]?.['due'] === true)
  t.match(await stored(), [{ name: 'waits', attempts: 0 }])
  t.same((await sql`select run_at from plugin_jobs`)[0], before, 'due as it was')
  await first.stop()
  world.unloadable.clear()
  jobs('b')
  await waitForNone()
  t.same(
    world.calls.map(({ name }) => name),
    ['waits'],
  )
})

t.test('a project with many jobs is not in front of the others', async (t) => {
  const { world, jobs, enqueue, waitForNone, rows } = await setUp(t, 3)
  const [hog, small, late] = rows
  for (let index = 0; index < 60; index++) await enqueue(`hog ${index}`, hog)
  await enqueue('small', small)
  const held = gate()
  world.answer = () => held.passed
  jobs('a')
  await until('as many run as may', () => world.calls.length > 1)
  await enqueue('late', late)
  await until('the late one runs too', () => world.calls.some(({ name }) => name === 'late'))
  t.ok(world.calls.some(({ name }) => name === 'small'))
  const hogs = world.calls.filter(({ config }) => config === hog?.configId).length
  t.ok(hogs < 2 * PLUGIN_JOBS_OF_PROJECT_MAX && hogs < PLUGIN_JOBS_RUNNING_MAX, `${hogs} of one`)
  held.open(OK)
  await waitForNone()
  t.equal(world.calls.length, 62)
})

t.test(
  'a restart of the database loses no job, and runs none twice that it need not',
  async (t) => {
    const { db, world, jobs, enqueue, waitForNone, left } = await setUp(t)
    for (let index = 0; index < 30; index++) await enqueue(`${index}`)
    const held = gate()
    world.answer = () => held.passed
    jobs('a')
    jobs('b')
    // Then nothing is being taken, whose outcome would be unknown for as long as a lease.
    const most = 2 * PLUGIN_JOBS_OF_PROJECT_MAX
    await until('each runs as many as it may', () => world.calls.length === most)
    await db.pg.kill('SIGKILL')
    held.open(OK)
    world.answer = async () => OK
    await db.pg.restart()
    await waitForNone()
    const names = world.calls.map(({ name }) => name)
    t.equal(new Set(names).size, 30)
    t.equal(names.length, 30, 'the end of each was written once the database was back')
    t.equal(await left(), 0)
  },
)

t.test('a runner that ends gives back what it cut short', async (t) => {
  const { world, jobs, enqueue, stored } = await setUp(t)
  const held = gate()
  world.answer = () => held.passed
  await enqueue('cut')
  const a = jobs('a')
  await until('it runs', () => world.calls.length === 1)
  const stopping = a.stop()
  held.open(failure('the plugin is being unloaded'))
  await stopping
  t.match(await stored(), [{ name: 'cut', attempts: 0, due: true }])
  t.same([world.counted, world.said], [[], []])
})

t.test('a runner whose call never ends ends nonetheless', async (t) => {
  const { db, world, enqueue, rows } = await setUp(t)
  const sql = createSql(db.connection, { applicationName: 'own', connectionsMax: 2, log })
  const own = createRunners(t, sql, rows)
  const begun = new EventTarget()
  own.world.answer = () => {
    begun.dispatchEvent(new Event('begun'))
    return new Promise<CallAnswer>(() => {})
  }
  const started = once(begun, 'begun')
  await enqueue('hangs')
  const a = own.jobs('a', { stopMs: 50 })
  await started
  await a.stop()
  await sql.end()
  t.same(world.counted, [])
})
