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
  const [, id] = /^https:\/\/sluice\.example\/signup\/([0-9a-f-]{36})\r$/m.exec(text) ?? []
  const link = `${product.url}/api/signup/${id}/`
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
