import t from 'tap'
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { AppError } from '../../../src/core/code.ts'
import type { DatabaseHealth } from '../../../src/core/database-health.ts'
import { epoch, revision, type ShardId, shardId } from '../../../src/core/ids.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createMetrics } from '../../../src/core/metrics/metrics.ts'
import { createLiveHub } from '../../../src/events/live/live-hub.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { Db } from '../../../src/postgres/db.ts'
import { createDirectoryHandlers } from '../../../src/rpc/hot/directory-handlers.ts'
import { createMemberAuth, sameToken } from '../../../src/rpc/server/member-auth.ts'
import type { CallContext } from '../../../src/wire/call.ts'
import { callMetrics, flushTimer, outcomeCounter } from '../../../src/worker/worker-call-metrics.ts'
import {
  DEAD_LETTERS_COUNT_MS,
  startStatusMetrics,
} from '../../../src/worker/worker-status-metrics.ts'
import { createTestMembers, memberOf } from '../../support/cluster/members.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { readValue } from '../../support/metric-value.ts'

const CONTEXT: CallContext = {
  metadata: new Map(),
  signal: new AbortController().signal,
  timeoutMs: 1_000,
}

t.test('a call that fails counts under its code, with its time', async (t) => {
  const metrics = createMetrics()
  const clock = createFakeClock()
  const { timed } = callMetrics(metrics, clock)
  const failures = [new AppError('not_owner', 'no'), new TypeError('defect')]
  const handler = timed('/sluice.v1.ProjectService/GetProject', async () => {
    await clock.advance(2_000)
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return { ok: true }
  })
  await t.rejects(handler({}, CONTEXT), { message: 'no' })
  await t.rejects(handler({}, CONTEXT), { message: 'defect' })
  t.same(await handler({}, CONTEXT), { ok: true })
  const calls = (code: string) =>
    readValue(metrics, `sluice_grpc_calls_total{service="ProjectService",code="${code}"}`)
  t.same([await calls('not_owner'), await calls('internal'), await calls('ok')], [1, 1, 1])
  t.equal(await readValue(metrics, 'sluice_grpc_call_seconds_sum{service="ProjectService"}'), 6)
  t.equal(await readValue(metrics, 'sluice_grpc_call_seconds_count{service="ProjectService"}'), 3)
})

t.test('refused keys and operator tokens count by kind, and no key is kept', async (t) => {
  const metrics = createMetrics()
  const { keyRefused, refusedKeys } = callMetrics(metrics, createFakeClock())
  const operator = createMemberAuth(sameToken('right'), () => keyRefused('operator'))
  const call = (authorization: string) => ({
    metadata: new Map([['authorization', authorization]]),
  })
  operator(call('Bearer right'))
  t.throws(() => operator(call('Bearer wrong-token')))
  t.throws(() => operator({ metadata: new Map() }), 'none at all is no guess')
  const directory = createDirectoryHandlers({
    memberAuth: () => {},
    db: {} as Db,
    health: {
      reads: () => ({ ask: async () => [{ kind: 'unknown' }, { kind: 'invalid_personal' }] }),
    } as never as DatabaseHealth,
    ...{ self: 'this', confirm: () => {}, onRefused: keyRefused },
  })
  const questions = ['phc_nobody', 'phx_nobody'].map((token) => ({ token, project_id: 0 }))
  await directory.ResolveKeys({ questions }, CONTEXT)
  t.same(refusedKeys(), { project: 1, personal: 1, operator: 1 })
  const { body } = await metrics.text()
  for (const kind of ['project', 'personal', 'operator']) {
    t.equal(await readValue(metrics, `sluice_keys_refused_total{kind="${kind}"}`), 1)
  }
  t.notMatch(body, /phc_nobody|phx_nobody|wrong-token/)
})

t.test('questions that were answered count, those that failed do not', async (t) => {
  const { counted, decided } = callMetrics(createMetrics(), createFakeClock())
  const evaluation = {
    ...{ results: [], errorsWhileComputingFlags: false, dependsOnStored: false },
    timeDependent: false,
  }
  let fails = true
  const service = counted({
    async decide(asked) {
      if (fails) throw new AppError('unavailable', 'no')
      return asked.map(() => ({ revision: revision(1), evaluation }))
    },
  })
  const question = { state: {} as never, request: {} as never }
  await t.rejects(service.decide([question]))
  t.equal(decided(), 0)
  fails = false
  await service.decide([question, question])
  t.equal(decided(), 2)
})

