import { createClient } from 'redis'
import t, { type Test } from 'tap'
import type { DecideCache, DecidePlace, DecideTicket } from '../../../gateway/cache/decide-cache.ts'
import { REDIS_FAILURES_MAX } from '../../../gateway/cache/redis-access.ts'
import { DECIDE_ANSWER_TTL_MS } from '../../../gateway/cache/redis-decide-cache.ts'
import { personKey } from '../../../gateway/cache/redis-entries.ts'
import { openRedisLink, type RedisLink } from '../../../gateway/cache/redis-link.ts'
import { projectId, revision } from '../../../src/core/ids.ts'
import {
  DECIDE_ANSWER_CHARS_MAX,
  DECIDE_FORGET_IDS_MAX,
  DECIDE_QUESTIONS_MAX,
  REDIS_COMMAND_MS,
  REDIS_CONNECT_MS,
  REDIS_FORGET_MS,
} from '../../../src/core/limits/limits.ts'
import { createLog, silentLog } from '../../../src/core/log.ts'
import { createCacheGeneration } from '../../../src/project/cache-generation.ts'
import { createPersonForgetter } from '../../../src/project/person-forgetter.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { openRedisCache } from '../../support/servers/redis-cache.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis-server.ts'

const PROJECT = projectId(1)
const ANN: DecidePlace = {
  projectId: PROJECT,
  revision: revision(1),
  distinctId: 'ann',
  question: 'v2',
}
const KEY = personKey('c', PROJECT, 'ann')

const membersOf = async (cache: DecideCache, at = ANN) => (await cache.look(at)).members
const ticketOf = async (cache: DecideCache, at = ANN) => (await cache.look(at)).ticket
const stored = (members: string) => ({ members, dependsOnStored: true })
const putAt = async (cache: DecideCache, members: string, ticket?: DecideTicket, at = ANN) => {
  await cache.put(at, ticket ?? (await ticketOf(cache, at)), stored(members))
}

/** A connection of the test's own, to look at what is stored. */
async function adminOf(t: Test, redis: RedisServer) {
  const client = createClient({ url: redis.url, RESP: 2 })
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.destroy())
  return client
}

t.test('gateways of a cluster share answers; other clusters have their own', async (t) => {
  const redis = await startRedis(t)
  const [one, two, other] = await Promise.all(
    ['c', 'c', 'd'].map((cluster) => openRedisCache(t, redis.url, { cluster })),
  )
  if (!one || !two || !other) throw new Error('three caches')
  await putAt(one.cache, 'yes')
  t.equal(await membersOf(two.cache), 'yes')
  t.equal(await membersOf(other.cache), undefined)
  const ticket = await ticketOf(two.cache)
  await one.cache.forgetPersons(PROJECT, ['ann'])
  t.equal(await membersOf(two.cache), undefined)
  await putAt(two.cache, 'stale', ticket)
  t.equal(await membersOf(one.cache), undefined)
})

t.test('a hit is one round trip, and a miss one or, of a person unseen, two', async (t) => {
  const redis = await startRedis(t)
  let batches = 0
  const open = (): RedisLink => {
    const link = openRedisLink(redis.url, REDIS_CONNECT_MS)
    return {
      ...link,
      exec(commands) {
        batches++
        return link.exec(commands)
      },
    }
  }
  const { cache, until } = await openRedisCache(t, redis.url, { open })
  await until('up')
  const trips = async (run: () => Promise<unknown>) => {
    const before = batches
    await run()
    return batches - before
  }
  t.equal(await trips(() => ticketOf(cache)), 2)
  t.equal(await trips(() => ticketOf(cache)), 1)
  await putAt(cache, 'yes')
  t.equal(await trips(() => membersOf(cache)), 1)
  const many = Array.from({ length: 100 }, (_, index) => ({ ...ANN, distinctId: `id ${index}` }))
  t.equal(await trips(() => Promise.all(many.map((at) => ticketOf(cache, at)))), 2, 'together')

  const project = { ...ANN, projectId: projectId(2) }
  const plain = { members: 'no', dependsOnStored: false }
  await cache.put(project, await ticketOf(cache, project), plain)
  const unseen = { ...project, distinctId: 'bob' }
  t.equal(await trips(() => ticketOf(cache, unseen)), 1, 'its answers read nothing stored')
  await cache.put(unseen, await ticketOf(cache, unseen), stored('unkept'))
  t.equal(await trips(() => ticketOf(cache, unseen)), 2, 'one of them did')
})

