import t, { type Test } from 'tap'
import { shardOf } from '../../../cluster/shards/shard.ts'
import { decodeShards } from '../../../cluster/shards/shard-bits.ts'
import { bootstrap } from '../../../src/access/bootstrap.ts'
import { type ProjectId, revision, shardId } from '../../../src/core/ids.ts'
import { type ProjectNewsMessage, watchProjects } from '../../../src/wire/project-watch.ts'
import { toStruct, toValue } from '../../../src/wire/proto/value.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { until as comeTrue } from '../../support/until.ts'
import { claimShards } from '../../support/workers/claim-shards.ts'
import { CLUSTER_TOKEN, type RpcWorker, startRpcWorker } from '../../support/workers/rpc-worker.ts'

const UPDATE = '/sluice.v1.ProjectService/UpdateProject'
const CREATE_FLAG = '/sluice.v1.FeatureFlagService/CreateFeatureFlag'
const DECIDE = '/sluice.v1.DecideService/DecideBatch'

const until = (isSo: () => boolean | Promise<boolean>) => comeTrue('it comes to be so', isSo)

/** Workers a and b on one database, which hear each other; a owns every shard. */
async function startPair(t: Test) {
  const { sql, pg } = await testDatabase(t, { connectionsMax: 8 })
  const owner = await bootstrap(sql, {
    email: 'owner@example.com',
    projectApiKey: undefined,
    personalApiKey: undefined,
  })
  const project = owner?.user.project?.id
  if (owner === undefined || project === undefined) throw new Error('no project was made')
  const a: RpcWorker = await startRpcWorker(t, { sql, id: 'a', ownerOf: () => b.member })
  const b: RpcWorker = await startRpcWorker(t, { sql, id: 'b', ownerOf: () => a.member })
  await a.shards.claim()
  await a.members.join(b.member)
  await b.members.join(a.member)
  await until(() => a.peerFeed.fresh() && b.peerFeed.fresh())
  return { sql, pg, a, b, key: owner.personalApiKey, project }
}

function question(project: ProjectId) {
  const empty = { anon_distinct_id: '', device_id: '', groups: '', person_properties: '' }
  return {
    questions: [
      {
        ...{ project_id: project, distinct_id: 'one', shape: 'v2', ...empty },
        ...{ group_properties: '', has_flag_keys: false, flag_keys: [] },
        ...{ evaluation_runtime: '', evaluation_contexts: [] },
      },
    ],
  }
}

type Answer = { readonly code: string; readonly revision: number; readonly members: string }

async function decide(worker: RpcWorker, project: ProjectId): Promise<Answer | undefined> {
  const { answers } = (await worker.call(DECIDE, question(project))) as { answers: Answer[] }
  return answers[0]
}

t.test('a stranger to the cluster hears no change and gets no shard', async (t) => {
  const { a, b } = await startPair(t)
  let messages = 0
  const { signal } = new AbortController()
  await watchProjects(a.member.address, 'another token', signal, () => messages++)
  t.equal(messages, 0)
  const release = { from: 'b', to: 'a', shards: [1] }
  const path = '/sluice.v1.ClusterService/ReleaseShards'
  await t.rejects(a.call(path, release, 'another token'), { code: 'unauthenticated' })
  t.equal(a.shards.held().size, 256)
  t.equal(b.shards.held().size, 0)
})

t.test('workers ask each other by name', async (t) => {
  const { a, b } = await startPair(t)
  t.match(await b.peers.getMember(a.member), { id: 'a', shards: 256, answered: true })
  const restarted = { ...a.member, id: 'a2' }
  await t.rejects(b.peers.getMember(restarted), { code: 'failed_precondition' })
  t.match(await b.peers.drain(a.member), { member_id: 'a', released: 3 })
  t.same(await b.peers.release(a.member, [3, 200].map(shardId)), [3, 200])
  t.equal(a.shards.held().size, 254)
})

