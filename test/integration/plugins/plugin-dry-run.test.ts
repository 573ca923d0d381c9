import t from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { PLUGIN_DRY_RUN_CHARS_MAX } from '../../../src/manage/plugins/plugin-dry-run.ts'
import type { DryRun, DryStep } from '../../../src/plugins/ports.ts'
import { fromValue } from '../../../src/wire/proto/value.ts'
import {
  as,
  jsonField,
  makeKey,
  makeUser,
  refusal,
  startManagement,
} from '../../support/api/management.ts'
import { auditRows, configFields, installed } from '../../support/plugins/plugins.ts'

const EVENT = { event: 'signed up', distinct_id: 'ann' }

t.test('a dry run', async (t) => {
  const asked: [projectId: number, configId: number, event: JsonObject][] = []
  let answer: DryRun = { steps: [] }
  const plugins = {
    async dryRun(projectId: number, configId: number, event: JsonObject) {
      asked.push([projectId, configId, event])
      return answer
    },
  }
  const m = await startManagement(t, systemClock, {}, plugins)
  const { sql, owner } = m
  const configs = m.services['sluice.v1.PluginConfigService']
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const plugin = await installed(m, key)
  const made = await configs.CreatePluginConfig(
    { ...configFields(), project_id, plugin, order: 1 },
    as(key),
  )
  const config = made.id ?? 0
  const run = (event: Json | undefined, by = key, place: object = {}) => {
    const field = event === undefined ? null : jsonField(event)
    const request = { project_id, id: String(config), event: field, ...place }
    return configs.DryRunPluginConfig(request, as(by))
  }
  const step = (more: Partial<DryStep>): DryStep => ({
    ...{ configId: config, name: 'Exporter', outcome: 'kept', event: EVENT, error: null, logs: [] },
    ...more,
  })

  t.test('hands the event to the runtime and shows each step', async (t) => {
    const changed = { ...EVENT, properties: { a: [1, null, { b: 'c' }] } }
    answer = {
      steps: [
        step({ event: changed, logs: [{ type: 'WARN', message: 'hm' }] }),
        step({ configId: config + 1, name: 'Broken', outcome: 'failed', error: 'Error: no' }),
        step({ configId: config + 2, name: 'Filter', outcome: 'dropped', event: null }),
      ],
    }
    const { steps = [] } = await run({ ...EVENT, properties: { a: 1 }, timestamp: 'yesterday' })
    t.same(asked.at(-1), [
      owner.project?.id,
      config,
      { ...EVENT, properties: { a: 1 }, timestamp: 'yesterday' },
    ])
    t.match(steps[0], { config, name: 'Exporter', outcome: 'kept' })
    t.same(fromValue(steps[0]?.event), changed)
    t.same(steps[0]?.logs, [{ type: 'WARN', message: 'hm' }])
    t.notOk('error' in (steps[0] ?? {}))
    t.match(steps[1], { config: config + 1, outcome: 'failed', error: 'Error: no', logs: [] })
    t.match(steps[2], { name: 'Filter', outcome: 'dropped', event: { nullValue: 'NULL_VALUE' } })
    t.equal(steps.length, 3)
  })

  t.test('takes a number for an id, and needs no enabled config', async (t) => {
    answer = { steps: [] }
    t.same(await run({ event: ' seen ', distinct_id: 7, properties: null }), { steps: [] })
    t.match(asked.at(-1)?.[2], { event: 'seen', distinct_id: '7' })
    t.equal(made.enabled, false)
  })

  t.test('is asked for with an event that could be captured', async (t) => {
    const before = asked.length
    const wrong: [Json | undefined, string, string][] = [
      [undefined, 'required', 'event'],
      [[], 'invalid_input', 'event'],
      ['signed up', 'invalid_input', 'event'],
      [{}, 'required', 'event__event'],
      [{ event: 'a' }, 'required', 'event__distinct_id'],
      [{ ...EVENT, event: null }, 'required', 'event__event'],
      [{ ...EVENT, event: {} }, 'invalid_input', 'event__event'],
      [{ ...EVENT, event: ' ' }, 'blank', 'event__event'],
      [{ ...EVENT, event: 'x'.repeat(201) }, 'max_length', 'event__event'],
      [{ ...EVENT, distinct_id: '' }, 'blank', 'event__distinct_id'],
      [{ ...EVENT, distinct_id: true }, 'invalid_input', 'event__distinct_id'],
      [{ ...EVENT, distinct_id: '😀'.repeat(201) }, 'max_length', 'event__distinct_id'],
      [{ ...EVENT, properties: [] }, 'invalid_input', 'event__properties'],
      [{ ...EVENT, $set: 'x' }, 'invalid_input', 'event__$set'],
      [{ ...EVENT, properties: { a: 'x'.repeat(1_048_576) } }, 'max_length', 'event'],
    ]
    for (const [event, code, attr] of wrong) {
      const refused = { is: 'invalid_argument', code, attr }
      t.match(await refusal(run(event)), refused, JSON.stringify(event)?.slice(0, 60) ?? 'none')
    }
    t.equal(asked.length, before, 'nothing was run')
    await run({ ...EVENT, distinct_id: '😀'.repeat(200) })
    t.equal(asked.length, before + 1)
  })

  t.test('is for those who may write plugins of the project', async (t) => {
    const outsider = await makeUser(sql, 'outsider@example.com')
    const member = await makeUser(sql, 'member@example.com', {
      organizationId: owner.organizationId,
    })
    answer = { steps: [step({})] }
    t.match(await run(EVENT, member.personalApiKey), { steps: [{ config }] })
    const read = await makeKey(sql, owner, { scopes: ['plugin:read'] })
    t.match(await refusal(run(EVENT, read)), { detail: /plugin:write/ })
    t.match(await refusal(run(EVENT, outsider.personalApiKey)), { is: 'permission_denied' })
    const theirs = { project_id: String(outsider.project?.id) }
    t.match(await refusal(run(EVENT, outsider.personalApiKey, theirs)), { is: 'not_found' })
    for (const id of ['999999', 'abc', '']) {
      const refused = { is: 'not_found', detail: 'Not found.' }
      t.match(await refusal(run(EVENT, key, { id })), refused)
      t.match(await refusal(run(undefined, key, { id })), refused, 'before the body is judged')
    }
    await sql`update organizations set plugins_access_level = 2 where id = ${owner.organizationId}`
    t.match(await refusal(run(EVENT)), { is: 'not_found' })
    await sql`update organizations set plugins_access_level = 9`
  })

  t.test('leaves out what would not fit into the answer', async (t) => {
    let deep: Json = 1
    for (let level = 0; level < 65; level += 1) deep = [deep]
    const large = { text: 'x'.repeat(PLUGIN_DRY_RUN_CHARS_MAX / 2) }
    const logs = [{ type: 'LOG', message: 'y'.repeat(PLUGIN_DRY_RUN_CHARS_MAX) }] as const
    answer = { steps: [deep, large, large].map((event) => step({ event })) }
    answer = { steps: [...answer.steps, step({ logs }), step({ event: deep, error: 'own' })] }
    const { steps = [] } = await run(EVENT)
    t.match(steps[0], { event: { nullValue: 'NULL_VALUE' }, error: /more than 64 levels/ })
    t.same(fromValue(steps[1]?.event), large)
    t.match(steps[2], { event: { nullValue: 'NULL_VALUE' }, error: /too large/ })
    t.match(steps[3], { logs: [], error: /Log entries are left out/ })
    t.same(fromValue(steps[3]?.event), EVENT)
    t.match(steps[4], { error: 'own' })
  })

  t.test('changes nothing, and leaves no entry of activity', async (t) => {
    const [entry] = await auditRows(sql)
    t.match(entry, { activity: 'created' })
  })
})
