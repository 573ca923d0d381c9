/** A cluster whose parts were told something wrong, or lose something, keeps working. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { allStarted } from '../../support/all-started.ts'
import {
  projectsOfEach,
  startCaptures,
  startMember,
  statusOf,
} from '../../support/servers/cluster.ts'
import { ownsAll, settled, startCluster } from '../../support/servers/cluster-processes.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { request, served, testFolder } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

type Decided = {
  readonly featureFlags: Readonly<Record<string, unknown>>
  readonly errorsWhileComputingFlags: boolean
}

const SECRET = 's3cret-of-a-url'

t.test('a cluster whose parts were told something wrong, or lose something', async (t) => {
  const cluster = await startCluster(t, { workers: 0, gateways: 0 })
  const { nats, redis, database, projectKey, personalKey } = cluster
  const wrongRedis = { REDIS_URL: `redis://:${SECRET}@127.0.0.1:${await freePort()}` }
  const [w1, w2, g1, g2] = await Promise.all([
    cluster.add('worker'),
    cluster.add('worker', wrongRedis),
    cluster.add('gateway'),
    cluster.add('gateway', wrongRedis),
  ])
  const other = await prepareOther(t, { nats: nats.url, redis: redis.url })
  await Promise.all([...[w1, w2, g1, g2].map((member) => member.start()), other.start()])
  await settled(cluster)
  await Promise.all([g1, g2].map(({ adminPort }) => served(adminPort)))
  // A busy machine may be late with a person: the answer says so, and one asks again.
  const decide = async (url: string, key: string, distinctId: string) => {
    let flags: Decided['featureFlags'] | undefined
    await until('the flags are computed without an error', async () => {
      const body = { api_key: key, distinct_id: distinctId }
      const answer = await request(`${url}/decide/?v=3`, { body })
      if (answer.status !== 200) return false
      const decided = answer.body as Decided
      const on = Object.entries(decided.featureFlags).filter(([, value]) => value !== false)
      flags = Object.fromEntries(on)
      return !decided.errorsWhileComputingFlags
    })
    return flags
  }
  const set = async (url: string, key: string, distinctId: string, plan: string) => {
    await until('the property is stored', async () => {
      const body = { api_key: key, event: '$set', distinct_id: distinctId, $set: { plan } }
      return (await request(`${url}/capture/`, { body })).status === 200
    })
  }
  const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]
  const paying = { filters: { groups: [{ properties, rollout_percentage: 100 }] } }

  t.test('a wrong REDIS_URL is warned of, and everything works without it', async (t) => {
    const projects = [...(await projectsOfEach(cluster)), { id: 1, key: projectKey }]
    for (const { id, key } of projects) {
      const flags = `${g2.url}/api/projects/${id}/feature_flags/`
      const made = await request(flags, { key: personalKey, body: { key: 'paying', ...paying } })
      t.equal(made.status, 201)
      await until('both gateways know it', async () => {
        await set(g2.url, key, 'first', 'pro')
        const decided = await Promise.all([g1, g2].map(({ url }) => decide(url, key, 'first')))
        return decided.every((each) => each?.['paying'] === true)
      })
      for (const [round, plan] of ['pro', 'free', 'pro', 'free', 'pro', 'free'].entries()) {
        const here = round < 3 ? g1 : g2
        await set(here.url, key, 'ann', plan)
        // First where nobody has been told of it by the answer.
        for (const { name, url } of here === g1 ? [g2, g1] : [g1, g2]) {
          const decided = await decide(url, key, 'ann')
          const expected = plan === 'pro' ? true : undefined
          t.equal(decided?.['paying'], expected, `${id}: ${plan} at ${name}`)
        }
      }
    }
    for (const { name, adminPort, lines } of [w2, g2]) {
      t.equal((await request(`http://127.0.0.1:${adminPort}/readyz`)).status, 200, name)
      const warned = lines.filter(({ message }) => /redis does not serve/.test(String(message)))
      t.match(warned, [{ level: 'warn', reason: /./ }], name)
      t.notMatch(JSON.stringify(lines), SECRET, `${name}: no credentials`)
    }
    t.equal((await cluster.status(w1)).redis, 'up')
    t.equal((await cluster.status(w2)).redis, 'down')
  })

  t.test('a gateway needs NATS_URL and nothing else, whatever its folder is', async (t) => {
    const gateway = await startMember(t, 'gateway', {
      NATS_URL: nats.url,
      DATA_DIR: '/dev/null/nowhere',
      PORT: '0',
      ADMIN_PORT: '0',
    })
    const url = `http://127.0.0.1:${gateway.ports.http}`
    await set(url, projectKey, 'bob', 'pro')
    t.match(await decide(url, projectKey, 'bob'), { paying: true })
    const listed = await request(`${url}/api/projects/1/feature_flags/`, { key: personalKey })
    t.match(listed, { status: 200, body: { count: 1 } })
    await until('the others see it', async () =>
      (await cluster.status()).members.some(({ address }) => /^0\.0\.0\.0:/.test(address)),
    )
    gateway.kill('SIGTERM')
    t.equal(await gateway.ended, 0)
    await until('and that it has left', async () =>
      (await cluster.status()).members.every(({ address }) => !/^0\.0\.0\.0:/.test(address)),
    )
  })

  t.test('clusters with different names on one NATS and Redis do not meet', async (t) => {
    const flags = (url: string) => `${url}/api/projects/1/feature_flags/`
    const made = await request(flags(other.url), {
      key: other.personalKey,
      body: { key: 'theirs', ...paying },
    })
    t.equal(made.status, 201)
    await set(other.url, other.projectKey, 'ann', 'pro')
    await set(g1.url, projectKey, 'ann', 'pro')
    // Twice: the second answer is the cache's.
    for (const round of [1, 2]) {
      t.strictSame(await decide(g1.url, projectKey, 'ann'), { paying: true }, `${round}`)
      const theirs = await decide(other.url, other.projectKey, 'ann')
      t.strictSame(theirs, { theirs: true }, `${round}`)
    }
    await set(other.url, other.projectKey, 'ann', 'free')
    t.strictSame(await decide(g1.url, projectKey, 'ann'), { paying: true })
    t.strictSame(await decide(other.url, other.projectKey, 'ann'), {})
    const unknown = await request(`${other.url}/capture/`, {
      body: { api_key: projectKey, event: 'lost', distinct_id: 'ann' },
    })
    t.equal(unknown.status, 401, 'a key of the one is nobody in the other')
    const [ours, theirs] = [await cluster.status(), await other.status()]
    t.match([ours.cluster_name, theirs.cluster_name], ['sluice', 'other'])
    t.strictSame(theirs.members.map(({ role }) => role).sort(), ['gateway', 'worker'])
    t.equal(ours.members.length, 4)
    t.strictSame(theirs.problems, [])
  })

  t.test('NATS wiped: all members stay and work, and others can join', async (t) => {
    const idsOf = ({ members }: { members: readonly { id: string }[] }) =>
      members.map(({ id }) => id).sort()
    const [before, theirsBefore] = [await cluster.status(), await other.status()]
    const captures = startCaptures(t, { url: g1.url, projectKey })
    const flags = `${g1.url}/api/projects/1/feature_flags/`
    let changes = 0
    const change = async () => {
      changes += 1
      const body = { key: `change-${changes}` }
      t.equal((await request(flags, { key: personalKey, body })).status, 201, `change ${changes}`)
    }
    await nats.kill()
    await captures.more(20)
    await change()
    await cluster.waitFor('the view is frozen', ({ membership }) => membership === 'frozen')
    await captures.more(20)
    await change()
    nats.wipe()
    await nats.start()
    await cluster.waitFor('it is back', ({ membership }) => membership === 'connected')
    await change()
    await captures.more(20)
    await settled(cluster)
    const after = await cluster.status()
    t.strictSame(idsOf(after), idsOf(before))
    t.strictSame(idsOf(await other.status()), idsOf(theirsBefore))
    t.same(after.shards, before.shards, 'no shard has another owner or epoch')
    const workers = after.members.filter(({ role }) => role === 'worker')
    t.ok(
      workers.every(({ answered }) => answered),
      'they take each other for members',
    )
    const late = await startMember(t, 'gateway', {
      NATS_URL: nats.url,
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
    })
    const url = `http://127.0.0.1:${late.ports.http}`
    t.match(await decide(url, projectKey, 'ann'), { [`change-${changes}`]: true })
    await set(url, projectKey, 'ann', 'pro')
    await captures.stop()
    t.strictSame([...captures.failed], [])
    await assertStored(t, captures.acked)
  })

  t.test('two workers with one address: the newer stays, the older ends itself', async (t) => {
    const captures = startCaptures(t, { url: g1.url, projectKey })
    await captures.more(20)
    const newer = await cluster.add('worker', { ADVERTISE_ADDRESS: w1.address })
    const starting = newer.start()
    t.equal(await w1.ended(), 1)
    const errors = w1.lines.filter(({ level }) => level === 'error')
    t.match(errors, [{ message: /another process has joined with the address of this one/ }])
    t.equal(errors.length, 1)
    // The address leads to whoever is the member.
    await w1.links.grpc.restore()
    w1.links.grpc.aim({ port: Number(newer.grpcAddress.split(':')[1]) })
    await starting
    const addresses = [w1.address, w2.address]
    await cluster.waitFor('it owns its share', (status) => ownsAll(status, addresses))
    await captures.more(20)
    await captures.stop()
    t.comment('answers other than 200:', Object.fromEntries(captures.failed))
    await assertStored(t, captures.acked)
  })

  const assertStored = async (t: Test, acked: ReadonlySet<string>) => {
    const rows = await database.sql`
      select uuid from events where uuid = any(${[...acked]}::uuid[])`
    t.equal(rows.length, acked.size, 'every event that was acked is there, once')
  }
})

/** A cluster of another name over the same NATS and Redis, with a database of its own. */
async function prepareOther(t: Test, on: { readonly nats: string; readonly redis: string }) {
  const database = await testDatabase(t)
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const token = randomBytes(24).toString('base64url')
  const shared = {
    CLUSTER_NAME: 'other',
    NATS_URL: on.nats,
    REDIS_URL: on.redis,
    ADMIN_PORT: '0',
    DATA_DIR: testFolder(t),
  }
  let url = ''
  let grpcAddress = ''
  return {
    projectKey,
    personalKey,
    get url() {
      return url
    },
    status: () => statusOf(grpcAddress, token),
    async start() {
      const [worker, gateway] = await allStarted([
        startMember(t, 'worker', {
          ...shared,
          DATABASE_URL: database.url,
          OPERATOR_TOKEN: token,
          GRPC_HOST: '127.0.0.1',
          GRPC_PORT: '0',
          BOOTSTRAP_PROJECT_API_KEY: projectKey,
          BOOTSTRAP_PERSONAL_API_KEY: personalKey,
        }),
        startMember(t, 'gateway', { ...shared, HOST: '127.0.0.1', PORT: '0' }),
      ])
      grpcAddress = `127.0.0.1:${worker.ports.grpc}`
      url = `http://127.0.0.1:${gateway.ports.http}`
    },
  }
}
