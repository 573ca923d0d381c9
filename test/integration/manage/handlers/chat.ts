import t from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { CHAT_ATTEMPTS_MAX, createChatSender } from '../../../../src/manage/chat/chat-sender.ts'
import { createHostFetch } from '../../../../src/plugins/host/fetch.ts'
import { isForeignAddress } from '../../../../src/plugins/host/public-address.ts'
import {
  CHAT_WAITING_MAX,
  insertChatMessages,
  takeNewEventNames,
} from '../../../../src/store/projects/chat-outbox-store.ts'
import { as, startManagement } from '../../../support/api/management.ts'
import { startFakeHttpServer } from '../../../support/http/fake-http-server.ts'
import { createLogLines } from '../../../support/log-lines.ts'

t.test('the chat of a project', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const definitions = m.services['sluice.v1.EventDefinitionService']
  const project = projectId(owner.project?.id ?? 0)
  let status = 200
  const hook = await startFakeHttpServer(({ path }) =>
    path === '/moved'
      ? { status: 307, body: '', headers: { location: '/elsewhere' } }
      : { status, body: 'ok' },
  )
  t.teardown(() => hook.close())
  const secret = `${hook.url}/services/T0-secret`
  const lines = createLogLines()
  const outcomes: string[] = []
  const senderOver = (allows: (address: string) => boolean) =>
    createChatSender({
      sql,
      fetch: createHostFetch({ clock: systemClock, enabled: true, allows }),
      log: lines.log,
      onOutcome: (outcome) => void outcomes.push(outcome),
    })
  const chat = senderOver(() => true)
  const { signal } = new AbortController()
  const setWebhook = (address: string | null) =>
    sql`update projects set chat_incoming_webhook = ${address} where id = ${project}`
  const see = async (...names: string[]) => {
    await sql`insert into event_definitions (id, project_id, name)
      select gen_random_uuid(), ${project}, unnest(${names}::text[])`
  }
  const change = async (name: string, fields: object) => {
    const [row] = await sql<{ id: string }[]>`
      select id from event_definitions where name = ${name}`
    const place = { project_id: String(project), id: row?.id ?? '', tags: null, null_fields: [] }
    await definitions.UpdateEventDefinition({ ...place, ...fields }, as(owner.personalApiKey))
  }
  const waiting = async () =>
    await sql<{ body: string; attempts: number; later: boolean }[]>`
      select body, attempts, next_attempt_at > now() + interval '30 seconds' as later
      from chat_outbox order by created_at, body`
  const got = () => hook.seen.splice(0).map(({ body }) => JSON.parse(String(body)).text)

  t.test('without a webhook nothing is told, also not later', async (t) => {
    await see('old')
    await chat.announceNew()
    await change('old', { verified: true, post_to_chat: true })
    await setWebhook(secret)
    await chat.announceNew()
    await chat.sendDue(signal)
    t.same([await waiting(), got()], [[], []])
  })

  t.test('new names of events are told once, together', async (t) => {
    await see('b', 'a')
    await Promise.all([chat.announceNew(), chat.announceNew()])
    await chat.announceNew()
    const [first] = await waiting()
    t.match(first, { attempts: 0, body: /^2 new events in the project .*: "a", "b"$/ })
    await chat.sendDue(signal)
    t.match(got(), [/"a", "b"/])
    t.same([await waiting(), outcomes.splice(0)], [[], ['sent']])
  })

  t.test('new names are not split between two workers that look at the same time', async (t) => {
    await see('c')
    await sql.begin(async (tx) => {
      const [taken] = await takeNewEventNames(tx)
      t.same(taken?.names, ['c'])
      await see('d', 'e')
      await chat.announceNew()
      t.same(await waiting(), [], 'the other one is at it')
    })
    await chat.announceNew()
    t.match(await waiting(), [{ body: /^2 new events in the project .*: "d", "e"$/ }])
    await sql`delete from chat_outbox`
  })

  t.test('a verified event is told where its definition asks for it', async (t) => {
    await change('a', { verified: true })
    await change('b', { verified: true, post_to_chat: true })
    await change('b', { verified: true, description: 'x' })
    await change('a', { post_to_chat: true })
    await chat.sendDue(signal)
    const text = /^The event "b" in the project .* was verified by owner@example\.com$/
    t.match(got(), [text])
    await change('b', { verified: false })
    await chat.sendDue(signal)
    t.same(got(), [])
    outcomes.length = 0
  })

  t.test(
    'a message that a webhook does not take is sent again, later and for a bounded time',
    async (t) => {
      status = 503
      await insertChatMessages(sql, [{ projectId: project, body: 'again' }])
      await chat.sendDue(signal)
      t.match(await waiting(), [{ body: 'again', attempts: 1, later: true }])
      await chat.sendDue(signal)
      t.equal(hook.seen.splice(0).length, 1, 'not before its time')
      const due = () => sql`update chat_outbox set next_attempt_at = now()`
      status = 200
      await due()
      await chat.sendDue(signal)
      t.same([got(), await waiting(), outcomes.splice(0)], [['again'], [], ['sent']])
      status = 500
      await insertChatMessages(sql, [{ projectId: project, body: 'never' }])
      await sql`update chat_outbox set attempts = ${CHAT_ATTEMPTS_MAX - 1}`
      await chat.sendDue(signal)
      t.same([got(), await waiting(), outcomes.splice(0)], [['never'], [], ['given_up']])
    },
  )

  t.test('a webhook that redirects has not taken the message', async (t) => {
    status = 200
    await setWebhook(`${hook.url}/moved`)
    await insertChatMessages(sql, [{ projectId: project, body: 'moved' }])
    await chat.sendDue(signal)
    t.match(await waiting(), [{ body: 'moved', attempts: 1, later: true }])
    t.same(outcomes.splice(0), [])
    await sql`delete from chat_outbox`
    hook.seen.length = 0
    await setWebhook(secret)
  })

  t.test('a webhook that is gone, refuses, or was taken away ends it', async (t) => {
    status = 404
    await insertChatMessages(sql, [{ projectId: project, body: 'refused' }])
    await chat.sendDue(signal)
    t.same([got(), await waiting(), outcomes.splice(0)], [['refused'], [], ['given_up']])
    await insertChatMessages(sql, [{ projectId: project, body: 'no more' }])
    await setWebhook('')
    await chat.sendDue(signal)
    t.same([got(), await waiting(), outcomes.splice(0)], [[], [], ['given_up']])
    await setWebhook(secret)
  })

  t.test('no message reaches the own network, and no log shows the address', async (t) => {
    const guarded = senderOver(isForeignAddress)
    const { port } = hook
    for (const address of [secret, `http://localhost:${port}/`, 'file:///etc/passwd', 'none']) {
      await setWebhook(address)
      await insertChatMessages(sql, [{ projectId: project, body: 'inside' }])
      await guarded.sendDue(signal)
      t.match(await waiting(), [{ attempts: 1 }], address)
      await sql`delete from chat_outbox`
    }
    t.same(got(), [])
    t.ok(lines.all().length > 0)
    t.notMatch(JSON.stringify(lines.all()), /T0-secret|etc.passwd|inside/)
    await setWebhook(secret)
  })

  t.test(
    'the messages that wait for one project are bounded, and are deleted with the project',
    async (t) => {
      const many = Array.from({ length: CHAT_WAITING_MAX }, () => ({
        projectId: project,
        body: 'x',
      }))
      await insertChatMessages(sql, many)
      await insertChatMessages(sql, [{ projectId: project, body: 'one more' }])
      t.equal((await waiting()).length, CHAT_WAITING_MAX)
      await sql`delete from projects where id = ${project}`
      t.same(await waiting(), [])
    },
  )
})
