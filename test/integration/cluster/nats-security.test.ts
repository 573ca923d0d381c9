import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from 'nats'
import t, { type Test } from 'tap'
import { connectNats, type NatsLink } from '../../../cluster/nats/nats-connection.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import type { SecuritySettings } from '../../../src/core/config/tls-settings.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import { testFolder } from '../../support/servers/product.ts'
import { makeAuthority } from '../../support/tls/certificates.ts'
import { makeNatsAccounts } from '../../support/tls/nats-accounts.ts'

type Files = Partial<SecuritySettings['nats']>

async function link(t: Test, urls: string, files: Files = {}): Promise<NatsLink> {
  const none = { cert: undefined, key: undefined, ca: undefined }
  const security = { ...none, creds: undefined, nkey: undefined, ...files }
  const nats = await connectNats({ urls, name: 'test', security, clock, log })
  t.teardown(() => nats.close())
  return nats
}

function file(t: Test, name: string, text: string): string {
  const path = join(testFolder(t), name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

t.test('NATS over TLS is believed by its authority and its name only', async (t) => {
  const authority = makeAuthority(t)
  const { cert, key } = authority.issue(['IP:127.0.0.1'])
  const args = ['--tls', '--tlscert', cert, '--tlskey', key]
  const server = await startNats(t, { args })
  const url = server.url.replace('nats:', 'tls:')
  const nats = await link(t, url, { ca: authority.ca })
  t.ok(nats.connected())
  const named = url.replace('127.0.0.1', 'localhost')
  const refused = { code: 'unavailable' }
  await t.rejects(link(t, named, { ca: authority.ca }), refused, 'another name')
  await t.rejects(link(t, url, { ca: makeAuthority(t).ca }), refused, 'another authority')
  await t.rejects(link(t, url), refused, 'an authority that nobody knows')
})

t.test('a server without TLS is refused by whoever asks for it', async (t) => {
  const server = await startNats(t)
  await t.rejects(link(t, server.url.replace('nats:', 'tls:')), { code: 'unavailable' })
  await t.rejects(link(t, server.url, { ca: makeAuthority(t).ca }), { code: 'unavailable' })
})

t.test('a server may ask for a certificate', async (t) => {
  const authority = makeAuthority(t)
  const { cert, key } = authority.issue(['IP:127.0.0.1'])
  const tls = ['--tlsverify', '--tlscert', cert, '--tlskey', key, '--tlscacert', authority.ca]
  const server = await startNats(t, { args: tls })
  const url = server.url.replace('nats:', 'tls:')
  const own = authority.issue(['DNS:worker'])
  const nats = await link(t, url, { ca: authority.ca, ...own })
  t.ok(nats.connected())
  await t.rejects(link(t, url, { ca: authority.ca }), { code: 'unavailable' })
})

t.test('an nkey logs in, another one does not', async (t) => {
  const [right, wrong] = [nkeys.createUser(), nkeys.createUser()]
  const users = `authorization { users: [ { nkey: ${right.getPublicKey()} } ] }`
  const server = await startNats(t, { args: ['-c', file(t, 'nats.conf', users)] })
  const seedOf = (pair: typeof right) => file(t, 'seed', `${Buffer.from(pair.getSeed())}\n`)
  const nats = await link(t, server.url, { nkey: seedOf(right) })
  t.ok(nats.connected())
  const refused = { code: 'unauthenticated', message: /NATS_NKEY/ }
  await t.rejects(link(t, server.url, { nkey: seedOf(wrong) }), refused)
  await t.rejects(link(t, server.url), { code: 'unauthenticated' })
})

t.test('a file of credentials logs in, that of others does not', async (t) => {
  const accounts = makeNatsAccounts()
  const server = await startNats(t, { args: ['-c', file(t, 'nats.conf', accounts.settings)] })
  const nats = await link(t, server.url, { creds: file(t, 'user.creds', accounts.creds) })
  t.ok(nats.connected())
  const others = file(t, 'others.creds', makeNatsAccounts().creds)
  const refused = { code: 'unauthenticated', message: /NATS_CREDS/ }
  await t.rejects(link(t, server.url, { creds: others }), refused)
  await t.rejects(link(t, server.url, { creds: '/no/such.creds' }), {
    code: 'failed_precondition',
    message: /\/no\/such\.creds/,
  })
})
