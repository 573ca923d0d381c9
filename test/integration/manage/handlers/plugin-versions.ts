import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { SECRET_MASK } from '../../../../src/plugins/settings/settings.ts'
import { loadPluginDefinitions } from '../../../../src/store/plugins/plugin-plan-store.ts'
import { savePluginCapabilities } from '../../../../src/store/plugins/plugin-state-store.ts'
import {
  as,
  jsonField,
  makeUser,
  refusal,
  startManagement,
  TEST_KEYS,
} from '../../../support/api/management.ts'
import { configFields, installed, pluginFields } from '../../../support/plugins/plugins.ts'

const manifest = (secret: boolean) =>
  JSON.stringify({ config: [{ key: 'token', type: 'string', secret }, { key: 'host' }] })
const FIRST = { 'index.js': 'first', 'frontend.tsx': 'export const a = 1' }

t.test('a plugin of another organization changes when its project says so', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const plugins = m.services['sluice.v1.PluginService']
  const configs = m.services['sluice.v1.PluginConfigService']
  const tenant = await makeUser(sql, 'tenant@example.com')
  const own = { by: as(owner.personalApiKey), project: owner.project?.id ?? 0 }
  const foreign = { by: as(tenant.personalApiKey), project: tenant.project?.id ?? 0 }
  type Place = typeof own
  const publish = async () => {
    const files = { ...FIRST, 'plugin.json': manifest(true) }
    const id = await installed(m, owner.personalApiKey, files)
    const place = { organization_id: owner.organizationId, id: String(id) }
    await plugins.UpdatePlugin({ ...pluginFields(), ...place, is_global: true }, own.by)
    return id
  }
  const use = async ({ by, project }: Place, plugin: number) => {
    const project_id = String(project)
    const fields = { ...configFields(), project_id, plugin, order: 1, enabled: true }
    return String((await configs.CreatePluginConfig(fields, by)).id)
  }
  const save = (id: number, files: object) => {
    const place = { organization_id: owner.organizationId, id: String(id) }
    return plugins.UpdatePluginSource({ ...place, files: jsonField(files as never) }, own.by)
  }
  const update = ({ by, project }: Place, id: string, fields: object) => {
    const place = { project_id: String(project), id }
    return configs.UpdatePluginConfig({ ...configFields(), ...place, ...fields }, by)
  }
  const get = ({ by, project }: Place, id: string) =>
    configs.GetPluginConfig({ project_id: String(project), id }, by)
  const sourceOf = async ({ project }: Place, id: string) => {
    const [definition] = await loadPluginDefinitions(sql, TEST_KEYS, projectId(project), [
      Number(id),
    ])
    return definition?.code.kind === 'source' ? definition.code.source : undefined
  }

  t.test(
    'a config runs the source that it was set up with until its project takes the update',
    async (t) => {
      const plugin = await publish()
      const [mine, theirs] = [await use(own, plugin), await use(foreign, plugin)]
      t.match(await get(foreign, theirs), { plugin_version: 1 })
      await save(plugin, { 'index.js': 'second' })
      await save(plugin, { 'index.js': 'third', 'frontend.tsx': null })
      t.equal(await sourceOf(own, mine), 'third', 'the own projects run what they are given')
      t.equal(await sourceOf(foreign, theirs), 'first')
      const list = await configs.ListPluginConfigs(
        { project_id: String(foreign.project), limit: 0, offset: 0 },
        foreign.by,
      )
      const row = { id: Number(theirs), plugin_version: 1, plugin_update: 3 }
      t.match(list.results, [row], 'the list says that an update is there')
      t.notOk('plugin_update' in (await get(own, mine)))
      const again = { ...configFields(), project_id: String(foreign.project), plugin, order: 2 }
      t.match(await configs.CreatePluginConfig(again, foreign.by), { plugin_version: 1 })
      t.match(await update(foreign, theirs, { order: 4 }), { plugin_version: 1, plugin_update: 3 })
      for (const version of [2, 4, 0]) {
        const call = update(foreign, theirs, { plugin_version: version })
        t.match(
          await refusal(call),
          { is: 'invalid_argument', attr: 'plugin_version' },
          `${version}`,
        )
      }
      t.equal(await sourceOf(foreign, theirs), 'first')
      const frontend = { project_id: String(foreign.project), id: theirs }
      const shown = await configs.GetPluginConfigFrontend(frontend, foreign.by)
      t.match(shown.module, /const a = 1/, 'the frontend is of that version too')
      const taken = await update(foreign, theirs, { plugin_version: 3 })
      t.match(taken, { plugin_version: 3 })
      t.notOk('plugin_update' in taken)
      t.equal(await sourceOf(foreign, theirs), 'third')
      t.same(await sql`select * from plugin_versions where plugin_id = ${plugin}`, [])
      await save(plugin, { 'index.js': 'third' })
      t.match(await get(foreign, theirs), { plugin_version: 3 }, 'the same source is no update')
      await save(plugin, { 'index.js': 'fourth' })
      t.equal(await sourceOf(foreign, theirs), 'third', 'and later ones wait again')
    },
  )

  t.test('the settings of a config are those of the version that it runs', async (t) => {
    const plugin = await publish()
    const theirs = await use(foreign, plugin)
    const place = { project_id: String(foreign.project), id: theirs }
    const write = (settings: object) =>
      configs.UpdatePluginConfigSettings(
        { ...place, settings: jsonField(settings as never) },
        foreign.by,
      )
    await write({ token: 's3cret', host: 'a' })
    const bare = JSON.stringify({ config: [{ key: 'other' }], publicJobs: { late: {} } })
    await save(plugin, { 'plugin.json': bare })
    const shown = JSON.parse((await get(foreign, theirs)).config ?? '')
    t.same(shown, { token: SECRET_MASK, host: 'a' })
    t.match(await refusal(write({ other: 'x' })), { attr: 'other' })
    const job = { ...configFields(), ...place, job: { type: 'late', payload: null } }
    t.match(await refusal(configs.RunPluginConfigJob(job, foreign.by)), { is: 'invalid_argument' })
    await update(foreign, theirs, { plugin_version: 2 })
    await write({ other: 'x' })
    t.ok(await configs.RunPluginConfigJob(job, foreign.by))
  })

  t.test('the abilities of an older version are not taken for those of the newest', async (t) => {
    const plugin = await publish()
    const [mine, theirs] = [await use(own, plugin), await use(foreign, plugin)]
    await save(plugin, { 'index.js': 'second' })
    await savePluginCapabilities(sql, Number(mine), { methods: ['new'] })
    await savePluginCapabilities(sql, Number(theirs), { methods: ['old'] })
    t.match((await get(own, mine)).plugin_info, /"methods":\["new"\]/)
    t.match((await get(foreign, theirs)).plugin_info, /"methods":\["old"\]/)
  })

  t.test('changes of a plugin are in the activity of each organization that uses it', async (t) => {
    const plugin = await publish()
    await use(own, plugin)
    const theirs = await use(foreign, plugin)
    await sql`delete from audit_log`
    const entries = async () =>
      await sql`
        select organization_id, activity, item_id, user_id is null as unnamed, changes
        from audit_log order by id`
    await save(plugin, { 'index.js': 'second', 'plugin.json': manifest(false) })
    const place = { organization_id: owner.organizationId, id: String(plugin) }
    await plugins.UpdatePlugin({ ...pluginFields(), ...place, description: 'other' }, own.by)
    const of = (id: string, unnamed: boolean) =>
      ['source_updated', 'updated', 'updated'].map((activity) => ({
        ...{ organization_id: id, activity, item_id: String(plugin), unnamed },
      }))
    const seen = await entries()
    const by = (id: string) => seen.filter((each) => each['organization_id'] === id)
    t.match(by(owner.organizationId), of(owner.organizationId, false))
    t.match(by(tenant.organizationId), of(tenant.organizationId, true), 'not by whom')
    t.equal(seen.length, 6)
    await plugins.UpdatePlugin({ ...pluginFields(), ...place, is_global: false }, own.by)
    await sql`delete from audit_log`
    await plugins.DeletePlugin(place, own.by)
    t.match(await entries(), [{ activity: 'deleted' }, { activity: 'deleted' }])
    const gone = { project_id: String(foreign.project), id: theirs }
    t.match(await refusal(configs.GetPluginConfig(gone, foreign.by)), { is: 'not_found' })
  })
})
