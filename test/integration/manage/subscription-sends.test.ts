import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { keyDigest } from '../../../src/access/keys.ts'
import { removeOldContents } from '../../../src/store/people/mail-outbox-store.ts'
import {
  finishSending,
  takeDueSubscriptions,
  unsubscribe,
} from '../../../src/store/subscriptions/subscription-turns.ts'
import { addDropped } from '../../../src/store/warnings/dropped-store.ts'
import { moduleArgs } from '../../support/module-url.ts'
import { startMailServer } from '../../support/servers/mail-server.ts'
import {
  outboxOver,
  partsOf,
  sendsOver,
  subscriptionSite,
} from '../../support/subscriptions/subscriptions.ts'

const NEVER = new AbortController().signal
const LINK = /https:\/\/sluice\.example\.com\/unsubscribe\/([\w-]{43})/
const HOSTILE = '<script>alert(1)</script> "Orders"'

t.test('an insight comes by mail with its picture, and to the chat', async (t) => {
  const server = await startMailServer(t)
  const site = await subscriptionSite(t)
  const insight = await site.insight(HOSTILE)
  const emails = ['ann@example.com', 'bob@example.com']
  const id = await site.make({ insight, emails })
  await site.order(3)
  const { sendDue } = sendsOver(site.sql)
  await sendDue(NEVER)
  await outboxOver(site.sql, server.url).sendDue(NEVER)
  t.same(server.received.flatMap(({ to }) => to).toSorted(), emails)
  const [first, second] = server.received.map(({ raw }) => partsOf(raw))
  t.match(first?.header('Subject'), '=22Orders=22=2C_25_Nov_2026', 'encoded')
  t.match(first?.text, 'Project Shop, 25 Nov 2026\r\nhttps://sluice.example.com/project/')
  t.match(first?.html, '&lt;script&gt;alert(1)&lt;/script&gt; &quot;Orders&quot;')
  t.notMatch(first?.html, '<script')
  t.equal(first?.pictures.length, 1)
  const [picture] = first?.pictures ?? []
  t.ok(picture?.isInline)
  t.match(first?.html, `src="cid:${picture?.id}"`)
  t.equal(picture?.body.toString('latin1', 1, 4), 'PNG')
  const secrets = [first, second].map((mail) => LINK.exec(mail?.text ?? '')?.[1])
  t.not(secrets[0], secrets[1], 'each has a secret of its own')
  t.equal(first?.header('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
  t.match(first?.header('List-Unsubscribe'), `unsubscribe/${secrets[0]}`)
  t.match(first?.html, `href="https://sluice.example.com/unsubscribe/${secrets[0]}"`)
  t.match(await site.chats(), [/^&lt;script&gt;alert\(1\)&lt;\/script&gt; "Orders": https:\/\//])
  t.match(await site.state(id), { next: '2026-11-30 08:00', enabled: true })
  t.equal(await site.count('mail_contents'), 0, 'pictures go with the last mail')
  await sendDue(NEVER)
  t.equal(await site.count('mail_outbox'), 0, 'it is not due again')
})

t.test('two workers send once, and a turn whose lease is lost writes nothing', async (t) => {
  const site = await subscriptionSite(t)
  const insight = await site.insight('Orders')
  const id = await site.make({ insight })
  const workers = [sendsOver(site.sql), sendsOver(site.sql), sendsOver(site.sql)]
  await Promise.all(workers.map(({ sendDue }) => sendDue(NEVER)))
  t.equal(await site.count('mail_outbox'), 1)
  await site.makeDue()
  const [late] = await takeDueSubscriptions(site.sql, { count: 1, leaseMs: 0 })
  await workers[0]?.sendDue(NEVER)
  t.equal(await site.count('mail_outbox'), 2)
  t.ok(late)
  if (late) t.equal(await finishSending(site.sql, late, 0), false)
  t.match(await site.state(id), { next: '2026-11-30 08:00' })
})

t.test('a turn that is ended by a change is not counted as sent', async (t) => {
  const site = await subscriptionSite(t)
  await site.make({ insight: await site.insight('Orders') })
  let sent = 0
  const { sendDue } = sendsOver(site.sql, {
    renderPng: async () => {
      await site.sql`update subscriptions set turn = turn + 1, enabled = false`
      return new Uint8Array()
    },
    onSent: () => {
      sent += 1
    },
  })
  await sendDue(NEVER)
  t.equal(await site.count('mail_outbox'), 0)
  t.equal(sent, 0)
})

for (const point of ['before-subscription-commit', 'after-subscription-commit'] as const) {
  t.test(`a worker that is killed ${point} leaves exactly one mail`, async (t) => {
    const server = await startMailServer(t)
    const site = await subscriptionSite(t)
    await site.make({ insight: await site.insight('Orders') })
    const args = moduleArgs('../../support/subscriptions/send-child.ts', import.meta.url)
    const child = spawn(process.execPath, [...args, site.url, `${point}=crash`], {
      stdio: 'inherit',
    })
    const [, signal] = await once(child, 'exit')
    t.equal(signal, 'SIGKILL', 'it was killed')
    const { sendDue } = sendsOver(site.sql)
    await sendDue(NEVER)
    // As if the lease of the dead worker had run out.
    await site.sql`update subscriptions set leased_until = now() where leased_until is not null`
    await sendDue(NEVER)
    await outboxOver(site.sql, server.url).sendDue(NEVER)
    t.equal(server.received.length, 1)
    t.equal(partsOf(server.received[0]?.raw ?? '').pictures.length, 1)
    t.equal((await site.chats()).length, 1)
  })
}

t.test('an address that unsubscribes gets nothing more, also when listed again', async (t) => {
  const site = await subscriptionSite(t)
  const id = await site.make({ insight: await site.insight('Orders'), emails: ['ann@example.com'] })
  const { sendDue } = sendsOver(site.sql)
  await sendDue(NEVER)
  const [mail] = await site.sql<{ body: string }[]>`select body from mail_outbox`
  const digest = keyDigest(LINK.exec(mail?.body ?? '')?.[1] ?? '')
  t.equal(await unsubscribe(site.sql, keyDigest('another')), false)
  t.equal(await unsubscribe(site.sql, digest), true)
  t.equal(await site.count('mail_outbox'), 0, 'the mail that waited is gone')
  t.equal(await unsubscribe(site.sql, digest), true, 'it may be repeated')
  await site.makeDue()
  await sendDue(NEVER)
  t.equal(await site.count('mail_outbox'), 0)
  t.match(await site.recipients(id), [{ state: 'unsubscribed' }])
})

t.test('an address that its server refuses is switched off, with the reason', async (t) => {
  const server = await startMailServer(t)
  server.refused.set('bob@example.com', 550)
  server.refused.set('cay@example.com', 450)
  const site = await subscriptionSite(t)
  const emails = ['ann@example.com', 'bob@example.com', 'cay@example.com']
  const id = await site.make({ insight: await site.insight('Orders'), emails })
  const { sendDue } = sendsOver(site.sql)
  await sendDue(NEVER)
  const outbox = outboxOver(site.sql, server.url)
  await outbox.sendDue(NEVER)
  t.same(await site.recipients(id), [
    { email: 'ann@example.com', state: 'active', reason: null },
    {
      email: 'bob@example.com',
      state: 'bounced',
      reason: 'The mail server refuses the address (550).',
    },
    { email: 'cay@example.com', state: 'active', reason: null },
  ])
  await site.makeDue()
  await sendDue(NEVER)
  await outbox.sendDue(NEVER)
  t.same(
    server.received.map(({ to }) => to[0]),
    ['ann@example.com', 'ann@example.com'],
  )
})

t.test('a dashboard has ten pictures at most, with its filters; an answer may fail', async (t) => {
  const server = await startMailServer(t)
  const site = await subscriptionSite(t)
  const broken = await site.insight('Broken', { kind: 'TrendsQuery', series: [] })
  const insights = [broken]
  for (let nth = 1; nth < 12; nth++) insights.push(await site.insight(`Insight ${nth}`))
  const dashboard = await site.dashboard('Shop', insights, { date_from: '2026-11-01' })
  await site.make({ kind: 'dashboard', dashboard, title: 'All of it' })
  await sendsOver(site.sql).sendDue(NEVER)
  await outboxOver(site.sql, server.url).sendDue(NEVER)
  const mail = partsOf(server.received[0]?.raw ?? '')
  t.equal(mail.header('Subject'), 'All of it, 25 Nov 2026')
  t.equal(mail.pictures.length, 9, 'ten parts, and one of them has no picture')
  t.match(mail.text, 'Broken\r\nMust have 1 to 10 items.')
  t.match(mail.text, 'And 2 more on the page.')
  t.match(mail.text, `https://sluice.example.com/project/${site.project}/dashboard/${dashboard}`)
  t.match(mail.html, 'src="cid:picture-8"')
})

t.test('pictures without mails are removed after a week', async (t) => {
  const site = await subscriptionSite(t)
  await site.make({ insight: await site.insight('Orders') })
  await sendsOver(site.sql).sendDue(NEVER)
  t.equal(await site.count('mail_pictures'), 1)
  const age = (days: number) => site.sql`
    update mail_contents set created_at = now() - make_interval(days => ${days})`
  await age(8)
  await removeOldContents(site.sql)
  t.equal(await site.count('mail_pictures'), 1, 'a mail has them')
  await site.sql`delete from subscriptions`
  await age(6)
  await removeOldContents(site.sql)
  t.equal(await site.count('mail_pictures'), 1, 'they are young')
  await age(8)
  await removeOldContents(site.sql)
  t.equal(await site.count('mail_pictures'), 0)
})

t.test('a deleted insight or dashboard is not sent, and the reason is shown', async (t) => {
  const site = await subscriptionSite(t)
  const [hidden, removed] = [await site.insight('Hidden'), await site.insight('Removed')]
  const ids = [await site.make({ insight: hidden }), await site.make({ insight: removed })]
  const dashboard = await site.dashboard('Gone', [])
  ids.push(await site.make({ kind: 'dashboard', dashboard }))
  await site.sql`update insights set deleted = true where id = ${hidden}`
  await site.sql`delete from insights where id = ${removed}`
  await site.sql`delete from dashboards where id = ${dashboard}`
  await sendsOver(site.sql).sendDue(NEVER)
  t.equal(await site.count('mail_outbox'), 0)
  const states = await Promise.all(ids.map(site.state))
  t.match(states, [
    { enabled: false, reason: 'The insight was deleted.' },
    { enabled: false, reason: 'The insight was deleted.' },
    { enabled: false, reason: 'The dashboard was deleted.' },
  ])
})

t.test('a summary has visitors, sources and pages with change, flags and losses', async (t) => {
  const server = await startMailServer(t)
  const site = await subscriptionSite(t)
  const view = (distinctId: string, timestamp: string, path: string, domain = '$direct') => ({
    event: '$pageview',
    distinctId,
    timestamp,
    properties: { $session_id: distinctId, $pathname: path, $referring_domain: domain },
  })
  await site.put(
    view('a', '2026-11-20T10:00:00Z', '/'),
    view('b', '2026-11-21T10:00:00Z', '/prices', 'www.google.com'),
    view('c', '2026-11-22T10:00:00Z', '/'),
    view('d', '2026-11-13T10:00:00Z', '/'),
    view('e', '2026-11-13T11:00:00Z', '/'),
    // Today is no part of a week that has ended.
    view('f', '2026-11-25T10:00:00Z', '/today'),
  )
  const everybody = '{"groups": [{"properties": [], "rollout_percentage": 100}]}'
  await site.sql`insert into feature_flags (project_id, key, active, created_at, updated_at, filters)
    values (${site.project}, 'fresh', true, '2026-11-23Z', '2026-11-23Z', ${everybody}::text::json),
      (${site.project}, 'old', true, '2025-01-01Z', '2025-01-01Z', ${everybody}::text::json)`
  await site.sql`insert into dropped_days (project_id, day, reason, count)
    values (${site.project}, '2026-11-17', 'invalid_event', 1000),
      (${site.project}, '2026-11-18', 'invalid_event', 200)`
  await site.sql`insert into dropped_events (project_id, minute, reason, count)
    values (${site.project}, '2026-11-24T23:59:00Z', 'invalid_event', 7),
      (${site.project}, '2026-11-25T00:00:00Z', 'invalid_event', 10)`
  await site.make({ kind: 'summary' })
  await sendsOver(site.sql).sendDue(NEVER)
  await outboxOver(site.sql, server.url).sendDue(NEVER)
  const { text, header, pictures } = partsOf(server.received[0]?.raw ?? '')
  t.equal(header('Subject'), 'Weekly summary of Shop, 25 Nov 2026')
  t.equal(pictures.length, 0)
  t.match(text, 'Visitors: 3 (+50 %)')
  t.match(text, /Top sources\r\n.*direct: 2 \(±0 %\)\r\n.*google\.com: 1 \(new\)/s)
  t.match(text, /Top pages\r\n\/: 2 \(±0 %\)\r\n\/prices: 1 \(new\)/)
  t.notMatch(text, '/today')
  t.match(text, 'New: fresh\r\nStale: old\r\nhttps://sluice.example.com/project/')
  t.match(text, '/feature_flags\r\n')
  t.match(text, 'invalid event: 207\r\n', 'seven days that have ended')
  t.match(await site.chats(), [/^Weekly summary of Shop: Visitors: 3 \(\+50 %\)/])
})

t.test('minutes of dropped events become days', async (t) => {
  const site = await subscriptionSite(t)
  const counts = (ageMs: number) => [
    { projectId: site.project, type: 'invalid_event' as const, ageMs, count: 2 },
  ]
  await addDropped(site.sql, counts(3 * 3_600_000))
  await addDropped(site.sql, counts(0))
  await addDropped(site.sql, counts(0))
  const rows = await site.sql`select reason, count::integer from dropped_days`
  t.same([...rows], [{ reason: 'invalid_event', count: 2 }])
})
