import t, { type Test } from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import {
  loadPluginDefinitions,
  loadPluginPlan,
} from '../../../src/store/plugins/plugin-plan-store.ts'
import {
  clearPluginError,
  savePluginCapabilities,
  savePluginError,
} from '../../../src/store/plugins/plugin-state-store.ts'
import { loadProject } from '../../../src/store/projects/project-state-store.ts'
import { as, jsonField, startManagement, TEST_KEYS } from '../../support/api/management.ts'
import { configFields, installed, pluginFields } from '../../support/plugins/plugins.ts'

const SCHEMA = [
  { key: 'host', type: 'string', default: 'example.com' },
  { key: 'token', type: 'string', secret: true, default: 'none' },
  { key: 'rules', type: 'attachment', default: 'x' },
  { key: 'plain', type: 'string' },
]
const MANIFEST = JSON.stringify({ name: 'Exporter', config: SCHEMA })

async function setUp(t: Test) {
  const m = await startManagement(t)
  const key = m.owner.personalApiKey
  const project = projectId(m.owner.project?.id ?? 0)
  const project_id = String(project)
  const configs = m.services['sluice.v1.PluginConfigService']
  const plugins = m.services['sluice.v1.PluginService']
  const install = (files: Record<string, string> = { 'index.js': 'js', 'plugin.json': MANIFEST }) =>
    installed(m, key, files)
  const configure = async (plugin: number, fields: object = {}) => {
    const request = { ...configFields(), project_id, plugin, order: 1, enabled: true, ...fields }
    return (await configs.CreatePluginConfig(request, as(key))).id ?? 0
  }
  const patch = (id: number, fields: object) =>
    configs.UpdatePluginConfig(
      { ...configFields(), project_id, id: String(id), ...fields },
      as(key),
    )
  const plan = () => loadPluginPlan(m.sql, project)
  const revision = async () => (await loadProject(m.sql, project)).revision
  return {
    ...m,
    key,
    project,
    project_id,
    configs,
    plugins,
    install,
    configure,
    patch,
    plan,
    revision,
  }
}

t.test('a project without configs in force has no plan', async (t) => {
  const { sql, project, install, configure, plan } = await setUp(t)
  t.equal(await plan(), undefined)
  t.equal((await loadProject(sql, project)).plugins, undefined)
  await configure(await install(), { enabled: false })
  t.equal(await plan(), undefined)
  t.equal((await loadProject(sql, project)).plugins, undefined)
  t.equal(await loadPluginPlan(sql, projectId(99)), undefined)
})

t.test('a plan has the enabled configs by order, then plugin', async (t) => {
  const { sql, project, install, configure, plan } = await setUp(t)
  const [a, b, c, off] = [await install(), await install(), await install(), await install()]
  const ids = {
    c: await configure(c, { order: 1 }),
    b: await configure(b, { order: 2 }),
    a: await configure(a, { order: 2 }),
    off: await configure(off, { enabled: false }),
  }
  const expected = [
    { configId: ids.c, pluginId: c, pluginName: 'Exporter', order: 1 },
    { configId: ids.a, pluginId: a, pluginName: 'Exporter', order: 2 },
    { configId: ids.b, pluginId: b, pluginName: 'Exporter', order: 2 },
  ]
  t.match(await plan(), expected)
  t.equal((await plan())?.length, 3)
  t.same((await loadProject(sql, project)).plugins, await plan())
})

t.test(
  'plugins of others run only while they are global, and none without the level',
  async (t) => {
    const { sql, project, install, configure, plan } = await setUp(t)
    const plugin = await install()
    await configure(plugin)
    await sql`
    insert into organizations (id, name, slug)
    values ('018f0000-0000-7000-8000-000000000009', 'Other', 'other')`
    await sql`update plugins set organization_id = '018f0000-0000-7000-8000-000000000009'`
    t.equal(await plan(), undefined)
    const [config] = await sql<{ id: number }[]>`select id from plugin_configs`
    t.same(await loadPluginDefinitions(sql, TEST_KEYS, project, [config?.id ?? 0]), [])
    await sql`update plugins set is_global = true`
    t.equal((await plan())?.length, 1)
    await sql`update organizations set plugins_access_level = 0 where slug <> 'other'`
    t.equal(await plan(), undefined)
    t.same(await loadPluginDefinitions(sql, TEST_KEYS, project, [config?.id ?? 0]), [])
  },
)

