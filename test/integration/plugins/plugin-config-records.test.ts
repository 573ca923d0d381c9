import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import {
  PLUGIN_LOG_SWEEP_ROWS,
  removeOldPluginRecords,
} from '../../../src/store/plugins/plugin-log-store.ts'
import { fromValue } from '../../../src/wire/proto/value.ts'
import { as, jsonField, refusal, startManagement } from '../../support/api/management.ts'
import { auditRows, configFields, installed } from '../../support/plugins/plugins.ts'

const page = { limit: 0, offset: 0 }
const running = new AbortController().signal

t.test('the order of plugin configs', async (t) => {
  const m = await startManagement(t)
  const configs = m.services['sluice.v1.PluginConfigService']
  const key = m.owner.personalApiKey
  const project_id = String(m.owner.project?.id)
  const make = async (order: number, enabled: boolean) => {
    const plugin = await installed(m, key)
    const fields = { ...configFields(), project_id, plugin, order, enabled }
    return await configs.CreatePluginConfig(fields, as(key))
  }
  const rearrange = (fields: object) =>
    configs.RearrangePluginConfigs(
      { orders: null, error: null, null_fields: [], project_id, ...fields },
      as(key),
    )
  const [a, b, off] = [await make(1, true), await make(2, true), await make(3, false)]

  t.test('orders by plugin id are set, and the enabled configs are the answer', async (t) => {
    const orders = { [`${a.plugin}`]: 7, [`${off.plugin}`]: 1, '999999': 1, x: 2 }
    const { results, moved } = await rearrange({ orders: jsonField(orders) })
    t.notOk(moved)
    t.match(results, [
      { id: b.id, order: 2 },
      { id: a.id, order: 7 },
    ])
    t.equal(results?.length, 2)
    t.notOk('delivery_rate_24h' in (results?.[0] ?? {}))
    const left = { project_id, id: String(off.id) }
    t.match(await configs.GetPluginConfig(left, as(key)), { order: 3 }, 'one that is off stays')
    t.match((await auditRows(m.sql))[0], {
      activity: 'rearranged',
      changes: [{ field: 'orders', before: { [`${a.plugin}`]: 1 }, after: { [`${a.plugin}`]: 7 } }],
    })
  })

  t.test('without orders nothing moves, with plugin and order that one does', async (t) => {
    t.match(await rearrange({}), { results: [{ id: b.id }, { id: a.id }] })
    t.match(await rearrange({ orders: jsonField({}) }), { results: [{ id: b.id }, { id: a.id }] })
    const moved = await rearrange({ plugin: off.plugin, order: -1, enabled: true })
    t.match(moved, { results: [], moved: { id: off.id, order: -1, enabled: true } })
    const unknown = await refusal(rearrange({ plugin: 999_999, order: 1 }))
    t.match(unknown, { code: 'does_not_exist', attr: 'plugin' })
  })

  t.test('orders that are none are refused whole', async (t) => {
    const refused = { code: 'invalid_input', attr: 'orders' }
    for (const orders of [[], 'x', 7, { [`${a.plugin}`]: 'x' }, { '1': 2 ** 31 }, { x: null }]) {
      t.match(await refusal(rearrange({ orders: jsonField(orders) })), refused)
    }
    t.match(await rearrange({}), { results: [{ order: -1 }, { order: 2 }, { order: 7 }] })
  })
})