t.test('everything expires, and what is kept of a person is bounded', async (t) => {
  const redis = await startRedis(t)
  const admin = await adminOf(t, redis)
  const { cache } = await openRedisCache(t, redis.url, { cluster: 'c' })
  const expires = async (when: string) => {
    const ms = Number(await admin.pTTL(KEY))
    t.ok(ms > DECIDE_ANSWER_TTL_MS - 60_000 && ms <= DECIDE_ANSWER_TTL_MS, `${when}: ${ms}`)
  }
  const ticket = await ticketOf(cache)
  await expires('after a miss')
  await admin.persist(KEY)
  await putAt(cache, 'yes', ticket)
  await expires('after an answer')
  await cache.forgetPersons(PROJECT, ['ann'])
  t.equal(await admin.exists(KEY), 0)
  await putAt(cache, 'late', ticket)
  await expires('after a late answer')
  for (let index = 0; index < 3 * DECIDE_QUESTIONS_MAX; index++) {
    await putAt(cache, 'yes', undefined, { ...ANN, question: `v2 ${index}` })
    t.ok(Number(await admin.hLen(KEY)) <= DECIDE_QUESTIONS_MAX + 1)
  }
  const long = { ...ANN, distinctId: 'bob' }
  await putAt(cache, 'x'.repeat(DECIDE_ANSWER_CHARS_MAX + 1), undefined, long)
  t.equal(await membersOf(cache, long), undefined)
})

