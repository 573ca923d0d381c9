/** Effects of a change on answers kept by other processes: two workers, two gateways, Redis. */
import t, { type Test } from 'tap'
import { shardOf } from '../../../cluster/shards/shard.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import type { WorkerLink } from '../../../gateway/workers/worker-link.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { findDeletion } from '../../../src/privacy/deletion-store.ts'
import { toStruct } from '../../../src/wire/proto/value.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { pair, projectsOfEach } from '../../support/servers/cluster.ts'
import { startCluster } from '../../support/servers/cluster-processes.ts'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { answered, request } from '../../support/servers/product.ts'
import { fill, makePerson } from '../../support/store/deletions.ts'
import { until } from '../../support/until.ts'

const TIMEOUT_MS = 10_000
/** A change that was answered holds everywhere within this. */
const NEWS_MS = 1_000
/** Some seconds of work; filled in some statements. */
const EVENTS_TO_DELETE = 60_000
const EVENTS_FILLED = 10_000
const OVER_MS_MAX = 600_000
const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'person' }]
type Decided = {
  readonly featureFlags: Readonly<Record<string, unknown>>
  readonly errorsWhileComputingFlags: boolean
}
const PAYING = { groups: [{ properties, rollout_percentage: 100 }] }

t.test('a change heard by one process holds in the others', async (t) => {
  const cluster = await startCluster(t, { workers: 2, gateways: 2, proxied: false })
  const { personalKey, database } = cluster
  const [a, b] = pair(cluster.gateways)
  const projects = await projectsOfEach(cluster)
  const links = linksTo(t, cluster.workers)

  const manage = (at: ClusterMember, path: string, method: string, body?: object) =>
    request(`${at.url}/api/${path}`, { method, key: personalKey, ...(body ? { body } : {}) })
  // A busy machine may be late with a person: the answer says so, and one asks again.
  const decide = async (at: ClusterMember, key: string, distinctId: string) => {
    let decided: Decided | undefined
    await until(`${at.name} computes the flags without an error`, async () => {
      const body = { api_key: key, distinct_id: distinctId }
      const answer = await request(`${at.url}/decide/?v=3`, { body })
      decided = answer.status === 200 ? (answer.body as Decided) : undefined
      return decided?.errorsWhileComputingFlags === false
    })
    const flags = Object.entries(decided?.featureFlags ?? {})
    return Object.fromEntries(flags.filter(([, value]) => value !== false))
  }
  const capture = (at: ClusterMember, key: string, fields: object) =>
    answered(`${at.url}/capture/`, { body: { api_key: key, event: 'sent', ...fields } })
  const revisionOf = async (id: number) => {
    const [row] = await database.sql<{ revision: bigint }[]>`
      select revision from projects where id = ${id}`
    return Number(row?.revision)
  }
  const loopTime = startLoopTime(t)
  /** @returns milliseconds until it was so, as far as this process could look. */
  const soon = async (what: string, holds: () => Promise<boolean>): Promise<number> => {
    const from = loopTime()
    await until(what, holds, { pollMs: 5 })
    return loopTime() - from
  }

  t.test(
    'a changed flag: at once where it was changed, within 1 s in other processes',
    async (t) => {
      const took: number[] = []
      for (const { id, key } of projects) {
        for (const [here, there] of [
          [a, b],
          [b, a],
        ] as const) {
          const name = `of-${here.name}`
          const flags = `projects/${id}/feature_flags/`
          // Both have an answer from before, which must not come again.
          for (const at of [here, there]) t.equal((await decide(at, key, 'ann'))[name], undefined)
          const made = await manage(here, flags, 'POST', { key: name })
          t.equal(made.status, 201)
          t.equal((await decide(here, key, 'ann'))[name], true)
          took.push(
            await soon('it is made', async () => (await decide(there, key, 'ann'))[name] === true),
          )
          const { id: flag } = made.body as { id: number }
          t.equal((await manage(here, `${flags}${flag}/`, 'PATCH', { active: false })).status, 200)
          t.equal((await decide(here, key, 'ann'))[name], undefined)
          took.push(
            await soon('it is off', async () => !(name in (await decide(there, key, 'ann')))),
          )
        }
      }
      t.comment(`soon at the other gateway: ${took.join(', ')} ms`)
      assertSoon(t, took)
    },
  )

  t.test('an answer that reads stored data comes from Redis the second time', async (t) => {
    const [{ id, key }] = pair(projects)
    const made = await manage(a, `projects/${id}/feature_flags/`, 'POST', {
      key: 'paying',
      filters: PAYING,
    })
    t.equal(made.status, 201)
    t.equal((await capture(a, key, { distinct_id: 'cat', $set: { plan: 'pro' } })).status, 200)
    await soon(
      'the other gateway knows the flag',
      async () => 'paying' in (await decide(b, key, 'cat')),
    )
    for (const at of [a, b]) {
      // Redis has 20 ms for it: a machine that is busy is late, and the next one is looked at.
      await soon(`${at.name} takes one from Redis and nowhere else`, async () => {
        const before = await looks(at)
        t.equal((await decide(at, key, 'cat'))['paying'], true)
        const after = await looks(at)
        const expected = { ...before, shared: before.shared + 1 }
        return JSON.stringify(after) === JSON.stringify(expected)
      })
    }
  })

  t.test('a $set that is acknowledged is seen by the next decide, wherever that is', async (t) => {
    for (const { id, key } of projects) {
      await manage(a, `projects/${id}/feature_flags/`, 'POST', { key: 'paying', filters: PAYING })
      await soon('both know the flag', async () => {
        await capture(a, key, { distinct_id: 'first', $set: { plan: 'pro' } })
        const decided = await Promise.all([a, b].map((at) => decide(at, key, 'first')))
        return decided.every((flags) => 'paying' in flags)
      })
      for (let round = 0; round < 12; round += 1) {
        const [here, there] = round % 4 < 2 ? [a, b] : [b, a]
        const plan = round % 2 === 0 ? 'pro' : 'free'
        const person = { distinct_id: 'dan', $set: { plan } }
        t.equal((await capture(here, key, person)).status, 200)
        for (const at of [there, here, there]) {
          const expected = plan === 'pro' ? true : undefined
          const seen = (await decide(at, key, 'dan'))['paying']
          t.equal(seen, expected, `${plan}, set at ${here.name}, asked at ${at.name}`)
        }
      }
    }
  })

  t.test('a plugin of projects of both workers changes: nobody keeps an older state', async (t) => {
    const index = { 'index.js': 'export function processEvent(event) { return event }' }
    const plugins = 'organizations/@current/plugins/'
    const installed = await manage(a, plugins, 'POST', { name: 'Same', files: index })
    t.equal(installed.status, 201)
    const { id: plugin } = installed.body as { id: number }
    for (const { id } of projects) {
      const config = { plugin, enabled: true, order: 1, config: {} }
      t.equal((await manage(b, `projects/${id}/plugin_configs/`, 'POST', config)).status, 201)
    }
    const told: number[] = []
    for (const [here, name] of [
      [a, 'Once'],
      [b, 'Twice'],
    ] as const) {
      const before = await Promise.all(projects.map(({ id }) => revisionOf(id)))
      const files = { 'index.js': `${index['index.js']} // ${name}` }
      t.equal((await manage(here, `${plugins}${plugin}/`, 'PATCH', { files })).status, 200)
      for (const [place, { id, key }] of projects.entries()) {
        const raised = await revisionOf(id)
        t.ok(raised > (before[place] ?? Number.NaN), `${name}: project ${id} has another revision`)
        const metadata = { authorization: `Bearer ${key}` }
        for (const [worker, link] of links) {
          const took = await soon(`${worker.name} knows of it`, async () => {
            const answer = await link.call(
              '/sluice.v1.DecideService/Decide',
              { distinct_id: 'ann' },
              { metadata, timeoutMs: TIMEOUT_MS },
            )
            return Number((answer as { revision: string }).revision) >= raised
          })
          told.push(took)
          t.comment(`${name}: ${worker.name} has the revision of project ${id} after ${took} ms`)
        }
        const flag = `after-${name.toLowerCase()}`
        const made = await manage(here, `projects/${id}/feature_flags/`, 'POST', { key: flag })
        t.equal(made.status, 201)
        t.equal((await decide(here, key, 'ann'))[flag], true)
      }
    }
    assertSoon(t, told)
  })

  t.test('any worker answers any call, whoever owns the project', async (t) => {
    for (const { id, key, owner, stranger } of projects) {
      const before = (await cluster.status()).shards[shardOf(projectId(id))]
      const call = (to: ClusterMember, path: string, message: object, more: object) => {
        const metadata = { authorization: `Bearer ${key}`, ...more }
        const options = { metadata, timeoutMs: TIMEOUT_MS }
        return linkTo(links, to).call(`/sluice.v1.${path}`, message, options)
      }
      const asUser = { authorization: `Bearer ${personalKey}` }
      const event = (name: string) => ({
        event: name,
        distinct_id: 'svc',
        properties: toStruct({ $set: { plan: 'pro' } }),
      })
      const one = await call(stranger, 'IngestService/Capture', event(`one ${id}`), {})
      t.match(one, { status: 1, accepted: 1 })
      const batch = { batch: [event(`two ${id}`), event(`three ${id}`)] }
      t.match(await call(stranger, 'IngestService/CaptureBatch', batch, {}), { accepted: 2 })
      const question = { distinct_id: 'svc', flag_keys: ['paying'] }
      t.match(await call(stranger, 'DecideService/Decide', question, {}), {
        flags: [{ key: 'paying', enabled: true }],
      })
      const create = 'FeatureFlagService/CreateFeatureFlag'
      const named = (flag: string) => ({ project_id: String(id), key: flag })
      // Anything but a small number is made up by a caller.
      for (const [index, hops] of ['0', '1', 'x', '-1', '99'].entries()) {
        const flag = named(`direct-${index}`)
        const made = await call(stranger, create, flag, { ...asUser, 'x-sluice-hops': hops })
        t.match(made, { key: flag.key, active: true }, `hops ${hops}`)
      }
      const made = (await call(stranger, create, named('changed'), asUser)) as { id: number }
      const change = { project_id: String(id), id: String(made.id), active: false }
      t.match(await call(stranger, 'FeatureFlagService/UpdateFeatureFlag', change, asUser), {
        active: false,
      })
      const tooFar = { ...asUser, 'x-sluice-hops': '2' }
      await t.rejects(call(stranger, create, named('too-far'), tooFar), { code: 'not_owner' })
      t.match(await call(owner, create, named('far-enough'), tooFar), { key: 'far-enough' })
      const refused = call(stranger, create, named('nobody'), { authorization: 'Bearer phx_none' })
      await t.rejects(refused, { code: 'unauthenticated' })
      const rows = await database.sql`
        select event from events where project_id = ${id} and distinct_id = 'svc' order by event`
      t.strictSame(
        rows.map(({ event }) => event),
        [`one ${id}`, `three ${id}`, `two ${id}`],
      )
      const after = (await cluster.status()).shards[shardOf(projectId(id))]
      t.same(after, before, 'the shard has not moved for it')
    }
  })

  t.test('a person that is deleted is forgotten by every cache, at once', async (t) => {
    for (const { id, key } of projects) {
      await manage(a, `projects/${id}/feature_flags/`, 'POST', { key: 'paying', filters: PAYING })
      for (const [here, there] of [
        [a, b],
        [b, a],
      ] as const) {
        t.equal(
          (await capture(here, key, { distinct_id: 'eve', $set: { plan: 'pro' } })).status,
          200,
        )
        // Twice: the second answer is a kept one.
        for (const at of [here, there, here, there]) {
          await soon('it is decided', async () => (await decide(at, key, 'eve'))['paying'] === true)
        }
        const person = `projects/${id}/persons/eve/?by=distinct_id&delete_events=true`
        t.equal((await manage(here, person, 'DELETE')).status, 202)
        for (const at of [there, here]) t.equal((await decide(at, key, 'eve'))['paying'], undefined)
        t.equal((await manage(there, person, 'DELETE')).status, 404)
      }
    }
  })

  t.test('a new project key: the old one is refused everywhere', async (t) => {
    const metadataOf = (key: string) => ({ authorization: `Bearer ${key}` })
    const capturedBy = async (link: WorkerLink, key: string) => {
      const options = { metadata: metadataOf(key), timeoutMs: TIMEOUT_MS }
      const event = { event: 'keyed', distinct_id: 'kim' }
      return await link.call('/sluice.v1.IngestService/Capture', event, options).then(
        () => 'taken',
        (error: unknown) => (error as { code?: string }).code,
      )
    }
    const told: number[] = []
    for (const [here, { id, key }] of [
      [a, projects[0]],
      [b, projects[1]],
    ] as const) {
      // Every process knows the old one.
      for (const at of [a, b]) t.equal((await capture(at, key, { distinct_id: 'kim' })).status, 200)
      for (const [, link] of links) t.equal(await capturedBy(link, key), 'taken')
      const reset = await manage(here, `projects/${id}/reset_token/`, 'PATCH')
      t.equal(reset.status, 200)
      const { api_token: fresh } = reset.body as { api_token: string }
      t.equal((await capture(here, key, { distinct_id: 'kim' })).status, 401, 'at once')
      t.equal((await capture(here, fresh, { distinct_id: 'kim' })).status, 200, 'at once')
      for (const at of [a, b]) {
        const took = await soon(`${at.name} refuses it`, async () => {
          const answers = await Promise.all([
            capture(at, key, { distinct_id: 'kim' }),
            request(`${at.url}/decide/?v=2`, { body: { api_key: key, distinct_id: 'kim' } }),
          ])
          return answers.every(({ status }) => status === 401)
        })
        if (at !== here) told.push(took)
        t.comment(`${at.name} refuses the old key of project ${id} after ${took} ms`)
        t.equal((await capture(at, fresh, { distinct_id: 'kim' })).status, 200)
      }
      for (const [worker, link] of links) {
        const what = `${worker.name} refuses it`
        await soon(what, async () => (await capturedBy(link, key)) === 'unauthenticated')
        t.equal(await capturedBy(link, fresh), 'taken')
      }
    }
    assertSoon(t, told)
  })

  t.test(
    'a revoked link: every gateway refuses it within 1 s, also one that is asking',
    async (t) => {
      for (const { id } of projects) {
        const told: number[] = []
        for (const here of [a, b]) {
          const made = await manage(here, `projects/${id}/sharing/`, 'POST', { kind: 'web' })
          t.equal(made.status, 201)
          const { id: link, access_token: token } = made.body as {
            id: string
            access_token: string
          }
          const statusesAt = async (at: ClusterMember) => {
            const path = `${at.url}/api/shared/${token}/`
            const answers = await Promise.all([
              request(path, { body: {} }),
              request(path, { body: { query: [{ current: true }] } }),
              request(path),
              request(`${at.url}/shared/${token}`),
            ])
            return answers.map(({ status }) => status)
          }
          for (const at of [a, b]) t.strictSame(await statusesAt(at), [200, 200, 200, 200])
          t.equal((await manage(here, `projects/${id}/sharing/${link}/`, 'DELETE')).status, 204)
          const refuses = async (at: ClusterMember) => {
            const statuses = await statusesAt(at)
            return statuses.every((status) => status === 404)
          }
          const took = await Promise.all([a, b].map((at) => soon('refused', () => refuses(at))))
          t.comment(`the link of project ${id} opens for ${took.join(' and ')} ms`)
          told.push(...took)
        }
        assertSoon(t, told)
      }
    },
  )

  t.test('a deletion whose worker dies continues at the other one', async (t) => {
    const [{ id }] = pair(projects)
    const [first, second] = pair(cluster.workers)
    await makePerson(database.sql, projectId(id), ['fay'])
    const day = '2026-01-05'
    for (let made = 0; made < EVENTS_TO_DELETE; made += EVENTS_FILLED) {
      const events = EVENTS_FILLED
      await fill(database.sql, projectId(id), { distinctId: 'fay', day, events })
    }
    const person = `projects/${id}/persons/fay/?by=distinct_id&delete_events=true`
    const asked = await manage(a, person, 'DELETE')
    t.equal(asked.status, 202)
    const { id: deletion } = asked.body as { id: string }
    const stored = () => findDeletion(database.sql, projectId(id), deletion)
    const deleted = async () => (await stored())?.deleted ?? 0
    await soon('it has begun', async () => (await deleted()) > 0)
    await first.kill()
    const atFirst = await deleted()
    await soon('the second goes on', async () => (await deleted()) > atFirst)
    await second.kill()
    const atSecond = await deleted()
    t.comment(`${atFirst} events were gone when the first died, ${atSecond} when the second did`)
    t.match(await stored(), { state: 'running' })
    await first.start()
    // On a busy machine each chunk is small, and what it takes is rested four times.
    const isOver = async () => (await stored())?.state !== 'running'
    await until('it is over', isOver, { withinMs: OVER_MS_MAX, pollMs: 100 })
    t.match(await stored(), { state: 'completed', deleted: EVENTS_TO_DELETE })
    const left = await database.sql`
      select from events where project_id = ${id} and distinct_id = 'fay'`
    t.equal(left.count, 0)
    const [counted] = await database.sql<{ sum: number }[]>`
      select coalesce(sum(count), 0)::int as sum from event_counts
      where project_id = ${id} and day = ${day}`
    t.equal(counted?.sum, 0, 'none was counted twice')
  })
})

