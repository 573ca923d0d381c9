import t, { type Test } from 'tap'
import type { ProjectChange } from '../../../src/core/change-feed.ts'
import { createPluginStates, PLUGIN_ERROR_CHARS_MAX } from '../../../src/plugins/runtime/states.ts'
import { loadPluginPlan } from '../../../src/store/plugins/plugin-plan-store.ts'
import { createLogLines } from '../../support/log-lines.ts'
import { createConfig } from '../../support/plugins/plugin-rows.ts'
import { testDatabase } from '../../support/servers/database.ts'

const ERROR = { message: 'no', time: '2024-01-01T00:00:00.000Z', name: 'TypeError', stack: 's' }
const MAIL = { smtpUrl: 'smtp://127.0.0.1:1', from: 'sluice@example.com' }
const NOTHING = { methods: [], jobs: [], scheduledTasks: [] } as const

async function setUp(t: Test) {
  const db = await testDatabase(t)
  const { sql } = db
  const row = await createConfig(sql)
  const lines = createLogLines()
  const told: ProjectChange[] = []
  const feed = { publish: (each: ProjectChange) => void told.push(each) }
  const states = createPluginStates({ sql, feed, log: lines.log, mail: MAIL })
  const stored = async () => {
    const [found] = await sql`
      select c.enabled, c.error, c.updated_at, g.updated_at as plugin_updated_at, g.capabilities,
        p.revision::int as revision
      from plugin_configs c join plugins g on g.id = c.plugin_id
        join projects p on p.id = c.project_id
      where c.id = ${row.configId}`
    return found
  }
  const mails = async () => {
    const found = await sql<{ recipient: string; subject: string; body: string }[]>`
      select recipient, subject, body from mail_outbox order by recipient`
    return [...found]
  }
  return { db, sql, row, lines, told, feed, states, stored, mails }
}

t.test('an error is shown, and nothing is loaded anew for it', async (t) => {
  const { sql, row, told, states, stored, mails } = await setUp(t)
  const before = await stored()
  const plan = await loadPluginPlan(sql, row.projectId)
  await states.failed(row.projectId, row.step, { error: ERROR, disable: false })
  t.same(await stored(), { ...before, error: ERROR })
  await states.loaded(row.projectId, row.step, {
    methods: ['processEvent'],
    jobs: ['export\0'],
    scheduledTasks: ['runEveryDay'],
  })
  const capabilities = {
    methods: ['processEvent'],
    jobs: ['export\ufffd'],
    scheduled_tasks: ['runEveryDay'],
  }
  t.same(await stored(), { ...before, capabilities })
  t.ok(plan)
  t.same(await loadPluginPlan(sql, row.projectId), plan, 'the same instance goes on')
  t.same([told, await mails()], [[], []])
})

t.test('capabilities that are the same are not written', async (t) => {
  const { sql, row, states } = await setUp(t)
  const version = async () => await sql`select xmin::text from plugins where id = ${row.pluginId}`
  const before = await version()
  await states.loaded(row.projectId, row.step, NOTHING)
  t.same(await version(), before)
  await states.loaded(row.projectId, row.step, { ...NOTHING, methods: ['onEvent'] })
  t.notSame(await version(), before)
})

