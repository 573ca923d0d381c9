/** A standalone becomes a cluster by setting three URLs, is a member of one, and is alone again. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { allStarted } from '../../support/all-started.ts'
import {
  startCaptures,
  startMember,
  startRefused,
  statusOf,
} from '../../support/servers/cluster.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import { seedDataDir } from '../../support/servers/postgres-template.ts'
import { answered, type ProductProcess, testFolder } from '../../support/servers/product.ts'
import { startRedis } from '../../support/servers/redis-server.ts'
import { until } from '../../support/until.ts'

t.test('from one process to a cluster and back, on the data of one folder', async (t) => {
  const dataDir = join(testFolder(t), 'data')
  await seedDataDir(dataDir)
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const own = { DATA_DIR: dataDir, ADMIN_PORT: '0' }
  const http = { HOST: '127.0.0.1', PORT: '0' }
  const grpc = { GRPC_HOST: '127.0.0.1', GRPC_PORT: '0' }
  const alone = {
    ...own,
    ...http,
    ...grpc,
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_PROJECT_API_KEY: projectKey,
    BOOTSTRAP_PERSONAL_API_KEY: personalKey,
  }
  const urlOf = ({ ports }: ProductProcess) => `http://127.0.0.1:${ports.http}`
  const status = async ({ ports }: ProductProcess) => {
    const token = await readFile(join(dataDir, 'operator-token'), 'utf8')
    return await statusOf(`127.0.0.1:${ports.grpc}`, token.trim())
  }
  const end = async (process: ProductProcess) => {
    process.kill('SIGTERM')
    return await process.ended
  }
  const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]
  const paying = { groups: [{ properties, rollout_percentage: 100 }] }
  const stages: string[] = []

  /** Leaves an event, a person and a flag of each stage. */
  const write = async (stage: string, url: string) => {
    stages.push(stage)
    const made = await answered(`${url}/api/projects/1/feature_flags/`, {
      key: personalKey,
      body: { key: `flag-${stage}`, filters: paying },
    })
    const person = { distinct_id: stage, $set: { plan: 'pro' } }
    const stored = await answered(`${url}/capture/`, {
      body: { api_key: projectKey, event: `event ${stage}`, ...person },
    })
    return [made.status, stored.status]
  }
  /** All of that as it is read at `url`: every person has every flag. */
  const read = async (url: string) => {
    const flags = await answered(`${url}/api/projects/1/feature_flags/`, { key: personalKey })
    const events = []
    const decided = []
    for (const stage of stages) {
      const list = `${url}/api/projects/1/events/?event=${encodeURIComponent(`event ${stage}`)}`
      const { body: listed } = await answered(list, { key: personalKey })
      events.push((listed as { count: number }).count)
      const body = { api_key: projectKey, distinct_id: stage }
      const { body: answer } = await answered(`${url}/decide/?v=2`, { body })
      decided.push(Object.keys((answer as { featureFlags: object }).featureFlags).length)
    }
    return {
      events,
      flags: (flags.body as { results: { key: string }[] }).results.map(({ key }) => key).sort(),
      decided,
    }
  }
  const everything = () => ({
    events: stages.map(() => 1),
    flags: stages.map((stage) => `flag-${stage}`).sort(),
    decided: stages.map(() => stages.length),
  })

  await t.test('alone, it needs neither NATS nor Redis, and says so', async (t) => {
    const standalone = await startMember(t, 'start', alone)
    t.strictSame(await write('alone', urlOf(standalone)), [201, 200])
    t.strictSame(await read(urlOf(standalone)), everything())
    const seen = await status(standalone)
    t.match(seen, { membership: 'memory', redis: 'memory', database: 'up', problems: [] })
    t.match(seen.members, [{ role: 'standalone', state: 'active', shards: 256 }])
    const trouble = standalone.lines.filter(({ level }) => level === 'warn' || level === 'error')
    t.notMatch(JSON.stringify(trouble), /nats|redis/i)
    t.equal(await end(standalone), 0)
  })

  const postgres = await startMember(t, 'postgres', own)
  const databaseUrl = String(postgres.lines.at(-1)?.['databaseUrl'])
  const [nats, redis] = await allStarted([startNats(t), startRedis(t)])
  const urls = { DATABASE_URL: databaseUrl, NATS_URL: nats.url, REDIS_URL: redis.url }
  const [worker, gateway] = await allStarted([
    startMember(t, 'worker', { ...own, ...grpc, ...urls }),
    startMember(t, 'gateway', { ...own, ...http, NATS_URL: nats.url, REDIS_URL: redis.url }),
  ])

  await t.test('as a cluster, it has what it had alone', async (t) => {
    t.strictSame(await read(urlOf(gateway)), everything())
    t.strictSame(await write('cluster', urlOf(gateway)), [201, 200])
    t.strictSame(await read(urlOf(gateway)), everything())
    t.match(await status(worker), { membership: 'connected', redis: 'up', database: 'up' })
    const refused = await startRefused('start', alone)
    t.match(refused, { status: 1, reason: /is in use by another Sluice/ })
  })

  await t.test('`sluice start` with three URLs is one more member', async (t) => {
    const member = await startMember(t, 'start', { ...own, ...http, ...grpc, ...urls })
    const sharesOf = ({ members }: GetStatusResponse__Output) =>
      members.filter(({ role }) => role !== 'gateway').map(({ shards }) => shards)
    await until('both have shards', async () => {
      const shares = sharesOf(await status(worker))
      return shares.length === 2 && shares.every((share) => share > 50)
    })
    t.match((await status(member)).members.map(({ role }) => role).sort(), [
      'gateway',
      'standalone',
      'worker',
    ])
    for (const process of [member, gateway]) {
      t.strictSame(await read(urlOf(process)), everything())
    }
    t.strictSame(await write('member', urlOf(member)), [201, 200])
    for (const process of [member, gateway]) {
      await until('the change is everywhere', async () => {
        return JSON.stringify(await read(urlOf(process))) === JSON.stringify(everything())
      })
    }
    const captures = startCaptures(t, { url: urlOf(gateway), projectKey })
    await captures.more(20)
    t.equal(await end(member), 0, 'it drains')
    await until('the worker has all of it', async () => {
      return String(sharesOf(await status(worker))) === '256'
    })
    await captures.more(20)
    await captures.stop()
    t.strictSame([...captures.failed], [])
    const { acked } = captures
    const list = `${urlOf(gateway)}/api/projects/1/events/?event=sent&limit=1`
    t.match(await answered(list, { key: personalKey }), { body: { count: acked.size } })
  })

  await t.test('alone again, it has what the cluster has written', async (t) => {
    for (const process of [gateway, worker, postgres]) t.equal(await end(process), 0)
    const standalone = await startMember(t, 'start', alone)
    const url = urlOf(standalone)
    t.strictSame(await read(url), everything())
    t.strictSame(await write('again', url), [201, 200])
    t.match(await status(standalone), { membership: 'memory', redis: 'memory', problems: [] })
    t.equal(await end(standalone), 0)
  })
})
