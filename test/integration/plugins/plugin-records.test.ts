import t from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createPluginRecords } from '../../../src/plugins/runtime/records.ts'
import { createPluginRecordsStore } from '../../../src/store/plugins/plugin-records-store.ts'
import { deleteProject } from '../../../src/store/projects/removed-projects-store.ts'
import { createConfig, type PluginRow } from '../../support/plugins/plugin-rows.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

const INSTANCE = '01890000-0000-7000-8000-00000000000a'

async function setUp(t: import('tap').Test) {
  const db = await testDatabase(t)
  const { sql } = db
  const store = createPluginRecordsStore(sql)
  const records = createPluginRecords({ store, clock, log, instanceId: INSTANCE })
  t.teardown(() => records.close())
  const say = ({ projectId, step }: PluginRow, message: string) =>
    records.log({ projectId, step, source: 'CONSOLE', type: 'LOG', message })
  const messages = async ({ configId }: PluginRow) => {
    const rows = await sql<{ message: string }[]>`
      select message from plugin_log_entries where plugin_config_id = ${configId}
      order by timestamp, id`
    return rows.map(({ message }) => message)
  }
  const metrics = async ({ configId }: PluginRow) =>
    await sql`
    select category, sum(successes)::int as s, sum(successes_on_retry)::int as r,
      sum(failures)::int as f
    from plugin_metrics where plugin_config_id = ${configId} group by category order by category`
  return { db, sql, records, say, messages, metrics }
}

t.test('entries are stored as they were said, in their order', async (t) => {
  const { sql, records, say, messages } = await setUp(t)
  const row = await createConfig(sql)
  const said = ['a', 'b\0', 'c\ud800', '"\\u0000', '\u{1f600}', '', "'; drop table x; --"]
  for (const message of said) say(row, message)
  await records.flush()
  t.same(await messages(row), ['a', 'b\ufffd', 'c\ufffd', ...said.slice(3)])
  t.match(await sql`select * from plugin_log_entries order by id limit 1`, [
    {
      project_id: row.projectId,
      plugin_id: row.pluginId,
      plugin_config_id: row.configId,
      source: 'CONSOLE',
      type: 'LOG',
      instance_id: INSTANCE,
    },
  ])
})

t.test('a removed project gets no entries, and a removed config no counts', async (t) => {
  const { sql, records, say, messages, metrics } = await setUp(t)
  const [gone, kept] = [await createConfig(sql), await createConfig(sql)]
  await sql.begin((tx) => deleteProject(tx, gone.projectId))
  for (const row of [gone, kept]) {
    say(row, 'x')
    records.count(row.configId, 'onEvent', 'success', 1)
  }
  await records.flush()
  t.same([await messages(gone), await messages(kept)], [[], ['x']])
  t.same(await metrics(gone), [])
  t.match(await metrics(kept), [{ category: 'onEvent', s: 1 }])
})

t.test('counts of several workers add up', async (t) => {
  const { sql, records, metrics } = await setUp(t)
  const row = await createConfig(sql)
  const store = createPluginRecordsStore(sql)
  const other = createPluginRecords({ store, clock, log, instanceId: INSTANCE })
  for (const each of [records, other, records]) {
    each.count(row.configId, 'processEvent', 'success', 5)
    each.count(row.configId, 'processEvent', 'failure', 1)
    each.count(row.configId, 'exportEvents', 'success_on_retry', 2)
    await Promise.all([records.flush(), other.flush()])
  }
  await other.close()
  t.match(await metrics(row), [
    { category: 'exportEvents', s: 0, r: 6, f: 0 },
    { category: 'processEvent', s: 15, r: 0, f: 3 },
  ])
})

t.test('log entries written while the database was away are stored once it is back', async (t) => {
  const { db, sql, records, say, messages, metrics } = await setUp(t)
  const row = await createConfig(sql)
  say(row, 'before')
  await records.flush()
  await db.pg.kill('SIGKILL')
  say(row, 'meanwhile')
  records.count(row.configId, 'onEvent', 'success', 3)
  await records.flush()
  await db.pg.restart()
  say(row, 'after')
  await until('stored by itself', async () => (await messages(row)).length === 3)
  t.same(await messages(row), ['before', 'meanwhile', 'after'])
  await records.flush()
  t.match(await metrics(row), [{ category: 'onEvent', s: 3 }])
})
