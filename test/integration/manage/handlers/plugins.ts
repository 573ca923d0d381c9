import t from 'tap'
import { createPolicy } from '../../../../src/access/policy.ts'
import { createAuthenticator } from '../../../../src/access/principal.ts'
import { NO_THROTTLE } from '../../../../src/access/throttle.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { organizationId } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { ok, type Result } from '../../../../src/core/result.ts'
import { createManagement } from '../../../../src/manage/management.ts'
import { createPluginHandlers } from '../../../../src/manage/plugins/plugins-handlers.ts'
import type { FetchedModule } from '../../../../src/plugins/settings/fetch-module.ts'
import { createFrontendCompiler } from '../../../../src/plugins/settings/frontend.ts'
import { findKey, touchKey } from '../../../../src/store/people/key-store.ts'
import { shareLockPlugin } from '../../../../src/store/plugins/plugin-store.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import {
  as,
  jsonField,
  type ManagementUnderTest,
  makeKey,
  makeUser,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'
import {
  auditRows,
  configFields,
  installed,
  MANIFEST,
  pluginFields,
} from '../../../support/plugins/plugins.ts'

const page = { limit: 0, offset: 0 }
const SCHEMA = JSON.parse(MANIFEST).config

t.test('plugins', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, published } = m
  const plugins = m.services['sluice.v1.PluginService']
  const configs = m.services['sluice.v1.PluginConfigService']
  const key = owner.personalApiKey
  const organization_id = owner.organizationId
  const outsider = await makeUser(sql, 'outsider@example.com')
  const create = (fields: object, by = key) =>
    plugins.CreatePlugin({ ...pluginFields(), organization_id, ...fields }, as(by))
  const update = (id: number, fields: object, by = key, organization = organization_id) =>
    plugins.UpdatePlugin(
      { ...pluginFields(), organization_id: organization, id: String(id), ...fields },
      as(by),
    )
  const get = (id: number, by = key, organization = organization_id) =>
    plugins.GetPlugin({ organization_id: organization, id: String(id) }, as(by))
  const sourceOf = async (id: number) => {
    const source = await plugins.GetPluginSource({ organization_id, id: String(id) }, as(key))
    return fromValue({ structValue: source.files })
  }
  const saveSource = (id: number, files: object, by = key) =>
    plugins.UpdatePluginSource(
      { organization_id, id: String(id), files: jsonField(files as never) },
      as(by),
    )

  t.test('foreign organizations are 403 for every method', async (t) => {
    const id = String(await installed(m, key))
    const own = { organization_id, id }
    const by = as(outsider.personalApiKey)
    for (const call of [
      () => plugins.ListPlugins({ organization_id, ...page }, by),
      () => plugins.CreatePlugin({ ...pluginFields(), organization_id, name: 'x' }, by),
      () => plugins.GetPlugin(own, by),
      () => plugins.UpdatePlugin({ ...pluginFields(), ...own }, by),
      () => plugins.DeletePlugin(own, by),
      () => plugins.GetPluginSource(own, by),
      () => plugins.UpdatePluginSource({ ...own, files: null }, by),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
    const theirs = outsider.organizationId
    const there = plugins.GetPlugin({ organization_id: theirs, id }, by)
    t.match(await refusal(there), { is: 'not_found' }, 'nor is it there in another one')
    for (const odd of ['x', '-1', '0', '99999999999', '2147483647']) {
      const call = plugins.GetPlugin({ organization_id, id: odd }, as(key))
      t.match(await refusal(call), { is: 'not_found' }, odd)
    }
  })

  t.test('the plugin access level of the organization decides', async (t) => {
    const id = await installed(m, key)
    const level = (at: number) =>
      sql`update organizations set plugins_access_level = ${at} where id = ${organization_id}`
    t.teardown(() => level(9))
    await level(0)
    const list = () => plugins.ListPlugins({ organization_id, ...page }, as(key))
    t.match(await refusal(list()), { is: 'permission_denied' })
    await level(3)
    t.ok(await list())
    t.match(await refusal(create({ name: 'x' })), { is: 'permission_denied' })
    t.match(await refusal(update(id, { name: 'x' })), { is: 'permission_denied' })
    await level(6)
    t.ok(await create({ name: 'x' }))
    const own = await makeUser(sql, 'plain@example.com', { organizationId: organization_id })
    const by = own.personalApiKey
    const global = { name: 'x', is_global: true }
    t.match(await refusal(create(global, by)), { is: 'permission_denied' })
    t.match(await refusal(update(id, { is_global: true }, by)), { is: 'permission_denied' })
    const published = (await create(global)).id ?? 0
    t.ok(published, 'staff may publish')
    for (const call of [
      () => update(published, { name: 'y' }, by),
      () => update(published, { is_global: false }, by),
      () => saveSource(published, { 'index.js': 'y' }, by),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' }, 'nor is a global one changed')
    }
    await update(published, { is_global: false })
  })

  t.test(
    'an organization that anyone makes installs its own plugins, and none for all',
    async (t) => {
      const organizations = m.services['sluice.v1.OrganizationService']
      const tenant = await makeUser(sql, 'tenant@example.com')
      const by = tenant.personalApiKey
      const made = await organizations.CreateOrganization({ name: 'Further' }, as(by))
      for (const place of [tenant.organizationId, made.id ?? '']) {
        const fields = { ...pluginFields(), organization_id: place, name: 'Own' }
        const { id } = await plugins.CreatePlugin(fields, as(by))
        const publish = {
          ...pluginFields(),
          organization_id: place,
          id: String(id),
          is_global: true,
        }
        for (const call of [
          () => plugins.CreatePlugin({ ...fields, is_global: true }, as(by)),
          () => plugins.UpdatePlugin(publish, as(by)),
        ]) {
          t.match(await refusal(call()), { is: 'permission_denied' })
        }
      }
      t.equal(made.plugins_access_level, 6)
    },
  )

  t.test('a read key may not write', async (t) => {
    const read = await makeKey(sql, owner, { scopes: ['plugin:read'] })
    t.match(await refusal(create({ name: 'x' }, read)), { detail: /plugin:write/ })
    t.ok(await plugins.ListPlugins({ organization_id, ...page }, as(read)))
  })

  t.test('a source plugin is made with its files in one call', async (t) => {
    const files = jsonField({ 'index.ts': 'export {}', 'plugin.json': MANIFEST, 'site.ts': null })
    const made = await create({ name: ' Geo ', description: '', icon: 'data:,', files })
    t.match(made, {
      plugin_type: 'source',
      name: 'Exporter',
      description: '',
      icon: 'data:,',
      is_global: false,
      organization_id,
      organization_name: 'Default Organization',
      config_schema: jsonField(SCHEMA),
      metrics: jsonField({}),
    })
    t.match(fromValue(made.capabilities), { methods: [], jobs: [], scheduled_tasks: [] })
    t.match(fromValue(made.public_jobs), { export: {} })
    t.notOk('url' in made || 'tag' in made || 'latest_tag' in made, 'null travels as unset')
    t.strictSame(await sourceOf(made.id ?? 0), { 'index.ts': 'export {}', 'plugin.json': MANIFEST })
    const [source, plugin] = await auditRows(sql, 2)
    t.match(plugin, { scope: 'Plugin', activity: 'created', item_name: 'Exporter' })
    t.match(source, {
      activity: 'source_updated',
      changes: [{ field: 'files', after: { 'index.ts': { bytes: 9, sha256: /^[0-9a-f]{64}$/ } } }],
    })
    t.notMatch(JSON.stringify([source, plugin]), /export \{\}/, 'by digest, not by text')
  })

  t.test('without plugin_type a URL means one, and none means source', async (t) => {
    t.match(await create({ name: 'Plain' }), {
      plugin_type: 'source',
      config_schema: jsonField([]),
    })
    const url = 'https://example.com/index.js'
    t.match(await refusal(create({ url })), { attr: 'url', detail: /PLUGIN_URLS/ })
  })

  t.test('bad fields are refused, the first in their order', async (t) => {
    t.match(await refusal(create({})), { code: 'required', attr: 'name' })
    t.match(await refusal(create({ name: '' })), { code: 'blank', attr: 'name' })
    t.match(await refusal(create({ name: 'x'.repeat(201) })), { code: 'max_length', attr: 'name' })
    const odd = { plugin_type: 'other', name: 7 }
    t.match(await refusal(create(odd)), { code: 'invalid_choice', attr: 'plugin_type' })
    t.match(await refusal(create({ plugin_type: 'local' })), { attr: 'plugin_type' })
    t.match(await refusal(create({ plugin_type: 'custom' })), { code: 'required', attr: 'url' })
    for (const url of ['file:///a', 'https://user:pw@example.com/a.js', 'nothing']) {
      t.match(await refusal(create({ plugin_type: 'custom', url })), { attr: 'url' })
      t.match(await refusal(create({ plugin_type: 'source', name: 'x', url })), { attr: 'url' })
    }
    const files = (json: object) => refusal(create({ name: 'x', files: jsonField(json as never) }))
    t.match(await files([]), { code: 'invalid_input', attr: 'files' })
    t.match(await files({ 'a.ts': 'x' }), { code: 'invalid_input', attr: 'files__a.ts' })
    t.match(await files({ 'index.ts': 7 }), { attr: 'files__index.ts' })
    t.match(await files({ 'plugin.json': '{' }), { attr: 'files__plugin.json' })
    const long = await files({ ['x'.repeat(5_000)]: 'x' })
    t.ok((long.attr ?? '').length < 300, 'a name is cut, for trailers have bounds')
  })

  t.test('one URL is installed once, whatever its query', async (t) => {
    const url = 'https://example.com/once.js'
    const first = await create({ plugin_type: 'source', name: 'Once', url: `${url}?v=1` })
    t.match(first, { url: `${url}?v=1` })
    const taken = { code: 'unique', attr: 'url' }
    t.match(await refusal(create({ plugin_type: 'source', name: 'Twice', url })), taken)
    const other = await create({ name: 'Other' })
    t.match(await refusal(update(other.id ?? 0, { url })), taken)
  })

  t.test('PATCH changes what it names, and nothing is fine', async (t) => {
    const id = await installed(m, key)
    t.match(await update(id, { name: 'New', description: 'Text' }), {
      name: 'New',
      description: 'Text',
      config_schema: jsonField(SCHEMA),
    })
    t.match((await auditRows(sql))[0], {
      activity: 'updated',
      changes: [
        { field: 'name', before: 'Exporter', after: 'New' },
        { field: 'description', after: 'Text' },
      ],
    })
    const cleared = await update(id, { null_fields: ['description'] })
    t.notOk('description' in cleared)
    t.match(await update(id, {}), { name: 'New' })
    t.match(await refusal(update(id, { null_fields: ['name'] })), { code: 'null', attr: 'name' })
    t.match(await refusal(update(id, { url: 'javascript:alert(1)' })), { attr: 'url' })
  })

  t.test('saved source replaces by name, null removes, the rest stays', async (t) => {
    const id = await installed(m, key)
    t.ok(await saveSource(id, { 'index.ts': 'new', 'index.js': null }))
    t.strictSame(await sourceOf(id), { 'index.ts': 'new', 'plugin.json': MANIFEST })
    const named = { 'plugin.json': '{"name": "Renamed", "config": {"a": {"secret": true}}}' }
    await saveSource(id, named)
    t.match(await get(id), { name: 'Renamed', config_schema: jsonField({ a: { secret: true } }) })
    t.match(fromValue((await get(id)).public_jobs), { export: {} }, 'what it does not say stays')
    const [plugin, source] = await auditRows(sql, 2)
    t.match(source, { activity: 'source_updated' })
    t.match(plugin, { activity: 'updated', item_name: 'Renamed' })
    for (const [files, attr] of [
      [{ 'plugin.json': '{' }, 'plugin.json'],
      [{ 'index.ts': [] }, 'index.ts'],
      [{ 'package.json': '' }, 'package.json'],
      [{ 'index.ts': 'lost', 'plugin.json': '[]' }, 'plugin.json'],
    ] as const) {
      t.match(await refusal(saveSource(id, files)), { code: 'invalid_input', attr })
    }
    t.match(await sourceOf(id), { 'index.ts': 'new' }, 'nothing of it is written')
    await saveSource(id, { personal_api_key: key })
    t.notOk(JSON.stringify(await sourceOf(id)).includes(key), 'a key in the body is no file')
  })

  t.test('a frontend is compiled when it is saved, and its error is kept', async (t) => {
    const id = await installed(m, key, { 'frontend.tsx': 'export const a = <b/>' })
    const stored = async () =>
      (await sql`select compiled, error from plugin_source_files where plugin_id = ${id}`)[0]
    t.match(await stored(), { compiled: /getFrontendApp/, error: null })
    await saveSource(id, { 'frontend.tsx': 'export const' })
    t.match(await stored(), { compiled: null, error: /^frontend\.tsx:1:/ })
  })

  t.test('a global plugin is seen by all, changed by its own, deleted by none', async (t) => {
    const made = await create({ name: 'Global', is_global: true })
    const id = made.id ?? 0
    const by = outsider.personalApiKey
    const theirs = outsider.organizationId
    t.match(await get(id, by, theirs), { name: 'Global', is_global: true, organization_id })
    const list = await plugins.ListPlugins({ organization_id: theirs, ...page }, as(by))
    t.match(list, { count: 1, results: [{ id }] })
    const place = { organization_id: theirs, id: String(id) }
    for (const call of [
      () => update(id, { name: 'Mine' }, by, theirs),
      () => plugins.DeletePlugin(place, as(by)),
      () => plugins.UpdatePluginSource({ ...place, files: jsonField({}) }, as(by)),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
    t.ok(await plugins.GetPluginSource(place, as(by)))
    const remove = () => plugins.DeletePlugin({ organization_id, id: String(id) }, as(key))
    t.match(await refusal(remove()), { is: 'invalid_argument', code: 'invalid_input', attr: null })
    await update(id, { is_global: false })
    t.match(await refusal(get(id, by, theirs)), { is: 'not_found' })
    t.ok(await remove())
  })

  t.test('a config that is made during a change of its plugin is told of it', async (t) => {
    const id = await installed(m, key)
    const project = owner.project?.id ?? 0
    let changed: Promise<unknown> | undefined
    published.length = 0
    await sql.begin(async (tx) => {
      t.ok(await shareLockPlugin(tx, organizationId(organization_id), id))
      await tx`insert into plugin_configs (project_id, plugin_id, "order")
        values (${project}, ${id}, 1)`
      changed = saveSource(id, { 'index.js': 'new' })
      await waitingForLock(m)
    })
    await changed
    t.match(published, [{ kind: 'revision', projectId: project }])
  })

  t.test('the list has own and global plugins by id, in pages', async (t) => {
    const all = await plugins.ListPlugins({ organization_id, ...page }, as(key))
    const ids = (all.results ?? []).map(({ id }) => Number(id))
    t.equal(all.count, ids.length)
    t.same(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    const second = await plugins.ListPlugins({ organization_id, limit: 1, offset: 1 }, as(key))
    t.match(second, { count: ids.length, results: [{ id: ids[1] }] })
  })

  t.test('projects that use a plugin hear of its changes, and lose its configs', async (t) => {
    const id = await installed(m, key)
    const project_id = String(owner.project?.id)
    const config = await configs.CreatePluginConfig(
      { ...configFields(), project_id, plugin: id, order: 1 },
      as(key),
    )
    const revision = async () =>
      (await sql`select revision::int from projects where id = ${project_id}`)[0]?.['revision']
    for (const change of [
      () => saveSource(id, { 'index.js': 'new' }),
      () => update(id, { name: 'New' }),
      () => plugins.DeletePlugin({ organization_id, id: String(id) }, as(key)),
    ]) {
      const before = await revision()
      published.length = 0
      await change()
      t.equal(await revision(), before + 1)
      t.match(published, [{ kind: 'revision', projectId: owner.project?.id, revision: before + 1 }])
    }
    t.match((await auditRows(sql))[0], {
      scope: 'Plugin',
      activity: 'deleted',
      item_id: String(id),
    })
    t.match(await refusal(get(id)), { is: 'not_found' })
    const gone = configs.GetPluginConfig({ project_id, id: String(config.id) }, as(key))
    t.match(await refusal(gone), { is: 'not_found' })
    published.length = 0
    await update(await installed(m, key), { name: 'Unused' })
    t.same(published, [], 'nobody uses it')
  })
})

t.test('plugins from a URL', async (t) => {
  const m = await startManagement(t, systemClock, { pluginUrls: true })
  const answers: Result<FetchedModule, string>[] = []
  const plugins = fetching(m, () => answers.shift() ?? { ok: false, error: 'Not there.' })
  const organization_id = m.owner.organizationId
  const create = (fields: object) =>
    plugins.CreatePlugin(
      { ...pluginFields(), organization_id, plugin_type: 'custom', ...fields },
      as(m.owner.personalApiKey),
    )

  t.test('are the module that it answers, named by its path', async (t) => {
    answers.push(ok({ file: 'index.ts', source: 'export {}' }))
    const made = await create({ url: 'https://example.com/plugins/geo.ts?x=1' })
    t.match(made, { plugin_type: 'custom', name: 'geo.ts', url: /\?x=1$/ })
    const id = String(made.id)
    const source = await plugins.GetPluginSource(
      { organization_id, id },
      as(m.owner.personalApiKey),
    )
    t.strictSame(fromValue({ structValue: source.files }), { 'index.ts': 'export {}' })
  })

  t.test('are refused with the reason when it cannot be read', async (t) => {
    const url = 'https://example.com/gone.js'
    t.match(await refusal(create({ url })), { attr: 'url', detail: 'Not there.' })
    t.match(await refusal(create({ url, files: jsonField({}) })), { attr: 'files' })
    const [row] = await m.sql`select count(*)::int as count from plugins where url = ${url}`
    t.equal(row?.['count'], 0)
  })
})

/** Resolves once a statement waits for a lock. */
async function waitingForLock({ sql }: ManagementUnderTest): Promise<void> {
  for (;;) {
    const waiting = await sql`select from pg_locks where not granted`
    if (waiting.length > 0) return
  }
}

/** The handlers with a network of the test's own. */
function fetching(m: ManagementUnderTest, answer: () => Result<FetchedModule, string>) {
  const { sql } = m
  const authenticator = createAuthenticator({
    findSession: async () => undefined,
    touchSession: async () => {},
    findKey: (digest) => findKey(sql, digest),
    touchKey: (id) => touchKey(sql, id),
    clock: systemClock,
    log,
  })
  const policy = createPolicy(methods())
  return createPluginHandlers({
    management: createManagement({
      ...{ db: sql, clock: systemClock },
      authenticator,
      policy,
      throttle: NO_THROTTLE,
    }),
    sql,
    feed: { publish: () => undefined },
    settings: { pluginUrls: true },
    fetchModule: async () => answer(),
    compileFrontend: createFrontendCompiler(),
  })
}
