import t, { type Test } from 'tap'
import { shardOf } from '../../../cluster/shards/shard.ts'
import { createMailbox } from '../../../src/actor/mailbox.ts'
import { createChangeFeed } from '../../../src/core/change-feed.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { PluginHost } from '../../../src/plugins/ports.ts'
import { createPluginRuntime } from '../../../src/plugins/runtime/runtime.ts'
import { createPluginStates } from '../../../src/plugins/runtime/states.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { followChanges } from '../../../src/project/follow-changes.ts'
import { createIngestRoute } from '../../../src/project/ingest-route.ts'
import type { PluginStep } from '../../../src/project/plugin-ports.ts'
import { createProjects } from '../../../src/project/projects.ts'
import {
  insertPluginConfig,
  updatePluginConfig,
} from '../../../src/store/plugins/plugin-config-store.ts'
import {
  loadPluginDefinitions,
  loadPluginPlan,
} from '../../../src/store/plugins/plugin-plan-store.ts'
import {
  changeFenced,
  createShardStore,
  SHARD_SQL_OPTIONS,
} from '../../../src/store/projects/postgres-shard-store.ts'
import { loadProject } from '../../../src/store/projects/project-state-store.ts'
import { TEST_KEYS } from '../../support/api/management.ts'
import { createProject, makeEvent, openWriter } from '../../support/ingest/ingest-store.ts'
import {
  createFakeLoader,
  type FakePlugin,
  pluginError,
  SITE_URL,
} from '../../support/plugins/plugin-runtime.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until } from '../../support/until.ts'

/** The actors of a worker over a database, with plugins that the test makes. */
async function setUp(t: Test) {
  const db = await testDatabase(t)
  const { sql } = db
  const project = await createProject(sql)
  const hub = createChangeFeed(log)
  const shards = createShardStore({
    open: () => createSql(db.connection, { ...SHARD_SQL_OPTIONS, log }),
    clock,
  })
  t.teardown(() => shards.close())
  const shard = shardOf(project)
  const seen = (await shards.list()).filter((row) => row.shard === shard)
  const epoch = (await shards.claim('test', seen)).get(shard)
  if (epoch === undefined) throw new Error('the shard was not claimed')
  const writer = openWriter(t, db)
  const plugins = new Map<number, FakePlugin>()
  const said: string[] = []
  const told: [step: PluginStep, events: readonly string[]][] = []
  const loader = createFakeLoader(plugins, said)
  // No plugin of these tests asks anything of it.
  const host: PluginHost = Object.create(null)
  const runtime = createPluginRuntime(
    {
      loaders: { source: loader, builtin: loader },
      loadDefinitions: (of, ids) => loadPluginDefinitions(sql, TEST_KEYS, of, ids),
      loadPlan: (of) => loadPluginPlan(sql, of),
      hostOf: () => host,
      dryHostOf: () => host,
      records: { log() {}, count() {}, flush: async () => {}, close: async () => {} },
      states: createPluginStates({ sql, feed: hub, log }),
      delivery: {
        stored: ({ definition }, events) =>
          told.push([definition.step, events.map(({ event }) => event)]),
        flush: async () => {},
        close: async () => {},
      },
      sink: writer,
      clock,
      log,
    },
    { siteUrl: () => SITE_URL },
  )
  t.teardown(() => runtime.close(5_000))
  const projects = createProjects({
    load: (of) => loadProject(sql, of),
    commit: (of, change) => changeFenced(sql, { shard, epoch, project: of }, change),
    remove: async () => {},
    createMailbox: () => createMailbox({ turnsMax: 10 }),
    sink: writer,
    plugins: runtime,
    feed: hub,
    clock,
    log,
  })
  t.teardown(() => projects.close())
  t.teardown(followChanges({ hub, projects, log }))
  const route = createIngestRoute({ projects, sink: writer, clock, log })
  const [row] = await sql<{ id: number }[]>`
    insert into plugins (organization_id, plugin_type, name)
    select organization_id, 'source', 'Own' from projects returning id`
  const plugin = row?.id ?? 0
  await sql`
    insert into plugin_source_files (plugin_id, filename, source)
    values (${plugin}, 'index.ts', '')`
  const fields = { enabled: true, order: 1, settings: {}, secretNames: [], error: null }
  const configure = () =>
    projects.mutate(project, (tx) => insertPluginConfig(tx, project, plugin, fields))
  const save = (config: number, more: Partial<typeof fields> = {}) =>
    projects.mutate(project, (tx) => updatePluginConfig(tx, config, { ...fields, ...more }))
  const ingest = (event: string, properties = '{}') =>
    route.ingest({ projectId: project, events: [makeEvent({ event, properties })], bytes: 100 })
  const stored = async () => {
    const rows = await sql<{ event: string; properties: Record<string, unknown> }[]>`
      select event, properties from events`
    return new Map(rows.map(({ event, properties }) => [event, properties]))
  }
  return { sql, project, plugins, said, told, projects, configure, save, ingest, stored }
}