t.test('one worker of all disables a config, tells it and mails who wants to know', async (t) => {
  const { sql, row, lines, told, states, stored, mails } = await setUp(t)
  const member = async (email: string, settings: object, isActive = true) => {
    await sql`
      with member as (
        insert into users (uuid, distinct_id, email, notification_settings, is_active)
        values (gen_random_uuid(), ${email}, ${email}, ${JSON.stringify(settings)}::text::json,
          ${isActive})
        returning id
      )
      insert into memberships (id, organization_id, user_id, level)
      select gen_random_uuid(), p.organization_id, member.id, 1 from member, projects p
      where p.id = ${row.projectId}`
  }
  await member('wants@example.com', { plugin_disabled: true })
  await member('never-said@example.com', {})
  await member('not@example.com', { plugin_disabled: false })
  await member('left@example.com', { plugin_disabled: true }, false)
  await sql`insert into users (uuid, distinct_id, email)
    values (gen_random_uuid(), 'x', 'outsider@example.com')`
  const before = await stored()
  const error = { ...ERROR, message: 'secret of the settings' }
  const disable = () => states.failed(row.projectId, row.step, { error, disable: true })
  await Promise.all([disable(), disable(), disable()])
  const revision = before?.['revision'] + 1
  t.match(await stored(), { enabled: false, error, revision })
  const sent = await mails()
  t.same(
    sent.map(({ recipient }) => recipient),
    ['never-said@example.com', 'wants@example.com'],
  )
  t.equal(sent[0]?.subject, 'Exporter was disabled in Default Project on Sluice')
  t.notMatch(sent[0]?.body, 'secret')
  t.equal(lines.all().filter(({ message }) => message === 'plugin disabled').length, 1)
  t.same(told, Array(3).fill({ kind: 'revision', projectId: row.projectId, revision }))
  await states.loaded(row.projectId, row.step, NOTHING)
  t.match(await stored(), { error }, 'why it was disabled is not forgotten')
})

t.test('a run from before a config was saved does not disable it', async (t) => {
  const { sql, row, states, told, stored } = await setUp(t)
  await sql`update plugin_configs set updated_at = now()`
  await states.failed(row.projectId, row.step, { error: ERROR, disable: true })
  t.match(await stored(), { enabled: true, error: null })
  t.equal(told.length, 1, 'others may have missed the change')
})

t.test('without mail none is written; of what is gone nothing is', async (t) => {
  const { sql, row, feed, lines, told, stored, mails } = await setUp(t)
  const states = createPluginStates({ sql, feed, log: lines.log })
  await sql`insert into users (uuid, distinct_id, email)
    values (gen_random_uuid(), 'x', 'x@example.com')`
  await sql`insert into memberships (id, organization_id, user_id, level)
    select gen_random_uuid(), p.organization_id, u.id, 1 from users u, projects p`
  await states.failed(row.projectId, row.step, { error: ERROR, disable: true })
  t.match(await stored(), { enabled: false })
  t.same(await mails(), [])
  told.length = 0
  await sql`delete from projects`
  for (const disable of [true, false]) {
    await states.failed(row.projectId, row.step, { error: ERROR, disable })
  }
  await states.loaded(row.projectId, row.step, NOTHING)
  t.same(told, [])
})

t.test('an error of any size and content fits', async (t) => {
  const { row, states, stored } = await setUp(t)
  const keep = async (error: Parameters<typeof states.failed>[2]['error']) => {
    await states.failed(row.projectId, row.step, { error, disable: false })
    const kept = (await stored())?.['error']
    t.ok(JSON.stringify(kept).length <= PLUGIN_ERROR_CHARS_MAX)
    return kept
  }
  const event = { uuid: 'u', properties: { a: 'b\0\ud800' } }
  t.match(await keep({ ...ERROR, event }), { event: { properties: { a: 'b\ufffd\ufffd' } } })
  const large = { uuid: 'x'.repeat(PLUGIN_ERROR_CHARS_MAX) }
  t.same(await keep({ ...ERROR, event: large }), ERROR, 'the event goes first')
  const long = '\0'.repeat(PLUGIN_ERROR_CHARS_MAX)
  t.match(await keep({ ...ERROR, stack: long, message: long, event }), {
    name: 'TypeError',
    stack: /^\ufffd{1000,}$/,
    message: /^\ufffd{1000,}$/,
  })
  let deep: import('../../../src/core/json.ts').JsonObject = {}
  for (let level = 0; level < 100; level++) deep = { deep }
  t.same(await keep({ ...ERROR, event: deep }), ERROR)
})

t.test('a database that is away rejects; the call may be made again', async (t) => {
  const { db, row, told, states, stored, mails } = await setUp(t)
  await db.pg.kill('SIGKILL')
  const disable = () => states.failed(row.projectId, row.step, { error: ERROR, disable: true })
  await t.rejects(disable())
  t.same(told, [])
  await db.pg.restart()
  await disable()
  t.match(await stored(), { enabled: false, error: ERROR })
  t.equal(told.length, 1)
  t.same(await mails(), [])
})