t.test(
  'a stream says who speaks and what it owns at once, and again when that changes',
  async (t) => {
    const { a } = await startPair(t)
    const abort = new AbortController()
    const heard: ProjectNewsMessage[] = []
    const ended = watchProjects(a.member.address, CLUSTER_TOKEN, abort.signal, (message) =>
      heard.push(message),
    )
    await until(() => heard.length >= 3)
    t.equal(heard[0]?.member_id, 'a')
    t.equal(heard[0]?.cache_generation, 'a.0')
    t.equal(decodeShards(heard[0]?.owned_shards ?? Buffer.alloc(0))?.size, 256)
    for (const beat of heard.slice(1)) {
      t.match(beat, { member_id: '', cache_generation: '', keys_changed: false, changed: [] })
      t.equal(beat.owned_shards.length, 0)
    }
    await a.shards.release([shardId(7)], 'b')
    a.cacheGeneration.raise()
    await until(() => heard.some((message) => message.cache_generation === 'a.1'))
    const owned = heard.slice(1).find((message) => message.owned_shards.length > 0)
    t.equal(decodeShards(owned?.owned_shards ?? Buffer.alloc(0))?.has(shardId(7)), false)
    abort.abort()
    await ended
  },
)

t.test('a change is heard by the other worker, and does not come back', async (t) => {
  const { a, b, sql, project } = await startPair(t)
  await b.projects.activate(project)
  a.told.length = 0
  await sql`update projects set revision = revision + 1 where id = ${project}`
  const raised = (await a.snapshots.of(project)).revision + 1
  a.hub.publish({ kind: 'revision', projectId: project, revision: revision(raised) })
  a.hub.publish({ kind: 'keys' })
  const isKeys = ([change]: RpcWorker['told'][number]) => change.kind === 'keys'
  await until(
    () => b.told.at(-1)?.[0].kind === 'keys' && b.told.some(([{ kind }]) => kind !== 'keys'),
  )
  t.ok(b.told.every(([, origin]) => origin === 'peer'))
  // Whatever b passed on would reach a before this.
  b.hub.publish({ kind: 'revision', projectId: project, revision: revision(1) })
  await until(() => a.told.some(([, origin]) => origin === 'peer'))
  t.same(
    a.told.map(([change, origin]) => [change.kind, origin]),
    [
      ['revision', 'own'],
      ['keys', 'own'],
      ['revision', 'peer'],
    ],
  )
  t.ok(b.told.some(isKeys))
})

t.test('a worker that has gone is not heard, and what it did last is unknown', async (t) => {
  const { a, b } = await startPair(t)
  const before = b.peerFeed.interruptions()
  await a.stop()
  await until(() => !b.peerFeed.fresh())
  t.equal(b.trust.holds(), false)
  t.ok(b.peerFeed.interruptions() > before)
  await b.members.leave('a')
  t.equal(b.peerFeed.fresh(), true)
})

t.test('a change that any worker is asked for is made by the owner, once', async (t) => {
  const { a, b, sql, key, project } = await startPair(t)
  const request = { id: String(project), name: 'Renamed', null_fields: [] }
  t.match(await b.call(UPDATE, request, key), { name: 'Renamed' })
  t.same(
    [...b.calls, ...a.calls].filter(({ path }) => path === UPDATE),
    [
      { path: UPDATE, hops: undefined },
      { path: UPDATE, hops: '1' },
    ],
  )
  t.equal(b.projects.size(), 0, 'the other one has loaded nothing')
  t.same([a.state.counted, b.state.counted], [1, 0], 'it counts where it is answered')
  const [row] = await sql`
    select name, (select count(*)::int from audit_log where activity = 'updated') as entries
    from projects where id = ${project}`
  t.match(row, { name: 'Renamed', entries: 1 })
})

t.test('a request is passed on with all that it holds', async (t) => {
  const { b, key, project } = await startPair(t)
  const filters = {
    groups: [
      { properties: [{ key: 'a', value: ['x', 'y'], type: 'person' }], rollout_percentage: 0 },
    ],
    payloads: { true: '{"deep":[null,1.5,true,""]}' },
  }
  const request = {
    project_id: String(project),
    key: 'passed-on',
    name: '',
    filters: toValue(filters),
    active: false,
    null_fields: [],
  }
  const flag = await b.call(CREATE_FLAG, request, key)
  t.match(flag, { key: 'passed-on', active: false, filters: { structValue: toStruct(filters) } })
  const code = 'invalid_argument'
  await t.rejects(b.call(CREATE_FLAG, request, key), { code, detail: { attr: 'key' } })
})

