import { once } from 'node:events'
import t from 'tap'
import { readMail, startMailServer, startSilentServer } from '../../support/servers/mail-server.ts'
import { request, startStandalone } from '../../support/servers/product.ts'

const PUBLIC_URL = 'https://sluice.example'

t.test('an invite comes by mail, and its link makes a member with a key', async (t) => {
  const server = await startMailServer(t)
  const settings = { SMTP_URL: server.url, PUBLIC_URL, MAIL_FROM: 'sluice@example.com' }
  const product = await startStandalone(t, settings)
  const invited = await request(`${product.url}/api/organizations/@current/invites/`, {
    key: product.personalKey,
    body: { target_email: 'ann@example.com', first_name: 'Ann', message: 'See you' },
  })
  t.match(invited, { status: 201, body: { emailing_attempt_made: true } })
  const [mail] = await server.until(1)
  t.match(mail, { from: 'sluice@example.com', to: ['ann@example.com'] })
  const { headers, text } = readMail(mail?.raw ?? '')
  t.match(new Map(headers).get('reply-to'), 'owner@example.com')
  t.match(text, '> See you')
  const [, token] = /^https:\/\/sluice\.example\/signup\/([0-9A-Za-z]{43})\r$/m.exec(text) ?? []
  const link = `${product.url}/api/signup/${token}/`
  t.match(await request(link), { status: 200, body: { target_email: 'ann@example.com' } })
  const body = { first_name: 'Ann', password: 'correct horse' }
  const accepted = await request(link, { body })
  t.match(accepted, { status: 201, body: { personal_api_key: /^phx_/ } })
  const { personal_api_key: key }: { personal_api_key?: unknown } = Object(accepted.body)
  const project = await request(`${product.url}/api/projects/@current/`, { key: String(key) })
  t.match(project, { status: 200, body: { effective_membership_level: 1 } })
  t.match((await request(link, { body })).status, 404)
  const [, told] = await server.until(2)
  t.match(told?.to, ['owner@example.com'])
})

t.test('a mail server that hangs holds up neither a call nor the shutdown', async (t) => {
  const silent = await startSilentServer(t)
  const product = await startStandalone(t, { SMTP_URL: silent.url, PUBLIC_URL })
  const connected = once(silent.server, 'connection')
  const invited = await request(`${product.url}/api/organizations/@current/invites/`, {
    key: product.personalKey,
    body: { target_email: 'ann@example.com' },
  })
  t.match(invited, { status: 201, body: { emailing_attempt_made: true } })
  await connected
  t.equal((await request(`${product.url}/api/projects/`, { key: product.personalKey })).status, 200)
  product.process.kill('SIGTERM')
  t.equal(await product.process.ended, 0)
})

t.test('an address is confirmed by the link that comes there', async (t) => {
  const server = await startMailServer(t)
  const product = await startStandalone(t, { SMTP_URL: server.url, PUBLIC_URL })
  const me = `${product.url}/api/users/@me/`
  const { personalKey: key } = product
  const asked = await request(me, { key, method: 'PATCH', body: { email: 'new@example.com' } })
  const pending = { email: 'owner@example.com', pending_email: 'new@example.com' }
  t.match(asked, { status: 200, body: pending })
  const [mail] = await server.until(1)
  t.match(mail?.to, ['new@example.com'])
  const { text } = readMail(mail?.raw ?? '')
  const path = /^https:\/\/sluice\.example(\/verify_email\/([0-9A-Za-z]{43}))\r$/m.exec(text)
  t.equal((await fetch(`${product.url}${path?.[1]}`)).status, 200, 'the page')
  t.match(await request(me, { key }), { body: pending }, 'which confirms nothing by itself')
  const confirmed = await request(`${product.url}/api/users/verify_email/`, {
    body: { token: path?.[2] },
  })
  t.match(confirmed, { status: 200, body: { email: 'new@example.com' } })
  t.match(await request(me, { key }), { body: { email: 'new@example.com', pending_email: null } })
})
