import t, { type Test } from 'tap'
import { openRedisLink } from '../../../gateway/cache/redis-link.ts'
import { readTlsFiles, type TlsMaterial } from '../../../src/core/config/tls-files.ts'
import { REDIS_CONNECT_MS } from '../../../src/core/limits/limits.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startRedis } from '../../support/servers/redis-server.ts'
import { type Authority, makeAuthority } from '../../support/tls/certificates.ts'

async function startTlsRedis(
  t: Test,
  authority: Authority,
  more: readonly string[],
): Promise<number> {
  const port = await freePort()
  const { cert, key } = authority.issue(['IP:127.0.0.1'])
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.ca]
  await startRedis(t, { args: ['--tls-port', String(port), ...files, ...more] })
  return port
}

/** A command over a new connection. */
async function ping(t: Test, url: string, tls: TlsMaterial): Promise<unknown> {
  const link = openRedisLink(url, REDIS_CONNECT_MS, tls)
  t.teardown(() => link.close())
  await link.ready
  return await link.exec([['PING']])
}

t.test('Redis over TLS is believed by its authority and its name only', async (t) => {
  const authority = makeAuthority(t)
  const port = await startTlsRedis(t, authority, ['--tls-auth-clients', 'no'])
  const url = `rediss://127.0.0.1:${port}`
  const known = readTlsFiles({ ca: authority.ca, cert: undefined, key: undefined })
  t.same(await ping(t, url, known), { kind: 'replies', replies: ['PONG'] })
  await t.rejects(ping(t, `rediss://localhost:${port}`, known), 'another name')
  const other = readTlsFiles({ ca: makeAuthority(t).ca, cert: undefined, key: undefined })
  await t.rejects(ping(t, url, other), 'another authority')
  await t.rejects(ping(t, url, {}), 'an authority that nobody knows')
  await t.rejects(ping(t, `redis://127.0.0.1:${port}`, known), 'plain text')
})

t.test('Redis may ask for a certificate, and for a user with a password', async (t) => {
  const authority = makeAuthority(t)
  const users = ['--user', 'sluice', 'on', '>s3cret', '~*', '&*', '+@all']
  const port = await startTlsRedis(t, authority, ['--tls-auth-clients', 'yes', ...users])
  const url = `rediss://sluice:s3cret@127.0.0.1:${port}`
  const { cert, key } = authority.issue(['DNS:gateway'])
  const shown = readTlsFiles({ ca: authority.ca, cert, key })
  t.same(await ping(t, url, shown), { kind: 'replies', replies: ['PONG'] })
  await t.rejects(ping(t, url.replace('s3cret', 'wrong'), shown), 'another password')
  const silent = readTlsFiles({ ca: authority.ca, cert: undefined, key: undefined })
  await t.rejects(ping(t, url, silent), 'no certificate')
})