/** A machine that is paused makes some of them late, a late change feed all of them so. */
function assertSoon(t: Test, took: readonly number[]): void {
  const sorted = [...took].sort((a, b) => a - b)
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.POSITIVE_INFINITY
  t.ok(median < NEWS_MS, `half of ${sorted.length} took ${median} ms or less`)
}

type Links = ReadonlyMap<ClusterMember, WorkerLink>

/** Connections to each worker itself, past the gateways. */
function linksTo(t: Test, workers: readonly ClusterMember[]): Links {
  const links = new Map<ClusterMember, WorkerLink>()
  for (const worker of workers) {
    const link = createGrpcWorkerLink(worker.grpcAddress, systemClock)
    t.teardown(() => link.close())
    links.set(worker, link)
  }
  return links
}

function linkTo(links: Links, worker: ClusterMember): WorkerLink {
  const link = links.get(worker)
  if (link === undefined) throw new Error(`no link to ${worker.name}`)
  return link
}

/** Where a gateway has found answers so far. */
async function looks({ adminPort }: ClusterMember) {
  const { body } = await request(`http://127.0.0.1:${adminPort}/metrics`)
  const count = (tier: string) => {
    const line = new RegExp(`^sluice_decide_cache_looks_total\\{tier="${tier}"\\} (\\d+)$`, 'm')
    return Number(line.exec(String(body))?.[1] ?? 0)
  }
  return { shared: count('shared'), memory: count('memory'), none: count('none') }
}
