import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { PLUGIN_FETCH_MS } from '../../../src/core/limits/limits.ts'
import { createWebhookSender } from '../../../src/manage/alerts/webhook-sender.ts'
import { createHostFetch } from '../../../src/plugins/host/fetch.ts'
import { isForeignAddress } from '../../../src/plugins/host/public-address.ts'
import { insertWebhook } from '../../../src/store/alerts/alert-webhooks.ts'
import { alertSite, checksOver, WEBHOOK_SECRET } from '../../support/alerts/alerts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startFakeHttpServer } from '../../support/http/fake-http-server.ts'
import { createLogLines } from '../../support/log-lines.ts'
import { until } from '../../support/until.ts'

const NEVER = new AbortController().signal

async function setUp(
  t: Test,
  allows: (address: string) => boolean = () => true,
  clock: Clock = systemClock,
) {
  let status = 200
  const hook = await startFakeHttpServer(({ path }) =>
    path === '/moved'
      ? { status: 307, body: '', headers: { location: '/elsewhere' } }
      : { status, body: 'ok', hang: path === '/hangs' },
  )
  t.teardown(() => hook.close())
  const site = await alertSite(t)
  const lines = createLogLines()
  const outcomes: string[] = []
  const { sendDue } = createWebhookSender({
    sql: site.sql,
    fetch: createHostFetch({ clock, enabled: true, allows }),
    clock: systemClock,
    log: lines.log,
    onOutcome: (outcome) => void outcomes.push(outcome),
  })
  const id = await site.make({ webhookUrl: `${hook.url}/key-of-theirs` })
  return {
    ...site,
    id,
    hook,
    lines,
    outcomes,
    send: () => sendDue(NEVER),
    answer: (next: number) => {
      status = next
    },
    aim: async (url: string) => {
      await site.sql`update alerts set webhook_url = ${url}`
    },
    due: async () => {
      await site.sql`update alert_webhooks set next_attempt_at = now()`
    },
    row: async () => {
      const [row] = await site.sql<{ error: string | null; off: boolean; waiting: number }[]>`
        select webhook_error as error, webhook_disabled_at is not null as off,
          (select count(*)::int from alert_webhooks) as waiting
        from alerts where id = ${id}`
      return row
    },
  }
}

t.test('a message is sent once, signed with its id and time', async (t) => {
  const s = await setUp(t)
  await checksOver(s.sql).checkDue(NEVER)
  await s.send()
  await s.send()
  t.equal(s.hook.seen.length, 1)
  const [request] = s.hook.seen
  const { 'webhook-id': id, 'webhook-timestamp': at, ...headers } = request?.headers ?? {}
  const body = String(request?.body)
  const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  t.equal(headers['webhook-signature'], `v1,${expected}`)
  t.ok(Math.abs(Number(at) * 1_000 - systemClock.now()) < 60_000)
  t.match(JSON.parse(body), {
    type: 'alert.firing',
    data: { alert: { id: s.id, name: 'Few orders' }, insight: 'Orders by hour', project: 'Shop' },
  })
  t.same(s.outcomes, ['sent'])
  t.same(await s.row(), { error: null, off: false, waiting: 0 })
})

t.test('one that is not taken is sent again later, and shown until it is', async (t) => {
  const s = await setUp(t)
  s.answer(500)
  await insertWebhook(s.sql, s.id, '{}')
  await s.send()
  await s.send()
  t.equal(s.hook.seen.length, 1, 'not before its time')
  t.same(await s.row(), { error: 'The address answers with status 500.', off: false, waiting: 1 })
  await s.due()
  s.answer(204)
  await s.send()
  t.same(await s.row(), { error: null, off: false, waiting: 0 })
  const ids = s.hook.seen.map(({ headers }) => headers['webhook-id'])
  t.equal(ids[0], ids[1], 'the same id, so that a receiver can tell')
  t.notMatch(JSON.stringify(s.lines.all()), 'key-of-theirs')
})

t.test('a day of failures switches it off; a success in between begins another day', async (t) => {
  const s = await setUp(t)
  const age = async () => {
    await s.sql`update alerts set webhook_failing_since = webhook_failing_since - interval '24h'`
    await s.due()
  }
  s.answer(500)
  await insertWebhook(s.sql, s.id, '1')
  await s.send()
  await age()
  s.answer(200)
  await s.send()
  s.answer(500)
  await insertWebhook(s.sql, s.id, '2')
  await insertWebhook(s.sql, s.id, '3')
  await s.send()
  t.match(await s.row(), { off: false, waiting: 2 })
  await age()
  await s.send()
  t.match(await s.row(), { error: 'The address answers with status 500.', off: true, waiting: 0 })
  t.ok(s.outcomes.includes('disabled'))
  await checksOver(s.sql).checkDue(NEVER)
  t.match(await s.told(), { hooks: [], mails: [/fires/] }, 'nothing is written for it any more')
})

t.test('no message leads into the private network, by address or by redirect', async (t) => {
  const s = await setUp(t, isForeignAddress)
  await insertWebhook(s.sql, s.id, '{}')
  await s.send()
  t.match(await s.row(), { error: 'fetch failed: no public address answers at this URL' })
  t.same(s.hook.seen, [])
  const open = await setUp(t)
  await open.aim(`${open.hook.url}/moved`)
  await insertWebhook(open.sql, open.id, '{}')
  await open.send()
  t.match(await open.row(), { error: 'The address leads elsewhere.', waiting: 1 })
})

t.test(
  'a message of an alert without webhook is dropped, and of a removed alert too',
  async (t) => {
    const s = await setUp(t)
    await insertWebhook(s.sql, s.id, '{}')
    await s.sql`update alerts set webhook_url = null`
    await s.send()
    t.match(await s.row(), { waiting: 0 })
    await insertWebhook(s.sql, s.id, '{}')
    await s.sql`delete from alerts`
    t.same(await s.sql`select from alert_webhooks`, [])
    t.same([s.hook.seen, s.outcomes], [[], []])
  },
)

t.test('a webhook that hangs costs one attempt, and the others go meanwhile', async (t) => {
  const clock = createFakeClock()
  const s = await setUp(t, () => true, clock)
  await s.aim(`${s.hook.url}/hangs`)
  const other = await s.make({ webhookUrl: `${s.hook.url}/well` })
  await insertWebhook(s.sql, s.id, '{}')
  await insertWebhook(s.sql, other, '{}')
  const sent = s.send()
  await until('both were asked', () => s.hook.seen.length === 2)
  await until('the other was taken', () => s.outcomes.includes('sent'))
  await clock.advance(PLUGIN_FETCH_MS)
  await sent
  t.match(await s.row(), { error: 'fetch failed: no answer within 10 seconds', waiting: 1 })
})
