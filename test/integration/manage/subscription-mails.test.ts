import t from 'tap'
import { testDatabase } from '../../support/servers/database.ts'
import { startMailServer } from '../../support/servers/mail-server.ts'
import { request, startStandalone } from '../../support/servers/product.ts'
import { partsOf } from '../../support/subscriptions/subscriptions.ts'

const PUBLIC_URL = 'https://sluice.example'

t.test('a subscription is sent by the product, and ended by its link', async (t) => {
  const server = await startMailServer(t)
  const { sql, url: database } = await testDatabase(t, { connectionsMax: 2 })
  const product = await startStandalone(t, {
    ...{ SMTP_URL: server.url, PUBLIC_URL, MAIL_FROM: 'sluice@example.com' },
    DATABASE_URL: database,
  })
  const { url, personalKey: key } = product
  const all = `${url}/api/projects/@current/subscriptions/`
  const made = await request(all, {
    key,
    body: { kind: 'summary', recipients: ['ann@example.com', 'bob@example.com'] },
  })
  t.match(made, { status: 201, body: { last_sent_at: null } })
  const { id } = made.body as { readonly id: string }
  const statesOf = async () => {
    const { body } = await request(`${all}${id}/`, { key })
    const { recipients } = body as { readonly recipients: readonly { readonly state: string }[] }
    return recipients.map(({ state }) => state)
  }
  await sql`update subscriptions set next_send_at = now()`
  const mails = await server.until(2)
  const pathOf = (address: string) => {
    const mail = mails.find(({ to }) => to.includes(address))
    const header = partsOf(mail?.raw ?? '').header('List-Unsubscribe')
    return /^<https:\/\/sluice\.example(\/unsubscribe\/[\w-]{43})>$/.exec(header ?? '')?.[1] ?? ''
  }
  const [ann, bob] = [pathOf('ann@example.com'), pathOf('bob@example.com')]
  const page = await fetch(url + ann)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-security-policy'), "default-src 'none'")
  t.equal((await fetch(url + ann, { method: 'HEAD' })).status, 200)
  t.same(await statesOf(), ['active', 'active'], 'to look at the page changes nothing')
  const oneClick = await fetch(url + ann, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  t.equal(oneClick.status, 204, 'as mail programs do')
  t.same(await statesOf(), ['unsubscribed', 'active'])
  const button = await fetch(`${url}/api${bob}/`, { method: 'POST' })
  t.equal(button.status, 204, 'as the button of the page does')
  t.same(await statesOf(), ['unsubscribed', 'unsubscribed'])
  const unknown = await fetch(`${url}/unsubscribe/${'a'.repeat(43)}`, { method: 'POST' })
  t.equal(unknown.status, 404)
})