t.test('while Redis hangs looks are misses once their budget is over, then at once', async (t) => {
  const redis = await startRedis(t)
  const clock = createFakeClock()
  const { cache, access, troubles } = await openRedisCache(t, redis.url, { clock })
  await putAt(cache, 'yes')
  redis.freeze()
  for (let time = 0; time < REDIS_FAILURES_MAX; time++) {
    let settled = false
    const looked = Promise.resolve(cache.look(ANN)).finally(() => {
      settled = true
    })
    // The batch leaves in the next turn of the loop; the frozen server can answer nothing.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(REDIS_COMMAND_MS - 1)
    t.notOk(settled, 'not before')
    await clock.advance(1)
    const { members, ticket } = await looked
    t.equal(members, undefined)
    t.equal(ticket.shared, undefined)
    await cache.put(ANN, ticket, stored('not kept'))
  }
  t.equal(troubles.late, REDIS_FAILURES_MAX)
  t.notOk(cache.look(ANN) instanceof Promise, 'nobody waits any more')
  await t.rejects(Promise.resolve(cache.forgetPersons(PROJECT, ['ann'])), { code: 'unavailable' })
  redis.thaw()
  const deadline = performance.now() + 60_000
  while (access.status() === 'down' && performance.now() < deadline) {
    await clock.advance(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  t.equal(await membersOf(cache), 'yes')
})

t.test('a person that could not be deleted is void by the generation', async (t) => {
  const redis = await startRedis(t)
  const generation = createCacheGeneration('w')
  const clock = createFakeClock()
  const options = { cluster: 'c', generation: generation.current, clock }
  const gateway = await openRedisCache(t, redis.url, { ...options })
  const worker = await openRedisCache(t, redis.url, { ...options })
  const forgetter = createPersonForgetter({
    cache: worker.cache,
    generation,
    clock,
    log: silentLog,
  })
  await putAt(gateway.cache, 'before')
  const ticket = await ticketOf(gateway.cache)
  t.equal(await membersOf(gateway.cache), 'before')

  redis.freeze()
  let acknowledged = false
  const change = { projectId: PROJECT, distinctIds: ['ann'], groups: [] }
  const told = forgetter.onPersonsChanged([change]).finally(() => {
    acknowledged = true
  })
  await clock.advance(REDIS_FORGET_MS - 1)
  t.notOk(acknowledged)
  t.equal(generation.current(), 'w.0')
  await clock.advance(1)
  await told
  t.equal(generation.current(), 'w.1')
  redis.thaw()

  t.equal(await membersOf(gateway.cache), undefined)
  await putAt(gateway.cache, 'late', ticket)
  t.equal(await membersOf(gateway.cache), undefined, 'a ticket of the old generation is void')
  await putAt(gateway.cache, 'after')
  t.equal(await membersOf(gateway.cache), 'after')
})

t.test('while the generation is unknown nothing is looked up or kept', async (t) => {
  const redis = await startRedis(t)
  let generation = 'one'
  const { cache } = await openRedisCache(t, redis.url, { generation: () => generation })
  await putAt(cache, 'yes')
  generation = ''
  const looked = cache.look(ANN)
  t.notOk(looked instanceof Promise)
  t.equal((await looked).members, undefined)
  await putAt(cache, 'no', (await looked).ticket)
  generation = 'one'
  t.equal(await membersOf(cache), 'yes')
})

t.test('killed and started again it is used again, with nothing of before', async (t) => {
  const redis = await startRedis(t)
  const { cache, until } = await openRedisCache(t, redis.url, { cluster: 'c' })
  await putAt(cache, 'before')
  const ticket = await ticketOf(cache)
  await redis.kill()
  t.equal(await membersOf(cache), undefined)
  await until('down')
  t.equal(await membersOf(cache), undefined)
  await putAt(cache, 'lost', ticket)
  await t.rejects(Promise.resolve(cache.forgetPersons(PROJECT, ['ann'])), { code: 'unavailable' })
  await redis.start()
  await until('up')
  t.equal(await membersOf(cache), undefined)
  await putAt(cache, 'late', ticket)
  t.equal(await membersOf(cache), undefined)
  await putAt(cache, 'after')
  t.equal(await membersOf(cache), 'after')
})

t.test('data of before a deletion, restored by a restart, is not served', async (t) => {
  const redis = await startRedis(t)
  const { cache, until } = await openRedisCache(t, redis.url, { cluster: 'c' })
  await putAt(cache, 'before')
  const ticket = await ticketOf(cache)
  const saving = await adminOf(t, redis)
  await saving.sendCommand(['SAVE'])
  await cache.forgetPersons(PROJECT, ['ann'])
  await redis.kill()
  await until('down')
  await redis.start()
  await until('up')
  const admin = await adminOf(t, redis)
  t.equal(await admin.hLen(KEY), 2, 'it is there again')
  t.equal(await membersOf(cache), undefined)
  await putAt(cache, 'late', ticket)
  t.equal(await membersOf(cache), undefined)
})

t.test('without memory it still answers and deletes; new answers are not kept', async (t) => {
  const redis = await startRedis(t, { args: ['--maxmemory-policy', 'noeviction'] })
  const admin = await adminOf(t, redis)
  const { cache, troubles, access } = await openRedisCache(t, redis.url, { cluster: 'c' })
  await putAt(cache, 'yes')
  await admin.configSet('maxmemory', '1')
  for (let index = 0; index < 2 * REDIS_FAILURES_MAX; index++) {
    await putAt(cache, 'no', undefined, { ...ANN, distinctId: `id ${index}` })
  }
  t.ok(troubles.refused > 0)
  t.equal(access.status(), 'up')
  t.equal(await membersOf(cache), 'yes')
  await cache.forgetPersons(PROJECT, ['ann'])
  t.equal(await membersOf(cache), undefined)
})

t.test('a person evicted between ticket and answer gets no stale one', async (t) => {
  const redis = await startRedis(t, { args: ['--maxmemory-policy', 'allkeys-lru'] })
  const admin = await adminOf(t, redis)
  const { cache } = await openRedisCache(t, redis.url, { cluster: 'c' })
  const ticket = await ticketOf(cache)
  await admin.set('filler', 'x'.repeat(1_000))
  await cache.forgetPersons(PROJECT, ['ann'])
  const other = await ticketOf(cache)
  await admin.configSet('maxmemory', '1')
  await admin.ping()
  await t.rejects(admin.set('filler', 'y'))
  t.equal(await admin.exists(KEY), 0, 'evicted')
  await admin.configSet('maxmemory', '0')
  await putAt(cache, 'stale', ticket)
  t.equal(await membersOf(cache), undefined)
  await putAt(cache, 'doubtful', other)
  t.equal(await membersOf(cache), undefined, 'its nonce is gone, though nothing had changed')
  await putAt(cache, 'fresh')
  t.equal(await membersOf(cache), 'fresh')
})

t.test('too many persons at once are not tried', async (t) => {
  const redis = await startRedis(t)
  const { cache } = await openRedisCache(t, redis.url)
  const crowd = Array.from({ length: DECIDE_FORGET_IDS_MAX + 1 }, (_, index) => `id ${index}`)
  await t.rejects(Promise.resolve(cache.forgetPersons(PROJECT, crowd)), { code: 'unavailable' })
  await putAt(cache, 'yes', undefined, { ...ANN, distinctId: 'id 8000' })
  await cache.forgetPersons(PROJECT, crowd.slice(1))
  t.equal(await membersOf(cache, { ...ANN, distinctId: 'id 8000' }), undefined)
})

t.test('credentials are used and never said; what cannot be reached is only missed', async (t) => {
  const redis = await startRedis(t)
  await (await adminOf(t, redis)).configSet('requirepass', 's3cret')
  const url = (rest: string) => `redis://${rest}`
  const well = await openRedisCache(t, url(`:s3cret@127.0.0.1:${redis.port}/3`))
  await putAt(well.cache, 'yes')
  t.equal(await membersOf(well.cache), 'yes')
  const wrong = [
    url(`127.0.0.1:${redis.port}`),
    url(`:wr0ng@127.0.0.1:${redis.port}`),
    url(`:wr0ng@127.0.0.1:${redis.port}/name`),
    url('user:wr0ng@127.0.0.1:1'),
    url('user:wr0ng%zz@127.0.0.1:1'),
    url('user:wr0ng@one,two'),
    `rediss://:wr0ng@127.0.0.1:${redis.port}`,
  ]
  for (const each of wrong) {
    const said: string[] = []
    let warned = () => {
      // Replaced below.
    }
    const warning = new Promise<void>((resolve) => {
      warned = resolve
    })
    const log = createLog(
      {},
      {
        write(line) {
          said.push(line)
          warned()
        },
      },
    )
    const open = () => openRedisLink(each, REDIS_CONNECT_MS)
    const { cache, access } = await openRedisCache(t, each, { open, log })
    await warning
    t.equal(access.status(), 'down')
    t.equal(await membersOf(cache), undefined)
    t.equal(said.length, 1)
    t.notMatch(said.join(''), /wr0ng/, each)
    await cache.close()
  }
})

t.test('a replica is not used: it may be behind deletions', async (t) => {
  const redis = await startRedis(t)
  const first = await openRedisCache(t, redis.url)
  const admin = await adminOf(t, redis)
  await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
  await t.rejects(Promise.resolve(first.cache.forgetPersons(PROJECT, ['ann'])))
  t.equal(first.access.status(), 'down', 'READONLY is told by the first write')
  await admin.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  await first.until('up')
})

t.test('a closed cache leaves no connection', async (t) => {
  const redis = await startRedis(t)
  const admin = await adminOf(t, redis)
  const { cache } = await openRedisCache(t, redis.url)
  await cache.close()
  t.equal(await membersOf(cache), undefined)
  const deadline = performance.now() + 60_000
  const clients = async () =>
    String(await admin.sendCommand(['CLIENT', 'LIST']))
      .trim()
      .split('\n')
  while ((await clients()).length > 1 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  t.equal((await clients()).length, 1, 'the one that asks')
})
