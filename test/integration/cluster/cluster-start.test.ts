/** Processes of a cluster that are told something wrong do not start, and say why. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { connect, type NatsConnection, nanos, RetentionPolicy, StorageType } from 'nats'
import t, { type Test } from 'tap'
import { clusterSubjects } from '../../../cluster/nats/subjects.ts'
import { MEMBER_RENEW_MS, MEMBER_TTL_MS } from '../../../src/core/limits/limits.ts'
import { allStarted } from '../../support/all-started.ts'
import { startRefused } from '../../support/servers/cluster.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import { type Settings, testFolder } from '../../support/servers/product.ts'
import { startRedis } from '../../support/servers/redis-server.ts'
import { startService } from '../../support/servers/service-process.ts'
import { pause } from '../../support/until.ts'

const SECRET = 's3cret-of-a-url'

type Case = {
  readonly name: string
  readonly role: 'worker' | 'gateway' | 'start'
  readonly settings: Settings
  readonly says: RegExp
  /** Exit code; 1 unless told. */
  readonly status?: number
}

t.test('a process that cannot start says why in one sentence, and ends', async (t) => {
  const natsOff = await freePort()
  const [nats, closed, redis, database, refusing] = await allStarted([
    startNats(t),
    startNats(t, { args: ['--user', 'joe', '--pass', SECRET] }),
    startRedis(t),
    testDatabase(t),
    freePort(),
    startService(t, {
      program: 'nats-server',
      args: ['-a', '127.0.0.1', '-p', String(natsOff)],
      port: natsOff,
      expect: 'INFO {',
    }),
  ])
  const connection = await connect({ servers: nats.url })
  t.teardown(() => connection.close())
  await Promise.all([makeOddBucket(connection), makeOddStream(connection)])
  const foreign = await keepForeignMember(t, connection)
  const newer = await testDatabase(t)
  await newer.sql`
    insert into schema_migrations (version, name, checksum, compatible)
    select max(version) + 1, '9999_of_the_future', 'x', false from schema_migrations`

  const nobody = `127.0.0.1:${refusing}`
  const redisAddress = `127.0.0.1:${redis.port}`
  const url = (address: string) => `postgres://joe:${SECRET}@${address}/sluice`
  const here = { NATS_URL: nats.url, DATABASE_URL: database.url }
  const inCluster = (CLUSTER_NAME: string) => ({ ...here, CLUSTER_NAME })
  const to = (address: string) => ({ NATS_URL: `nats://joe:${SECRET}@${address}` })
  const cases: readonly Case[] = [
    {
      name: 'a worker without URLs',
      role: 'worker',
      settings: {},
      says: /DATABASE_URL is needed by a worker\n +NATS_URL is needed by a worker/,
      status: 2,
    },
    {
      name: 'a worker with nothing right',
      role: 'worker',
      settings: { NATS_URL: 'http://x', DATABASE_URL: 'mysql://x', REDIS_URL: 'x', GRPC_PORT: 'x' },
      says: /GRPC_PORT [^\n]+\n +DATABASE_URL [^\n]+\n +NATS_URL [^\n]+\n +REDIS_URL /,
      status: 2,
    },
    {
      name: 'a worker that others would reach in plain text',
      role: 'worker',
      settings: { ...here, GRPC_HOST: '0.0.0.0' },
      says: /GRPC_HOST 0\.0\.0\.0 is not loopback[^\n]+GRPC_TLS_CERT[^\n]+GRPC_PLAINTEXT=on/,
      status: 2,
    },
    {
      name: 'a worker whose certificate is not there',
      role: 'worker',
      settings: { ...here, GRPC_TLS_CERT: '/no/cert.pem', GRPC_TLS_KEY: '/no/key.pem' },
      says: /the file \/no\/cert\.pem cannot be read/,
    },
    {
      name: 'a gateway without a URL',
      role: 'gateway',
      settings: { DATABASE_URL: database.url },
      says: /NATS_URL is needed by a gateway/,
      status: 2,
    },
    {
      name: 'a standalone of a cluster that would bring its own Postgres',
      role: 'start',
      settings: { NATS_URL: nats.url },
      says: /DATABASE_URL is needed in a cluster/,
      status: 2,
    },
    {
      name: 'a gateway whose NATS is not there',
      role: 'gateway',
      settings: to(nobody),
      says: new RegExp(`cannot connect to NATS at ${nobody}: `),
    },
    {
      name: 'a worker whose NATS is not there',
      role: 'worker',
      settings: { ...here, ...to(nobody) },
      says: new RegExp(`cannot connect to NATS at ${nobody}: `),
    },
    {
      name: 'a gateway whose NATS is something else',
      role: 'gateway',
      settings: to(redisAddress),
      says: new RegExp(`NATS at ${redisAddress} did not answer`),
    },
    {
      name: 'a gateway that NATS does not know',
      role: 'gateway',
      settings: { NATS_URL: `nats://joe:not-${SECRET}@127.0.0.1:${closed.port}` },
      says: /refuses the credentials of NATS_URL/,
    },
    {
      name: 'a worker whose NATS has no JetStream',
      role: 'worker',
      settings: { ...here, ...to(`127.0.0.1:${natsOff}`) },
      says: /JetStream switched off: start it with -js/,
    },
    {
      name: 'a gateway whose bucket of members forgets sooner',
      role: 'gateway',
      settings: inCluster('odd-bucket'),
      says: /bucket odd-bucket_members has ttl in ms 5000 instead of 60000: stop the cluster/,
    },
    {
      name: 'a worker whose spill forgets',
      role: 'worker',
      settings: inCluster('odd-spill'),
      says: /stream odd-spill_spill has .*max_age 60000000000 instead of 0.*: empty it/,
    },
    {
      name: 'a worker that NATS has fewer replicas for than it asks',
      role: 'worker',
      settings: { ...inCluster('copies'), NATS_REPLICAS: '3' },
      says: /NATS refuses to make bucket copies_settings: .*replicas/,
    },
    {
      name: 'a worker whose database is not there',
      role: 'worker',
      settings: { ...here, DATABASE_URL: url(nobody) },
      says: new RegExp(`cannot use the database at ${nobody}/sluice .DATABASE_URL.: .*REFUSED`),
    },
    {
      name: 'a worker whose database is something that says nothing',
      role: 'worker',
      settings: { ...here, DATABASE_URL: url(redisAddress) },
      says: new RegExp(`cannot use the database at ${redisAddress}/sluice .*: no answer in time`),
    },
    {
      name: 'a worker whose database is something that hangs up',
      role: 'worker',
      settings: { ...here, DATABASE_URL: url(`127.0.0.1:${nats.port}`) },
      says: /cannot use the database at .*:\d+\/sluice .DATABASE_URL.: /,
    },
    {
      name: 'a standalone of a cluster whose database has another name',
      role: 'start',
      settings: { ...here, DATABASE_URL: database.url.replace(/test_\d+/, 'nowhere') },
      says: /cannot use the database at .*\/nowhere .*: database "nowhere" does not exist/,
    },
    {
      name: 'a worker whose database knows no such role',
      role: 'worker',
      settings: { ...here, DATABASE_URL: database.url.replace(/user=\w+/, 'user=nobody') },
      says: /cannot use the database at .*: role "nobody" does not exist/,
    },
    {
      name: 'a worker that is older than its database',
      role: 'worker',
      settings: { ...here, DATABASE_URL: newer.url },
      says: /the database is newer than this Sluice: 9999_of_the_future is unknown here/,
    },
    {
      name: 'a gateway beside a member of another protocol',
      role: 'gateway',
      settings: inCluster(foreign),
      says: /member old:8001, version 99.0 speaks cluster protocol 99, .* speaks 1: stop it first/,
    },
    {
      name: 'a worker beside a member of another protocol',
      role: 'worker',
      settings: inCluster(foreign),
      says: /member old:8001, version 99.0 speaks cluster protocol 99, .* speaks 1: stop it first/,
    },
    {
      name: 'a worker whose DATABASE_URL asks for what nobody knows',
      role: 'worker',
      settings: { ...here, DATABASE_URL: `${url(nobody)}?sslmode=perhaps` },
      says: /DATABASE_URL cannot be used: unknown sslmode perhaps/,
    },
    {
      name: 'a worker whose gRPC port is taken',
      role: 'worker',
      settings: { ...here, GRPC_PORT: String(nats.port) },
      says: takenBy('GRPC_PORT', nats),
    },
    {
      name: 'a gateway whose HTTP port is taken',
      role: 'gateway',
      settings: { ...here, PORT: String(nats.port) },
      says: takenBy('PORT', nats),
    },
    {
      name: 'a gateway whose admin port is taken',
      role: 'gateway',
      settings: { ...here, ADMIN_PORT: String(nats.port) },
      says: takenBy('ADMIN_PORT', nats),
    },
    {
      name: 'a worker that cannot keep its token',
      role: 'worker',
      settings: { ...here, DATA_DIR: '/dev/null/nowhere' },
      says: /cannot read or make \/dev\/null\/nowhere\/operator-token: set OPERATOR_TOKEN or DATA_DIR/,
    },
  ]
  const ports = { PORT: '0', GRPC_PORT: '0', ADMIN_PORT: '0', HOST: '127.0.0.1' }
  const shared = { ...ports, GRPC_HOST: '127.0.0.1', DATA_DIR: join(testFolder(t), 'data') }
  const refusals = await atATime(3, cases, (each) => {
    return startRefused(each.role, { ...shared, ...each.settings })
  })
  for (const [index, { name, says, status = 1 }] of cases.entries()) {
    const refusal = refusals[index]
    t.match(refusal, { status, reason: says }, name)
    t.notMatch(refusal?.reason, / at .*\.[jt]s:\d/, `${name}: no stack`)
    t.notMatch(refusal?.output, SECRET, `${name}: no credentials`)
  }
  const [left] =
    await database.sql`select count(*)::int as held from shard_epochs where not released`
  t.equal(left?.['held'], 0, 'none of them has kept a shard')
  const { membersBucket } = clusterSubjects('sluice')
  const members = await connection.jetstream().views.kv(membersBucket, { bindOnly: true })
  const keys = await members.keys()
  for await (const key of keys) t.fail(`${key} is left in the registry`)
})

