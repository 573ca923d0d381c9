import t from 'tap'
import { organizationId, projectId } from '../../../src/core/ids.ts'
import { builtinRows } from '../../../src/plugins/builtin/builtins.ts'
import { registerBuiltins } from '../../../src/store/plugins/builtin-plugins-store.ts'
import { findPluginOfConfig, shareLockPlugin } from '../../../src/store/plugins/plugin-store.ts'
import { fromValue } from '../../../src/wire/proto/value.ts'
import { as, jsonField, makeUser, refusal, startManagement } from '../../support/api/management.ts'
import { configFields, installed, pluginFields } from '../../support/plugins/plugins.ts'
import { testDatabase } from '../../support/servers/database.ts'

const page = { limit: 100, offset: 0 }
const ROWS = builtinRows()

t.test('the rows of built-in plugins', async (t) => {
  const { sql } = await testDatabase(t)
  const rows = () => sql<{ id: number; builtin: string; name: string; updated_at: Date }[]>`
    select id, builtin, name, updated_at from plugins order by id`

  t.test('are made once, and written only where something differs', async (t) => {
    t.equal(await registerBuiltins(sql, ROWS), 8)
    const made = await rows()
    t.strictSame(
      made.map(({ builtin }) => builtin),
      ROWS.map(({ builtin }) => builtin).sort(),
    )
    t.equal(await registerBuiltins(sql, ROWS), 0)
    const newer = ROWS.map((row) =>
      row.builtin === 'geoip' ? { ...row, name: 'New name', configSchema: [] } : row,
    )
    t.equal(await registerBuiltins(sql, newer), 1)
    const [row] = await sql`select name, config_schema from plugins where builtin = 'geoip'`
    t.strictSame({ ...row }, { name: 'New name', config_schema: [] })
    t.equal(await registerBuiltins(sql, ROWS), 1, 'the last start wins')
    const last = await rows()
    t.strictSame(
      last.map(({ id, name }) => [id, name]),
      made.map(({ id, name }) => [id, name]),
    )
    const [ids] = await sql`select last_value::int from plugins_id_seq`
    t.ok(ids?.['last_value'] <= 10, 'starts do not use ids up')
  })

  t.test('are made by two workers that start at once', async (t) => {
    await sql`delete from plugins`
    await Promise.all([registerBuiltins(sql, ROWS), registerBuiltins(sql, ROWS)])
    t.equal((await rows()).length, 8)
  })

  t.test('stay as they are when the runtime keeps what each can do', async (t) => {
    await sql`
      update plugins set metrics = '{}', capabilities =
        '{"scheduled_tasks": [], "jobs": [], "methods": ["setupPlugin", "processEvent"]}'
      where builtin = 'geoip'`
    t.equal(await registerBuiltins(sql, ROWS), 0)
  })
})

t.test('built-in plugins', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const own = await installed(m, owner.personalApiKey)
  await registerBuiltins(sql, ROWS)
  const plugins = m.services['sluice.v1.PluginService']
  const configs = m.services['sluice.v1.PluginConfigService']
  const outsider = await makeUser(sql, 'outsider@example.com')
  const organization_id = owner.organizationId
  const by = as(owner.personalApiKey)
  const idOf = async (builtin: string): Promise<number> =>
    (await sql`select id from plugins where builtin = ${builtin}`)[0]?.['id']
  const place = { organization_id, id: String(await idOf('property-hasher')) }

  t.test('are listed for every organization after its own, of nobody', async (t) => {
    const list = await plugins.ListPlugins({ organization_id, ...page }, by)
    t.equal(list.count, 9)
    t.strictSame(
      list.results?.map(({ name }) => name),
      ['Exporter', ...ROWS.toSorted(byBuiltin).map(({ name }) => name)],
    )
    t.equal(list.results?.[0]?.id, own)
    const theirs = outsider.organizationId
    const there = { organization_id: theirs, ...page }
    const other = await plugins.ListPlugins(there, as(outsider.personalApiKey))
    t.equal(other.count, 8)
    for (const plugin of other.results ?? []) {
      t.match(plugin, { plugin_type: 'local', is_global: true })
      t.notOk('organization_id' in plugin || 'organization_name' in plugin, 'null is unset')
    }
  })

  t.test('are read, and have no source', async (t) => {
    const plugin = await plugins.GetPlugin(place, by)
    const row = ROWS.find(({ builtin }) => builtin === 'property-hasher')
    t.match(plugin, { name: 'Property hasher', description: row?.description })
    t.strictSame(fromValue(plugin.config_schema), row?.configSchema)
    t.strictSame(fromValue(plugin.capabilities), row?.capabilities)
    const source = await plugins.GetPluginSource(place, by)
    t.strictSame(fromValue({ structValue: source.files }), {})
  })

  t.test('are changed by nobody, and not removed', async (t) => {
    for (const call of [
      () => plugins.UpdatePlugin({ ...pluginFields(), ...place, name: 'Mine' }, by),
      () => plugins.UpdatePlugin({ ...pluginFields(), ...place, is_global: false }, by),
      () => plugins.UpdatePluginSource({ ...place, files: jsonField({ 'index.js': 'x' }) }, by),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
    const removal = plugins.DeletePlugin(place, by)
    t.match(await refusal(removal), { is: 'invalid_argument', code: 'invalid_input', attr: null })
    t.match(await plugins.GetPlugin(place, by), { name: 'Property hasher', is_global: true })
  })

  t.test('have configs, whose secrets are masked, with the plugin beside', async (t) => {
    const project_id = String(owner.project?.id)
    const plugin = await idOf('property-hasher')
    const made = await configs.CreatePluginConfig(
      { ...configFields(), project_id, plugin, order: 1, enabled: true },
      by,
    )
    const id = String(made.id)
    const settings = jsonField({ salt: 'pepper', properties: 'email', hash_distinct_id: 'yes' })
    await configs.UpdatePluginConfigSettings({ project_id, id, settings }, by)
    const read = await configs.GetPluginConfig({ project_id, id }, by)
    t.strictSame(JSON.parse(read.config ?? ''), {
      salt: '******** SECRET ********',
      properties: 'email',
      hash_distinct_id: 'yes',
    })
    t.match(JSON.parse(read.plugin_info ?? ''), {
      id: plugin,
      name: 'Property hasher',
      organization_id: null,
      organization_name: null,
    })
    const wrong = configs.UpdatePluginConfigSettings(
      { project_id, id, settings: jsonField({ hash_distinct_id: 'maybe' }) },
      by,
    )
    t.match(await refusal(wrong), { code: 'invalid_input' })
    const list = await configs.ListPluginConfigs({ project_id, ...page }, by)
    t.match(list, { count: 1, results: [{ id: made.id }] })
    t.ok(await findPluginOfConfig(sql, projectId(Number(project_id)), Number(id)))
  })

  t.test('are locked for a config as others are', async (t) => {
    const plugin = await sql.begin((tx) =>
      shareLockPlugin(tx, organizationId(outsider.organizationId), Number(place.id)),
    )
    t.match(plugin, { organizationId: null, organizationName: null, pluginType: 'local' })
  })
})

function byBuiltin(one: { builtin: string }, other: { builtin: string }): number {
  return one.builtin < other.builtin ? -1 : 1
}