t.test('every save is another stamp and another revision', async (t) => {
  const { plugins, configs, project_id, key, install, configure, patch, plan, revision } =
    await setUp(t)
  const plugin = await install()
  const id = await configure(plugin)
  const source = (files: Record<string, string | null>) =>
    plugins.UpdatePluginSource(
      { organization_id: '@current', id: String(plugin), files: jsonField(files) },
      as(key),
    )
  const file = { key: 'rules', file_name: 'a', content_type: 'b', contents: Buffer.from('1') }
  const saves: Record<string, () => Promise<unknown>> = {
    config: () => patch(id, { order: 7 }),
    settings: () =>
      configs.UpdatePluginConfigSettings(
        { project_id, id: String(id), settings: jsonField({ host: 'x' }) },
        as(key),
      ),
    'a file': () => patch(id, { attachments: [file] }),
    'the file again': () => patch(id, { attachments: [file] }),
    'no file': () => patch(id, { removed_attachments: ['rules'] }),
    order: () =>
      configs.RearrangePluginConfigs(
        { orders: jsonField({ [plugin]: 3 }), error: null, null_fields: [], project_id },
        as(key),
      ),
    source: () => source({ 'index.js': 'other' }),
    'the same source': () => source({ 'index.js': 'other' }),
    'another file': () => source({ 'index.ts': 'ts' }),
    'a removed file': () => source({ 'index.ts': null }),
    plugin: () =>
      plugins.UpdatePlugin(
        { ...pluginFields(), organization_id: '@current', id: String(plugin), name: 'N' },
        as(key),
      ),
  }
  for (const [what, save] of Object.entries(saves)) {
    const before = { stamp: (await plan())?.[0]?.stamp, revision: await revision() }
    await save()
    t.not((await plan())?.[0]?.stamp, before.stamp, `${what}: stamp`)
    t.equal(await revision(), before.revision + 1, `${what}: revision`)
  }
})

t.test('records that the runtime keeps of a config reload nothing', async (t) => {
  const { sql, project, install, configure, plan } = await setUp(t)
  const plugin = await install()
  const id = await configure(plugin)
  const before = await plan()
  await savePluginError(sql, project, id, { message: 'no' })
  await clearPluginError(sql, project, id)
  await savePluginCapabilities(sql, plugin, { methods: ['onEvent'], jobs: [], scheduled_tasks: [] })
  t.same(await plan(), before)
})

t.test('a definition has the settings with their defaults, the files and the source', async (t) => {
  const { sql, project, install, configure, patch, plan } = await setUp(t)
  const plugin = await install({ 'index.js': 'js', 'index.ts': 'ts', 'plugin.json': MANIFEST })
  const id = await configure(plugin, {
    config: jsonField({ token: 's3cret' }),
    attachments: [
      {
        key: 'rules',
        file_name: 'r.txt',
        content_type: 'text/plain',
        contents: Buffer.from([0, 1]),
      },
    ],
  })
  await sql`update plugins set log_level = 2`
  const [definition, ...others] = await loadPluginDefinitions(sql, TEST_KEYS, project, [id, 99])
  t.same(others, [])
  t.match(definition, {
    projectId: project,
    organizationId: /^[0-9a-f-]{36}$/,
    step: (await plan())?.[0],
    logLevel: 2,
    code: { kind: 'source', file: 'index.ts', source: 'ts' },
  })
  t.same(definition?.settings, { host: 'example.com', token: 's3cret' })
  const file = definition?.attachments.get('rules')
  t.match(file, { fileName: 'r.txt', contentType: 'text/plain' })
  t.same([...(file?.contents ?? [])], [0, 1])
  await patch(id, { enabled: false })
  t.equal((await loadPluginDefinitions(sql, TEST_KEYS, project, [id])).length, 1, 'enabled or not')
  t.same(
    await loadPluginDefinitions(sql, TEST_KEYS, projectId(99), [id]),
    [],
    'not of another project',
  )
})

t.test('code is in one file, in the product, or nowhere', async (t) => {
  const { sql, project, install, configure } = await setUp(t)
  const js = await configure(await install({ 'index.js': 'js' }))
  const none = await configure(await install({ 'frontend.tsx': 'export const a = 1' }))
  const [made] = await sql<{ id: number }[]>`
    insert into plugins (builtin, plugin_type, name, is_global)
    values ('bot_filter', 'local', 'Bots', true) returning id`
  const [builtin] = await sql<{ id: number }[]>`
    insert into plugin_configs (project_id, plugin_id, "order", enabled)
    values (${project}, ${made?.id ?? 0}, 0, true) returning id`
  const ids = [js, none, builtin?.id ?? 0]
  const definitions = await loadPluginDefinitions(sql, TEST_KEYS, project, ids)
  t.same(
    definitions.map(({ step, code }) => [step.configId, code]),
    [
      [builtin?.id, { kind: 'builtin', name: 'bot_filter' }],
      [js, { kind: 'source', file: 'index.js', source: 'js' }],
      [none, { kind: 'none' }],
    ],
    'in the order in which they run',
  )
  t.equal((await loadPluginPlan(sql, project))?.length, 3)
})
