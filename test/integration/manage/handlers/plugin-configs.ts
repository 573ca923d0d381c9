import t from 'tap'
import type { PluginConfig } from '../../../../proto/gen/sluice/v1/PluginConfig.ts'
import type { Json, JsonObject } from '../../../../src/core/json.ts'
import { SECRET_MASK } from '../../../../src/plugins/settings/settings.ts'
import { openSettings } from '../../../../src/store/secrets/plugin-secrets.ts'
import {
  as,
  jsonField,
  makeKey,
  makeUser,
  refusal,
  startManagement,
  TEST_KEYS,
} from '../../../support/api/management.ts'
import {
  auditRows,
  CONFIG_SCHEMA,
  configFields,
  installed,
  PUBLIC_JOBS,
  pluginFields,
} from '../../../support/plugins/plugins.ts'

const page = { limit: 0, offset: 0 }
const SECRET = 's3cret-of-the-tests'

t.test('plugin configs', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const configs = m.services['sluice.v1.PluginConfigService']
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const member = await makeUser(sql, 'member@example.com', { organizationId: owner.organizationId })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const create = (fields: object, by = key) =>
    configs.CreatePluginConfig({ ...configFields(), project_id, order: 1, ...fields }, as(by))
  const place = ({ id }: PluginConfig) => ({ project_id, id: String(id) })
  const update = (config: PluginConfig, fields: object, by = key) =>
    configs.UpdatePluginConfig({ ...configFields(), ...place(config), ...fields }, as(by))
  const runJob = (config: PluginConfig, fields: object, by = key) =>
    configs.RunPluginConfigJob(
      { ...configFields(), ...place(config), job: null, ...fields } as never,
      as(by),
    )
  const rearrange = (fields: object) =>
    configs.RearrangePluginConfigs(
      { ...configFields(), project_id, orders: null, ...fields },
      as(key),
    )
  const get = (config: PluginConfig, by = key) => configs.GetPluginConfig(place(config), as(by))
  const write = (config: PluginConfig, settings: Json, by = key) =>
    configs.UpdatePluginConfigSettings({ ...place(config), settings: jsonField(settings) }, as(by))
  const shown = ({ config }: PluginConfig) => JSON.parse(config ?? '')
  const stored = async ({ id, plugin }: PluginConfig) => {
    const [row] = await sql<{ settings: JsonObject }[]>`
      select settings from plugin_configs where id = ${id ?? 0}`
    const place = { projectId: Number(project_id), pluginId: plugin ?? 0 }
    return openSettings(TEST_KEYS, place, row?.settings ?? {})
  }
  const made = async (fields: object = {}) => create({ plugin: await installed(m, key), ...fields })
  const file = (name: string, contents = 'abc') => ({
    key: name,
    file_name: `${name}.txt`,
    content_type: 'text/plain',
    contents: Buffer.from(contents),
  })

  t.test('foreign projects are 403 for every method, unknown ones 404', async (t) => {
    const { id, plugin } = await made()
    const calls = (project: string, by: string) => {
      const own = { project_id: project, id: String(id) }
      const logs = { project_id: project, parent_lookup_plugin_config_id: String(id), ...page }
      return [
        () => configs.ListPluginConfigs({ project_id: project, ...page }, as(by)),
        () => create({ project_id: project, plugin }, by),
        () => configs.GetPluginConfig(own, as(by)),
        () => configs.UpdatePluginConfig({ ...configFields(), ...own }, as(by)),
        () => configs.DeletePluginConfig(own, as(by)),
        () => configs.UpdatePluginConfigSettings({ ...own, settings: null }, as(by)),
        () => configs.RearrangePluginConfigs({ ...configFields(), ...own, orders: null }, as(by)),
        () => configs.RunPluginConfigJob({ ...configFields(), ...own, job: null }, as(by)),
        () => configs.GetPluginConfigFrontend(own, as(by)),
        () => configs.ListPluginConfigLogs({ ...logs, type_filter: [] }, as(by)),
      ]
    }
    for (const call of calls(project_id, outsider.personalApiKey)) {
      t.match(await refusal(call()), { is: 'permission_denied', attr: null })
    }
    for (const call of calls('999999', key)) {
      t.match(await refusal(call()), { is: 'not_found', detail: 'Project not found.' })
    }
    const theirs = String(outsider.project?.id)
    const [, , ...byId] = calls(theirs, outsider.personalApiKey)
    for (const [at, call] of byId.entries()) {
      if (at === 4) continue // Rearranging names no config.
      t.match(await refusal(call()), { is: 'not_found', detail: 'Not found.' })
    }
    for (const odd of ['abc', '-1', '0', '1.5', '99999999999']) {
      const call = configs.GetPluginConfig({ project_id, id: odd }, as(key))
      t.match(await refusal(call), { is: 'not_found' }, odd)
    }
  })

  t.test('without plugin access lists are empty, configs unknown, writes refused', async (t) => {
    const config = await made()
    await sql`update organizations set plugins_access_level = 2 where id = ${owner.organizationId}`
    t.teardown(() => sql`update organizations set plugins_access_level = 9`)
    const list = await configs.ListPluginConfigs({ project_id, ...page }, as(key))
    t.match(list, { count: 0, results: [] })
    const logs = { project_id, parent_lookup_plugin_config_id: String(config.id), type_filter: [] }
    for (const call of [
      () => get(config),
      () => update(config, { order: 2 }),
      () => write(config, {}),
      () => configs.DeletePluginConfig(place(config), as(key)),
      () => configs.GetPluginConfigFrontend(place(config), as(key)),
      () => configs.ListPluginConfigLogs({ ...logs, ...page }, as(key)),
    ]) {
      t.match(await refusal(call()), { is: 'not_found', detail: 'Not found.' })
    }
    for (const call of [
      () => create({ plugin: config.plugin }),
      () =>
        configs.RearrangePluginConfigs({ ...configFields(), project_id, orders: null }, as(key)),
      () => configs.RunPluginConfigJob({ ...configFields(), ...place(config), job: null }, as(key)),
    ]) {
      t.match(await refusal(call()), { is: 'invalid_argument', code: 'invalid_input', attr: null })
    }
  })

  t.test('members may do all of it, a read key may not write', async (t) => {
    const config = await made()
    t.match(await update(config, { order: 5 }, member.personalApiKey), { order: 5 })
    const read = await makeKey(sql, owner, { scopes: ['plugin:read'] })
    t.match(await refusal(update(config, {}, read)), { detail: /plugin:write/ })
    t.match(await get(config, read), { id: config.id })
  })

  t.test('a config has every field; what it says of its plugin is read alone', async (t) => {
    const plugin = await installed(m, key)
    const config = await create({ plugin, order: -3 })
    t.match(config, { plugin, enabled: false, order: -3, config: '{}', team_id: owner.project?.id })
    t.match(config, { error: jsonField(null), created_at: /^\d{4}-.*\.\d{6}Z$/ })
    t.notOk('plugin_info' in config || 'delivery_rate_24h' in config)
    const read = await get(config)
    t.match(JSON.parse(read.plugin_info ?? ''), { id: plugin, name: 'Exporter', tag: null })
    t.notOk('delivery_rate_24h' in read, 'null while nothing ran')
    t.match((await auditRows(sql))[0], {
      scope: 'PluginConfig',
      activity: 'created',
      item_id: String(config.id),
      item_name: 'Exporter',
    })
    t.match(m.published.at(-1), { kind: 'revision', projectId: owner.project?.id })
  })

  t.test('the rate is of the last 24 hours, over all categories', async (t) => {
    const config = await made()
    const count = (ago: string, category: string, ...[good, again, bad]: number[]) => sql`
      insert into plugin_metrics values (
        ${config.id ?? 0}, now() - ${ago}::text::interval, ${category}, ${good ?? 0}, ${again ?? 0},
        ${bad ?? 0})`
    await count('25 hours', 'processEvent', 0, 0, 100)
    await count('1 hour', 'processEvent', 1, 0, 1)
    t.equal((await get(config)).delivery_rate_24h, '0.5')
    await count('2 hours', 'onEvent', 3, 3, 0)
    t.equal((await get(config)).delivery_rate_24h, '0.875')
    const list = await configs.ListPluginConfigs({ project_id, ...page }, as(key))
    const listed = list.results?.find(({ id }) => id === config.id)
    t.match(listed, { delivery_rate_24h: '0.875' })
    t.notOk(listed === undefined || 'plugin_info' in listed)
    const answers = [
      ...[await update(config, { order: 1 }), await write(config, {}), await runJob(config, {})],
      await runJob(config, { job: { type: 'export', payload: jsonField({ from: 1 }) } }),
      ...[
        await create({ plugin: config.plugin }),
        (await rearrange({ plugin: config.plugin })).moved,
      ],
    ]
    for (const answer of answers) t.match(answer, { delivery_rate_24h: '0.875' }, 'a change too')
    await count('3 hours', 'onEvent', 10_000_000_000, 0, 0)
    t.match((await get(config)).delivery_rate_24h, /^0\.99999+$/, 'a failure is never rounded away')
    await sql`update plugin_metrics set failures = 0`
    t.equal((await get(config)).delivery_rate_24h, '1')
  })

  t.test('bad fields are refused, the first in their order', async (t) => {
    t.match(await refusal(create({})), { code: 'required', attr: 'plugin' })
    const plugin = await installed(m, key)
    t.match(await refusal(create({ plugin, order: undefined })), {
      code: 'required',
      attr: 'order',
    })
    for (const unknown of [999_999, 0, -1]) {
      const refused = { code: 'does_not_exist', attr: 'plugin' }
      t.match(await refusal(create({ plugin: unknown })), refused)
    }
    const theirs = await installed(m, outsider.personalApiKey)
    t.match(await refusal(create({ plugin: theirs })), {
      code: 'does_not_exist',
      attr: 'plugin',
      detail: `Invalid pk "${theirs}" - object does not exist.`,
    })
    t.match(await refusal(create({ plugin, error: jsonField('x') })), { attr: 'error' })
    const config = await create({ plugin })
    t.match(await refusal(update(config, { null_fields: ['order'] })), {
      code: 'null',
      attr: 'order',
    })
  })

  t.test('a second config of a plugin updates the first', async (t) => {
    const first = await made({ enabled: true, error: jsonField({ message: 'x' }) })
    const second = await create({ plugin: first.plugin, order: 9 })
    t.match(second, { id: first.id, order: 9, enabled: true, error: first.error as object })
    t.match((await auditRows(sql))[0], { activity: 'updated', changes: [{ field: 'order' }] })
    const both = await Promise.all([
      create({ plugin: await installed(m, key) }),
      create({ plugin: first.plugin, order: 10 }),
    ])
    t.equal(both[1].id, first.id)
  })

  t.test('a global plugin may be used by every organization, while it is global', async (t) => {
    const plugin = await installed(m, key, { 'frontend.tsx': 'export const a = 1' })
    const plugins = m.services['sluice.v1.PluginService']
    const own = { ...pluginFields(), organization_id: owner.organizationId, id: String(plugin) }
    await plugins.UpdatePlugin({ ...own, is_global: true }, as(key))
    const there = String(outsider.project?.id)
    const by = outsider.personalApiKey
    const config = await create({ project_id: there, plugin }, by)
    const read = { project_id: there, id: String(config.id) }
    t.match((await configs.GetPluginConfig(read, as(by))).plugin_info, /"is_global":true/)
    await plugins.UpdatePlugin({ ...own, is_global: false }, as(key))
    t.notOk('plugin_info' in (await configs.GetPluginConfig(read, as(by))))
    t.match(await configs.GetPluginConfigFrontend(read, as(by)), { module: /no_frontend/ })
  })

  t.test('PATCH changes what it names, and keeps the error', async (t) => {
    const config = await made({ error: jsonField({ message: 'broken' }) })
    const changed = await update(config, { plugin: config.plugin, enabled: true })
    t.match(changed, { plugin: config.plugin, enabled: true, order: 1 })
    t.match(changed.error, jsonField({ message: 'broken' }))
    t.match(await update(config, {}), { enabled: true })
    t.match(await update(config, { null_fields: ['error'] }), { error: jsonField(null) })
  })

  t.test('PATCH moves a config to another plugin, where it begins anew', async (t) => {
    const config = await made({
      ...{ enabled: true, order: 6, error: jsonField({ message: 'broken' }) },
      ...{ config: jsonField({ token: SECRET }), attachments: [file('rules')] },
    })
    const id = config.id ?? 0
    await sql`insert into plugin_storage values (${id}, 'k', '1')`
    await sql`insert into plugin_metrics values (${id}, now(), 'onEvent', 1, 0, 1)`
    const other = await installed(m, key)
    const moved = await update(config, { plugin: other })
    const { created_at } = config
    t.match(moved, { id, plugin: other, enabled: true, order: 6, config: '{}', created_at })
    t.match(moved.error, jsonField(null))
    t.notOk('delivery_rate_24h' in moved)
    t.strictSame(await stored(moved), {})
    t.same(await sql`select from plugin_storage where plugin_config_id = ${id}`, [])
    t.match((await auditRows(sql))[0]?.changes, [{ field: 'plugin', after: other }])
    t.match(m.published.at(-1), { kind: 'revision' })
    const back = await update(moved, { plugin: config.plugin, config: jsonField({ host: 'a' }) })
    t.match(back, { id, plugin: config.plugin, config: '{"host":"a"}' })
  })

  t.test('PATCH says why a config cannot move', async (t) => {
    const [config, taken] = [await made({ order: 3 }), await made()]
    const theirs = await installed(m, outsider.personalApiKey)
    for (const [plugin, code] of [
      [taken.plugin, 'unique'],
      [theirs, 'does_not_exist'],
      [999_999, 'does_not_exist'],
    ] as const) {
      const refused = await refusal(update(config, { plugin, order: 8 }))
      t.match(refused, { is: 'invalid_argument', code, attr: 'plugin' })
    }
    t.match(await get(config), { plugin: config.plugin, order: 3 })
  })

  t.test('DELETE takes settings, files, storage and jobs along, and leaves the log', async (t) => {
    const config = await made({ attachments: [file('rules')] })
    const id = config.id ?? 0
    await sql`insert into plugin_storage values (${id}, 'k', '1')`
    await sql`insert into plugin_jobs (id, plugin_config_id, name) values (gen_random_uuid(), ${id}, 'x')`
    await sql`insert into plugin_log_entries
      (id, project_id, plugin_id, plugin_config_id, source, type, message, instance_id)
      values (gen_random_uuid(), ${project_id}, 1, ${id}, 'SYSTEM', 'LOG', 'm', gen_random_uuid())`
    t.same(await configs.DeletePluginConfig(place(config), as(key)), {})
    t.match(await refusal(get(config)), { is: 'not_found' })
    t.match(await refusal(update(config, {})), { is: 'not_found' })
    const [left] = await sql`
      select (select count(*) from plugin_attachments where plugin_config_id = ${id})
        + (select count(*) from plugin_storage where plugin_config_id = ${id})
        + (select count(*) from plugin_jobs where plugin_config_id = ${id}) as gone,
        (select count(*) from plugin_log_entries where plugin_config_id = ${id}) as logs`
    t.match(left, { gone: 0n, logs: 1n })
    t.match((await auditRows(sql))[0], { activity: 'deleted', item_id: String(id) })
  })

  t.test('the list is in running order, in pages, disabled ones included', async (t) => {
    const project = await m.projects.CreateProject(
      { name: 'Listed', null_fields: [] } as never,
      as(key),
    )
    const project_id = String(project.id)
    const [a, b, c] = [await installed(m, key), await installed(m, key), await installed(m, key)]
    await create({ project_id, plugin: c, order: 1 })
    await create({ project_id, plugin: b, order: 2, enabled: true })
    await create({ project_id, plugin: a, order: 2 })
    const list = await configs.ListPluginConfigs({ project_id, ...page }, as(key))
    t.match(list, { count: 3, results: [{ plugin: c }, { plugin: a }, { plugin: b }] })
    const second = await configs.ListPluginConfigs({ project_id, limit: 1, offset: 1 }, as(key))
    t.match(second, { count: 3, results: [{ plugin: a }] })
    const beyond = await configs.ListPluginConfigs({ project_id, limit: 1, offset: 9 }, as(key))
    t.strictSame(beyond.results, [])
  })

  t.test('settings are written by name, and refused by name', async (t) => {
    const config = await made()
    const one = await write(config, { host: 'a', region: 'eu', token: SECRET })
    t.strictSame(shown(one), { host: 'a', region: 'eu', token: SECRET_MASK })
    t.strictSame(shown(await write(config, { region: null })), { host: 'a', token: SECRET_MASK })
    await write(config, { token: SECRET_MASK, host: 'b' })
    t.match(await stored(config), { token: SECRET, host: 'b' }, 'the mask keeps the secret')
    await write(config, { token: null })
    t.match(await stored(config), { token: SECRET }, 'and so does null')
    t.match(shown(await write(config, { token: '' })), { token: '' })
    t.match(await refusal(write(config, { host: 'c', nothing: 1 })), {
      code: 'invalid_input',
      attr: 'nothing',
    })
    t.match(await refusal(write(config, { region: 'mars' })), { attr: 'region' })
    t.match(await refusal(write(config, { rules: 'text' })), { attr: 'rules' })
    t.match(await stored(config), { host: 'b' }, 'nothing of a refused write is kept')
    t.match(shown(await write(config, { personal_api_key: key })), { host: 'b' })
    t.notOk(JSON.stringify(await stored(config)).includes(key), 'a key in the body is no setting')
    const long = await refusal(write(config, { ['x'.repeat(9_000)]: 1 }))
    t.ok(String(long.attr).length < 300, 'a name is cut, for trailers have bounds')
  })

  t.test('the settings of a form replace all but secrets', async (t) => {
    const config = await made({ config: jsonField({ host: 'a', region: 'eu', token: SECRET }) })
    const after = await update(config, { config: jsonField({ region: 'us' }) })
    t.strictSame(shown(after), { token: SECRET_MASK, region: 'us' })
    const wrong = update(config, { config: jsonField({ region: 'mars' }) })
    t.match(await refusal(wrong), { code: 'invalid_input', attr: 'config__region' })
  })

  t.test('files are added, replaced and removed by key; secret ones tell nothing', async (t) => {
    const config = await made({ attachments: [file('rules'), file('certificate', SECRET)] })
    t.match(shown(config), {
      rules: { saved: true, size: 3, name: 'rules.txt', type: 'text/plain' },
      certificate: { uid: -1, size: -1 },
    })
    const again = await update(config, { attachments: [file('rules', 'longer')] })
    t.match(shown(again).rules, { size: 6 })
    t.not(shown(again).rules.uid, shown(config).rules.uid)
    const [row] = await sql`
      select contents from plugin_attachments where plugin_config_id = ${config.id ?? 0}
      and key = 'rules'`
    t.equal(String(row?.['contents']), 'longer')
    const removed = await update(config, { removed_attachments: ['rules', 'nothing', '\0'] })
    t.same(Object.keys(shown(removed)), ['certificate'])
    t.same(Object.keys(shown(await write(config, { certificate: null }))), [])
    const both = {
      attachments: [file('rules'), file('rules', 'x')],
      removed_attachments: ['rules'],
    }
    t.match(shown(await update(config, both)), { rules: { size: 1 } })
    const odd = { ...file('rules'), file_name: 'a\0b\ud800', content_type: 'x'.repeat(999) }
    t.match(shown(await update(config, { attachments: [odd] })).rules, { name: 'a\ufffdb\ufffd' })
    for (const name of ['host', 'nothing', '__proto__']) {
      const refused = await refusal(update(config, { attachments: [file(name)] }))
      t.match(refused, { code: 'invalid_input', attr: `add_attachment[${name}]` })
    }
    const large = file('rules', 'x'.repeat(10_485_761))
    t.match(await refusal(update(config, { attachments: [large] })), { detail: /larger/ })
  })

  t.test('a secret is in no answer and in no entry of the audit log', async (t) => {
    const config = await made({
      config: jsonField({ token: SECRET }),
      attachments: [file('certificate', SECRET)],
    })
    const other = `${SECRET}-2`
    const answers = [
      await write(config, { token: other }),
      await get(config),
      await update(config, { attachments: [file('certificate', other)] }),
      await configs.ListPluginConfigs({ project_id, ...page }, as(key)),
      await configs.GetPluginConfigFrontend(place(config), as(key)),
    ]
    t.notMatch(JSON.stringify(answers), new RegExp(SECRET))
    const rows = await auditRows(sql, 1_000)
    t.notMatch(JSON.stringify(rows), new RegExp(SECRET))
    t.match(rows[1]?.changes, [{ field: 'config', after: /SECRET.*changed/ }], 'that it changed is')
    t.match(rows[0]?.changes, [{ field: 'config', after: /SECRET.*changed/ }])
  })

  t.test('a setting that its plugin does not declare any more is not shown', async (t) => {
    const config = await made({ config: jsonField({ token: SECRET, host: 'a' }) })
    const schema = CONFIG_SCHEMA.filter(({ key }) => key !== 'token')
    await sql`update plugins set config_schema = ${JSON.stringify(schema)}::text::json
      where id = ${config.plugin ?? 0}`
    t.strictSame(shown(await get(config)), { host: 'a' })
  })

  t.test('jobs are checked and enqueued with their operation and id', async (t) => {
    const config = await made()
    const run = (job: object, by = key) => runJob(config, { job }, by)
    const refused = { code: 'invalid_input', attr: null }
    t.match(await refusal(run({ type: '', payload: null })), { ...refused, detail: /type/ })
    t.match(await refusal(run({ type: 'x', payload: null })), refused)
    const payload = jsonField({ from: '2023-01-01' })
    t.match(await refusal(run({ type: 'export', payload: null })), { ...refused, detail: /from/ })
    const staff = jsonField({ from: 1, parallel: 2 })
    const by = member.personalApiKey
    t.match(await refusal(run({ type: 'export', payload: staff }, by)), { detail: /staff/i })
    t.match(await run({ type: 'export', payload }), { id: config.id, config: '{}' })
    await run({ type: 'export', operation: 'stop', payload: staff })
    const jobs = await sql`
      select id, name, payload, attempts, run_at <= now() as due from plugin_jobs
      where plugin_config_id = ${config.id ?? 0} order by id`
    t.match(jobs, [
      { name: 'export', due: true, payload: { from: '2023-01-01', $operation: 'start' } },
      { name: 'export', attempts: 0, payload: { parallel: 2, $operation: 'stop' } },
    ])
    for (const { id, payload } of jobs) t.equal(payload.$job_id, id)
    t.match((await auditRows(sql))[0], { activity: 'job_started', item_id: String(config.id) })
    t.ok(PUBLIC_JOBS.export)
    const plain = await create({ plugin: await installed(m, key, {}) })
    const none = runJob(plain, { job: { type: 'export', payload: null } })
    t.match(await refusal(none), { ...refused, detail: /no public jobs/ })
  })

  t.test('without a job the fields of an update are checked, and nothing is changed', async (t) => {
    const config = await made({ order: 7 })
    const entries = (await auditRows(sql, 1_000)).length
    t.match(await runJob(config, { order: 9, enabled: true }), { order: 7, enabled: false })
    t.match(await refusal(runJob(config, { plugin: 999_999 })), { code: 'does_not_exist' })
    t.match(await refusal(runJob(config, { null_fields: ['order'] })), { code: 'null' })
    t.match(await get(config), { order: 7, enabled: false })
    t.equal((await auditRows(sql, 1_000)).length, entries)
  })
})
