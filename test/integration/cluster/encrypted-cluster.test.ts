import { join } from 'node:path'
import t, { type Test } from 'tap'
import { POSTGRES_USER } from '../../../src/embedded/data-folder.ts'
import { DATABASE } from '../../../src/embedded/embedded-postgres.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import {
  answered,
  request,
  type Settings,
  startProcess,
  testFolder,
} from '../../support/servers/product.ts'
import { startRedis } from '../../support/servers/redis-server.ts'
import { runCommand } from '../../support/servers/run-command.ts'
import { startSplit } from '../../support/servers/split.ts'
import { type Authority, makeAuthority } from '../../support/tls/certificates.ts'
import { startTlsPostgres } from '../../support/tls/postgres-tls.ts'
import { until } from '../../support/until.ts'

const NAMES = ['IP:127.0.0.1']

/** NATS and Redis with TLS and logins, as settings of members. */
async function startServers(t: Test, authority: Authority): Promise<Settings> {
  const { cert, key } = authority.issue(NAMES)
  const tls = ['--tls', '--tlscert', cert, '--tlskey', key]
  const nats = await startNats(t, { args: [...tls, '--user', 'sluice', '--pass', 'n4ts'] })
  const redisPort = await freePort()
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.ca]
  const users = ['--user', 'sluice', 'on', '>r3dis', '~*', '&*', '+@all']
  const port = ['--tls-port', String(redisPort), '--tls-auth-clients', 'no']
  await startRedis(t, { args: [...port, ...files, ...users] })
  return {
    NATS_URL: nats.url.replace('nats://', 'tls://sluice:n4ts@'),
    NATS_TLS_CA: authority.ca,
    REDIS_URL: `rediss://sluice:r3dis@127.0.0.1:${redisPort}`,
    REDIS_TLS_CA: authority.ca,
  }
}

/** A certificate of its own for gRPC. */
function grpcOf(authority: Authority, by: Authority = authority): Settings {
  const { cert, key } = by.issue(NAMES)
  return { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: authority.ca }
}

t.test('a cluster whose every connection is encrypted and verified serves', async (t) => {
  const authority = makeAuthority(t)
  const postgres = await startTlsPostgres(t, authority)
  const root = encodeURIComponent(authority.ca)
  const database = `postgres://${POSTGRES_USER}@${postgres.host}/${DATABASE}`
  const servers = await startServers(t, authority)
  const shared = { ...servers, ...grpcOf(authority) }
  const url = `${database}?sslmode=verify-full&sslrootcert=${root}`
  const split = await startSplit(t, url, shared)

  const capture = { api_key: split.projectKey, event: 'paid', distinct_id: 'ann' }
  t.match(await answered(`${split.url}/capture/`, { body: capture }), { status: 200 })
  const decide = { api_key: split.projectKey, distinct_id: 'ann' }
  t.match(await answered(`${split.url}/decide/?v=3`, { body: decide }), { status: 200 })
  const flags = `${split.url}/api/projects/@current/feature_flags/`
  const flag = { key: 'new', filters: { groups: [{ rollout_percentage: 100 }] } }
  t.match(await request(flags, { body: flag, key: split.personalKey }), { status: 201 })
  await until('the new flag is decided', async () => {
    const { body } = await request(`${split.url}/decide/?v=3`, { body: decide })
    return JSON.stringify(body).includes('"new":true')
  })

  const [host = '', port = ''] = split.grpcAddress.split(':')
  const operator = { GRPC_HOST: host, GRPC_PORT: port, OPERATOR_TOKEN: split.token }
  const seen = await runCommand(['status'], { ...shared, ...operator })
  t.equal(seen.status, 0, seen.stderr)
  t.match(seen.stdout.toString(), split.grpcAddress)
  const blind = await runCommand(['status'], operator)
  t.not(blind.status, 0, 'a command that does not speak TLS is not answered')

  // It has the token of the cluster, and is no member for it.
  const stranger = await startProcess('gateway', {
    ...{ ...servers, ...grpcOf(authority, makeAuthority(t)) },
    ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', DATA_DIR: join(testFolder(t), 'data') },
  })
  t.teardown(async () => {
    stranger.kill('SIGTERM')
    await stranger.ended
  })
  const own = `http://127.0.0.1:${stranger.ports.http}`
  const refused = await request(`${own}/capture/`, { body: capture })
  t.ok(refused.status >= 500, `a gateway with a certificate of others: ${refused.status}`)
})