t.test('events count by what became of them', async (t) => {
  const metrics = createMetrics()
  const count = outcomeCounter(metrics)
  count('overloaded', 2)
  count('spilled', 2)
  count('spilled', 2)
  const events = (kind: string) =>
    readValue(metrics, `sluice_ingest_events_total{outcome="${kind}"}`)
  t.same([await events('overloaded'), await events('spilled'), await events('stored')], [2, 4, 0])
})

t.test('flushes are timed, those that fail apart', async (t) => {
  const metrics = createMetrics()
  const observe = flushTimer(metrics)
  observe('failed', 500)
  observe('committed', 500)
  observe('committed', 500)
  const sum = (outcome: string) =>
    readValue(metrics, `sluice_flush_seconds_sum{outcome="${outcome}"}`)
  t.same([await sum('failed'), await sum('committed')], [0.5, 1])
  const within = (le: number) =>
    readValue(metrics, `sluice_flush_seconds_bucket{le="${le}",outcome="committed"}`)
  t.same([await within(0.25), await within(0.5), await within(10)], [0, 2, 2])
})

t.test('members, shards and dead letters are counted as they are', async (t) => {
  const metrics = createMetrics()
  const clock = createFakeClock()
  const members = createTestMembers(['w1', 'w2'])
  await members.join(memberOf('g1', { role: 'gateway', version: '2.0.0' }))
  await members.setState('w2', 'draining')
  const held = new Map<ShardId, ReturnType<typeof epoch>>()
  let changed: () => void = () => {}
  let deadLetters = 3
  let asked = 0
  const unused = () => {
    throw new Error('not used here')
  }
  const stop = startStatusMetrics({
    worker: {
      sql: (async () => {
        asked += 1
        return [{ count: deadLetters }]
      }) as never as Sql,
      projects: { size: () => 5 } as never,
      live: createLiveHub(clock.now),
      shards: {
        ...{ epochOf: unused, hold: unused, run: unused, ownerOf: unused, release: unused },
        ...{ ready: unused, close: unused, drain: unused },
        held: () => held,
        subscribe(listener) {
          changed = listener
          return () => {}
        },
      },
    },
    members: members satisfies Pick<MemberStore, 'view'>,
    ...{ metrics, clock, log: silentLog },
  })
  for (const shard of [1, 2, 3]) held.set(shardId(shard), epoch(1n))
  changed()
  held.delete(shardId(2))
  changed()
  members.state.connected = false
  const all = async () => ({
    active: await readValue(metrics, 'sluice_view_workers_active'),
    draining: await readValue(metrics, 'sluice_view_workers_draining'),
    drained: await readValue(metrics, 'sluice_view_workers_drained'),
    gateways: await readValue(metrics, 'sluice_view_gateways'),
    versions: await readValue(metrics, 'sluice_view_versions'),
    connected: await readValue(metrics, 'sluice_membership_connected'),
    held: await readValue(metrics, 'sluice_shards_held'),
    gained: await readValue(metrics, 'sluice_shards_gained_total'),
    lost: await readValue(metrics, 'sluice_shards_lost_total'),
    projects: await readValue(metrics, 'sluice_projects_active'),
    deadLetters: await readValue(metrics, 'sluice_dead_letters'),
  })
  await clock.advance(1)
  t.same(await all(), {
    ...{ active: 1, draining: 1, drained: 0, gateways: 1, versions: 2, connected: 0 },
    ...{ held: 2, gained: 3, lost: 1, projects: 5, deadLetters: 3 },
  })
  deadLetters = 4
  await clock.advance(2 * DEAD_LETTERS_COUNT_MS)
  t.equal(await readValue(metrics, 'sluice_dead_letters'), 4)
  await stop()
  const before = asked
  await clock.advance(5 * DEAD_LETTERS_COUNT_MS)
  t.equal(asked, before, 'nothing is counted after the end')
})