t.test('the log of a plugin config', async (t) => {
  const m = await startManagement(t)
  const { sql } = m
  const configs = m.services['sluice.v1.PluginConfigService']
  const key = m.owner.personalApiKey
  const project_id = String(m.owner.project?.id)
  const plugin = await installed(m, key, { 'frontend.tsx': 'export const a = <b/>' })
  const fields = { ...configFields(), project_id, plugin, order: 1 }
  const config = await configs.CreatePluginConfig(fields, as(key))
  const id = config.id ?? 0
  const instance = uuidv7()
  const entry = (at: string, type: string, message: string) => sql`
    insert into plugin_log_entries
      (id, project_id, plugin_id, plugin_config_id, timestamp, source, type, message, instance_id)
    values (${uuidv7()}, ${project_id}, ${plugin}, ${id}, ${at}::text::timestamptz, 'CONSOLE',
      ${type}, ${message}, ${instance})`
  await entry('2023-02-17T10:00:00.000001Z', 'LOG', 'first 100%')
  await entry('2023-02-17T10:00:00.000002Z', 'ERROR', 'second 100 pieces')
  await entry('2023-02-17T10:00:00.000003Z', 'WARN', 'third a_b')
  await entry('2023-02-17T10:00:00.000003Z', 'INFO', 'FOURTH aXb')
  const list = (asked: object = {}) =>
    configs.ListPluginConfigLogs(
      {
        project_id,
        parent_lookup_plugin_config_id: String(id),
        type_filter: [],
        ...page,
        ...asked,
      },
      as(key),
    )
  const messages = async (asked: object) =>
    (await list(asked)).results?.map(({ message }) => message?.split(' ')[0])

  t.test('is shown newest first, with the number of all', async (t) => {
    const { count, results } = await list({ limit: 2, offset: 1 })
    t.equal(count, 4)
    t.match(results, [{ message: 'third a_b' }, { message: 'second 100 pieces' }])
    t.match(results?.[0], {
      id: /^[0-9a-f-]{36}$/,
      team_id: Number(project_id),
      plugin_id: plugin,
      plugin_config_id: id,
      timestamp: '2023-02-17T10:00:00.000003Z',
      source: 'CONSOLE',
      type: 'WARN',
      instance_id: instance,
    })
    t.match(await list({ limit: 1, offset: 9 }), { count: 4, results: [] })
  })

  t.test('is bounded strictly by time', async (t) => {
    t.same(await messages({ after: '2023-02-17T10:00:00.000001Z' }), ['FOURTH', 'third', 'second'])
    t.same(await messages({ before: '2023-02-17T10:00:00.000003+00:00' }), ['second', 'first'])
    const between = { after: '2023-02-17T09:00', before: '2023-02-17T10:00:00.000002' }
    t.same(await messages(between), ['first'])
    t.same(await messages({ before: '0000-01-01', after: '' }), [])
    t.same(await messages({ after: '-1d' }), [])
    for (const name of ['after', 'before']) {
      for (const bad of ['soon', '2023-13-01', '17/02/2023', 'x'.repeat(999)]) {
        t.match(await refusal(list({ [name]: bad })), { code: 'invalid_input', attr: name }, bad)
      }
    }
  })

  t.test('is searched for literal text, whatever the case, and by types', async (t) => {
    t.same(await messages({ search: '100%' }), ['first'])
    t.same(await messages({ search: 'A_B' }), ['third'])
    t.same(await messages({ search: 'fourth' }), ['FOURTH'])
    t.same(await messages({ search: '' }), ['FOURTH', 'third', 'second', 'first'])
    t.same(await messages({ search: '\\' }), [])
    t.same(await messages({ type_filter: ['LOG', 'WARN'] }), ['third', 'first'])
    t.match(await list({ search: 'a', type_filter: ['INFO'] }), { count: 1 })
    const bad = await refusal(list({ type_filter: ['LOG', 'TRACE'] }))
    t.match(bad, { code: 'invalid_choice', attr: 'type_filter__1' })
  })

  t.test('is not there for an unknown or malformed config', async (t) => {
    for (const odd of ['999999', 'abc', '']) {
      const call = list({ parent_lookup_plugin_config_id: odd })
      t.match(await refusal(call), { is: 'not_found', detail: 'Not found.' })
    }
  })

  t.test('is kept seven days, and removed in bounded steps with old counts', async (t) => {
    const many = PLUGIN_LOG_SWEEP_ROWS + 5
    await sql`
      insert into plugin_log_entries
        (id, project_id, plugin_id, plugin_config_id, timestamp, source, type, message, instance_id)
      select gen_random_uuid(), ${project_id}, ${plugin}, ${id},
        now() - interval '7 days 1 minute', 'SYSTEM', 'LOG', 'old', ${instance}
      from generate_series(1, ${many})`
    await sql`
      insert into plugin_log_entries
        (id, project_id, plugin_id, plugin_config_id, timestamp, source, type, message, instance_id)
      values (${uuidv7()}, ${project_id}, ${plugin}, ${id}, now() - interval '6 days 23 hours',
        'SYSTEM', 'LOG', 'young', ${instance})`
    await sql`insert into plugin_metrics
      values (${id}, now() - interval '8 days', 'onEvent'), (${id}, now(), 'onEvent')`
    await removeOldPluginRecords(sql, AbortSignal.abort())
    t.equal((await list({ search: 'old' })).count, many, 'nothing is begun after the stop')
    await removeOldPluginRecords(sql, running)
    t.same(await messages({}), ['young'])
    const [left] = await sql`select count(*)::int as count from plugin_metrics`
    t.match(left, { count: 1 })
  })

  t.test('the frontend is the config, and the module beside it', async (t) => {
    const place = { project_id, id: String(id) }
    const answer = await configs.GetPluginConfigFrontend(place, as(key))
    t.match(answer, { config: { id, config: '{}' }, module: /React\.createElement\("b"/ })
    t.notOk('plugin_info' in (answer.config ?? {}))
    await sql`update plugin_source_files set compiled = null, error = 'x' where plugin_id = ${plugin}`
    t.match(await configs.GetPluginConfigFrontend(place, as(key)), { module: /"error":"x"/ })
    await sql`update plugin_source_files set error = null where plugin_id = ${plugin}`
    t.match(await configs.GetPluginConfigFrontend(place, as(key)), { module: /"transpiling":true/ })
    await sql`delete from plugin_source_files where plugin_id = ${plugin}`
    t.match(await configs.GetPluginConfigFrontend(place, as(key)), { module: /"no_frontend":true/ })
    t.equal(fromValue(answer.config?.error), null)
  })
})