/** As an operator may have made it by hand. */
async function makeOddBucket(connection: NatsConnection): Promise<void> {
  const { membersBucket } = clusterSubjects('odd-bucket')
  const storage = StorageType.File
  await connection.jetstream().views.kv(membersBucket, { ttl: 5_000, history: 1, storage })
}

async function makeOddStream(connection: NatsConnection): Promise<void> {
  const { spillStream, spillSubject } = clusterSubjects('odd-spill')
  const manager = await connection.jetstreamManager()
  await manager.streams.add({
    name: spillStream,
    subjects: [spillSubject],
    retention: RetentionPolicy.Workqueue,
    max_age: nanos(60_000),
  })
}

/** A process of a later version that lives on until the test ends; the name of its cluster. */
async function keepForeignMember(t: Test, connection: NatsConnection): Promise<string> {
  const name = 'of-others'
  const { membersBucket } = clusterSubjects(name)
  const storage = StorageType.File
  const options = { ttl: MEMBER_TTL_MS, history: 1, storage }
  const bucket = await connection.jetstream().views.kv(membersBucket, options)
  const key = `worker.${randomUUID()}`
  const value = JSON.stringify({ protocol: 99, address: 'old:8001', version: '99.0' })
  await bucket.put(key, value)
  let ended = false
  const renew = async () => {
    while (!ended) {
      await pause(MEMBER_RENEW_MS / 4)
      await bucket.put(key, value)
    }
  }
  const renewing = renew()
  t.teardown(async () => {
    ended = true
    await renewing
  })
  return name
}

async function atATime<T, U>(
  count: number,
  items: readonly T[],
  run: (item: T) => Promise<U>,
): Promise<readonly U[]> {
  const results: U[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: count }, work))
  return results
}

function takenBy(setting: string, { port, pid }: { port: number; pid: number }): RegExp {
  return new RegExp(`^${setting}: 127\\.0\\.0\\.1:${port} is taken by nats-server, pid ${pid}; `)
}