t.test('a project without plugins in force goes straight to the store', async (t) => {
  const { projects, project, said, configure, save, ingest, stored } = await setUp(t)
  t.match(await ingest('a'), { kind: 'stored', stored: 1 })
  await save(await configure(), { enabled: false })
  t.equal((await projects.activate(project)).state().plugins, undefined)
  await ingest('b')
  t.same([...(await stored()).values()], [{}, {}])
  t.notOk(said.some((each) => each.startsWith('process')))
})

t.test('the event that a plugin returns is stored, with its person', async (t) => {
  const { sql, plugins, told, configure, ingest, stored } = await setUp(t)
  const config = await configure()
  plugins.set(config, {
    onEvent: true,
    processEvent(event) {
      if (event.event === 'drop') return undefined
      event.properties['$set'] = { plan: 'pro' }
      return event
    },
  })
  t.match(await ingest('drop'), { kind: 'stored', stored: 0 })
  t.match(await ingest('keep', '{"a":1}'), { kind: 'stored', stored: 1 })
  const label = `Own (${config})`
  t.same(
    [...(await stored())],
    [
      [
        'keep',
        {
          a: 1,
          $set: { plan: 'pro' },
          $plugins_succeeded: [label],
          $plugins_failed: [],
          $plugins_deferred: [label],
        },
      ],
    ],
  )
  const [person] = await sql`select properties from persons`
  t.match(person?.['properties'], { plan: 'pro' })
  t.match(told, [[{ configId: config }, ['keep']]])
})

t.test('a saved config has another instance for the events that come then', async (t) => {
  const { plugins, said, configure, save, ingest, stored } = await setUp(t)
  const config = await configure()
  plugins.set(config, { processEvent: (event) => ({ ...event, properties: { version: 1 } }) })
  await ingest('a')
  plugins.set(config, { processEvent: (event) => ({ ...event, properties: { version: 2 } }) })
  await ingest('b')
  await save(config)
  await ingest('c')
  const events = await stored()
  t.match(events.get('a'), { version: 1 })
  t.match(events.get('b'), { version: 1 })
  t.match(events.get('c'), { version: 2 })
  await until('the old one ends', () => said.includes(`teardown ${config}`))
})

t.test(
  'a plugin that cannot be set up is disabled, and comes back when it is enabled',
  async (t) => {
    const { sql, project, plugins, said, projects, configure, save, ingest, stored } =
      await setUp(t)
    const config = await configure()
    const keep: FakePlugin = { processEvent: (event) => event }
    plugins.set(config, { ...keep, setup: [pluginError('no token')] })
    t.match(await ingest('a'), { kind: 'stored', stored: 1 })
    const actor = await projects.activate(project)
    await until('the plan is gone', () => actor.state().plugins === undefined)
    const [row] = await sql`select enabled, error from plugin_configs`
    t.match(row, { enabled: false, error: { message: 'no token' } })
    await ingest('b')
    plugins.set(config, keep)
    await save(config)
    await ingest('c')
    const events = await stored()
    t.same([events.get('a'), events.get('b')], [{}, {}])
    t.match(events.get('c'), { $plugins_succeeded: [`Own (${config})`] })
    await save(config, { enabled: false })
    await until('it is unloaded', () => said.at(-1) === `teardown ${config}`)
  },
)

t.test('a failure is kept in the row of the config and reloads nothing', async (t) => {
  const { sql, project, plugins, said, projects, configure, ingest } = await setUp(t)
  const config = await configure()
  plugins.set(config, {
    processEvent() {
      throw new TypeError('no')
    },
  })
  await ingest('a')
  await until(
    'the error is kept',
    async () => (await sql`select error from plugin_configs`)[0]?.['error'] !== null,
  )
  const [row] = await sql`select enabled, error from plugin_configs`
  t.match(row, {
    enabled: true,
    error: { name: 'TypeError', message: 'no', event: { event: 'a' } },
  })
  await (await projects.activate(project)).refresh()
  await ingest('b')
  t.equal(said.filter((each) => each.startsWith('load ')).length, 1)
})