t.test('whoever may not change is refused by the owner too', async (t) => {
  const { b, a, project } = await startPair(t)
  const request = { id: String(project), name: 'Mine', null_fields: [] }
  await t.rejects(b.call(UPDATE, request, 'phx_unknown'), { code: 'unauthenticated' })
  t.same(a.calls, [])
})

t.test('an owner that has been fenced passes the change on to the new one', async (t) => {
  const { a, b, sql, key, project } = await startPair(t)
  // As after a pause: a knows nothing of it.
  await b.shards.claim()
  t.ok(a.shards.epochOf(shardOf(project)))
  const request = { id: String(project), name: 'By the new one', null_fields: [] }
  t.match(await a.call(UPDATE, request, key), { name: 'By the new one' })
  t.equal(a.shards.epochOf(shardOf(project)), undefined)
  t.equal((await sql`select 1 from audit_log where activity = 'updated'`).length, 1)
})

t.test('without an owner a call goes round no more than twice', async (t) => {
  const { a, b, sql, key, project } = await startPair(t)
  await claimShards(sql, 'nobody here', [shardOf(project)])
  const request = { id: String(project), name: 'Lost', null_fields: [] }
  await t.rejects(b.call(UPDATE, request, key), {
    code: 'not_owner',
    detail: { httpStatus: 503, retryAfterS: 1 },
  })
  const hops = [...a.calls, ...b.calls].map((call) => call.hops).sort()
  t.same(hops, ['1', '2', undefined])
  t.equal((await sql`select 1 from audit_log where activity = 'updated'`).length, 0)
})

t.test(
  'an owner that cannot be reached has changed nothing, and the caller may ask again',
  async (t) => {
    const { a, b, key, project } = await startPair(t)
    await a.stop()
    const request = { id: String(project), name: 'Nobody', null_fields: [] }
    await t.rejects(b.call(UPDATE, request, key), { code: 'not_owner' })
  },
)

t.test('a worker that is not the owner compares, and sees each change at once', async (t) => {
  const { a, b, key, project } = await startPair(t)
  const first = await decide(b, project)
  t.match(first, { code: '', revision: Number })
  const request = { project_id: String(project), key: 'new', active: true, null_fields: [] }
  await a.call(CREATE_FLAG, request, key)
  b.state.compared = 0
  const second = await decide(b, project)
  t.match(second, { code: '', revision: (first?.revision ?? 0) + 1, members: /"new"/ })
  t.equal(b.state.compared, 1)
  t.match(await decide(a, project), { revision: second?.revision })
  t.equal(a.state.compared, 0, 'the owner asks nobody')
})

t.test(
  'a project loaded before its shard was gained is compared before it is trusted',
  async (t) => {
    const { a, b, key, project } = await startPair(t)
    await decide(b, project)
    const request = { id: String(project), anonymize_ips: true, null_fields: [] }
    await a.call(UPDATE, request, key)
    const known = (await a.snapshots.of(project)).revision
    await a.shards.release([...a.shards.held().keys()], 'b')
    await b.shards.claim()
    b.state.compared = 0
    t.match(await decide(b, project), { revision: known })
    t.match(await decide(b, project), { revision: known })
    t.equal(b.state.compared, 1)
  },
)

t.test('a project that is gone is refused by whoever is asked', async (t) => {
  const { a, b, key, project } = await startPair(t)
  await decide(b, project)
  await a.call('/sluice.v1.ProjectService/DeleteProject', { id: String(project) }, key)
  t.match(await decide(b, project), { code: 'not_found' })
  t.match(await decide(a, project), { code: 'not_found' })
  t.match(await decide(a, 999_999 as ProjectId), { code: 'not_found' })
  t.match(await decide(a, -1 as ProjectId), { code: 'internal' })
})

t.test('while Postgres is down, known projects are decided from what is known', async (t) => {
  const { a, b, pg, project } = await startPair(t)
  const known = await decide(b, project)
  await decide(a, project)
  await pg.kill('SIGKILL')
  t.match(await decide(a, project), { code: '', revision: known?.revision })
  t.match(await decide(b, project), { code: '', revision: known?.revision })
  t.equal(await b.revisions.away(), true)
  const started = pg.restart()
  await until(async () => !(await b.revisions.away()))
  await started
  t.match(await decide(b, project), { code: '', revision: known?.revision })
})
