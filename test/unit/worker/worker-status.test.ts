import t from 'tap'
import type { Member } from '../../../cluster/members/view.ts'
import type { ShardRow } from '../../../cluster/shards/shard-store.ts'
import { AppError } from '../../../src/core/code.ts'
import { type Epoch, epoch, type ShardId, shardId } from '../../../src/core/ids.ts'
import { DRAIN_WAIT_MAX_MS, STATUS_DATABASE_MS } from '../../../src/core/limits/limits.ts'
import type { WriterStatus } from '../../../src/ingest/writer-port.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { ReplicaSummary } from '../../../src/replication/replica-summary.ts'
import {
  createWorkerStatus,
  STATUS_ASKS_MAX,
  WARNED_KEPT_MS,
  type WorkerStatusDeps,
} from '../../../src/worker/worker-status.ts'
import { createTestMembers, memberOf } from '../../support/cluster/members.ts'
import { memberLine } from '../../support/cluster/status.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const WRITER: WriterStatus = {
  ...{ state: 'up', queuedEvents: 0, queuedBytes: 0, storedEvents: 0, duplicateEvents: 0 },
  ...{ deadLetterEvents: 0, oldestWaitMs: 0, lastError: '' },
  breaker: { kind: 'closed', forMs: 0, opened: 0 },
}
const SPILL = {
  connected: true,
  log: { messages: 0, bytes: 0, bytesMax: 1_000, oldestAgeMs: 0 },
  spilledEvents: 0,
  isFull: false,
  drainer: {
    drainedEvents: 0,
    repeatedEvents: 0,
    redeliveredMessages: 0,
    unreadableMessages: 0,
    inflightMessages: 0,
  },
}
const silence = () => Promise.reject(new AppError('deadline_exceeded', 'no answer'))

function row(shard: number, owner: string, released = false): ShardRow {
  return { shard: shardId(shard), epoch: epoch(3n), owner, released }
}

/** Worker `w1` of a cluster with `w2`, and whatever else the test says. */
function setUp(more: readonly Partial<Member>[] = []) {
  const clock = createFakeClock()
  const members = createTestMembers(['w1', 'w2'])
  for (const [index, each] of more.entries()) void members.join(memberOf(`m${index}`, each))
  const held = new Map<ShardId, Epoch>([[shardId(0), epoch(3n)]])
  const state = {
    rows: (): Promise<readonly ShardRow[]> => Promise.resolve([row(0, 'w1'), row(1, 'w2')]),
    flags: (): Promise<readonly object[]> => Promise.resolve([]),
    cohorts: [] as readonly object[],
    deadLetters: (): Promise<number> => Promise.resolve(0),
    line: (id: string): Promise<ReturnType<typeof memberLine>> => Promise.resolve(memberLine(id)),
    drain: (): Promise<void> => Promise.resolve(held.clear()),
    drained: (id: string) => Promise.resolve({ member_id: id, address: `${id}:8001`, released: 9 }),
    writer: WRITER,
    spill: SPILL as typeof SPILL | undefined,
    membership: 'connected' as 'connected' | 'frozen',
    redis: 'up' as 'up' | 'unsteady' | 'down',
    decided: 0,
    copy: undefined as ReplicaSummary | undefined,
  }
  const calls = { rows: 0, flags: 0, lines: 0, linesAtOnce: 0, drains: [] as string[] }
  let asking = 0
  const unused = () => {
    throw new Error('not used here')
  }
  const worker: WorkerStatusDeps['worker'] = {
    shards: {
      ...{ epochOf: unused, hold: unused, run: unused, ownerOf: unused, release: unused },
      ...{ subscribe: unused, ready: unused, close: unused },
      held: () => held,
      drain: () => state.drain(),
    },
    shardRows: () => {
      calls.rows += 1
      return state.rows()
    },
    peers: {
      ...{ release: unused, callerOf: unused, close: unused },
      async getMember({ id }) {
        calls.lines += 1
        asking += 1
        calls.linesAtOnce = Math.max(calls.linesAtOnce, asking)
        try {
          return await state.line(id)
        } finally {
          asking -= 1
        }
      },
      drain({ id }) {
        calls.drains.push(id)
        return state.drained(id)
      },
    },
    sql: (async ([text = '']: TemplateStringsArray) => {
      if (text.includes('from cohorts')) return state.cohorts
      if (!text.includes('from feature_flags')) return [{ count: await state.deadLetters() }]
      calls.flags += 1
      return await state.flags()
    }) as never as Sql,
    copy: {
      summary: async () => state.copy,
      months: unused,
      compare: unused,
      fill: unused,
      acceptLoss: unused,
      moveHome: unused,
      moveMonth: unused,
    },
    projects: { size: () => 4 },
    ingest: { spill: () => state.spill, writer: { status: () => state.writer } },
  }
  const operations = createWorkerStatus({
    ...{ worker, members, clock },
    self: () => memberOf('w1'),
    clusterName: 'sluice',
    redis: () => state.redis,
    membership: () => state.membership,
    decided: () => state.decided,
    refusedKeys: () => ({ project: 3, personal: 2, operator: 1 }),
  })
  return { clock, members, held, state, calls, ...operations }
}

const lineNamed = <Line extends { id?: string }>(lines: readonly Line[] | undefined, id: string) =>
  lines?.find((line) => line.id === id)

t.test('a worker that does not answer is listed with the shards it has in Postgres', async (t) => {
  const { state, status } = setUp()
  state.line = silence
  const { members, problems, refused_keys } = await status()
  t.same(refused_keys, { project: 3, personal: 2, operator: 1 })
  t.match(lineNamed(members, 'w2'), { answered: false, shards: 1, role: 'worker' })
  t.match(lineNamed(members, 'w1'), { answered: true, shards: 1, activations: 4 })
  t.same(problems, ['Worker w2:8001 (w2) does not answer: no answer in time.'])
})

t.test('a gateway is listed and not asked', async (t) => {
  const { calls, status } = setUp([{ role: 'gateway' }])
  const { members, problems } = await status()
  t.match(lineNamed(members, 'm0'), { answered: false, shards: 0, role: 'gateway' })
  t.equal(calls.lines, 1)
  t.same(problems, [])
})

t.test('a database that hangs costs one question and a bounded time', async (t) => {
  const { calls, clock, state, status } = setUp()
  state.rows = () => new Promise(() => {})
  state.deadLetters = () => new Promise(() => {})
  state.line = async (id) => memberLine(id, { shards: 17 })
  const both = Promise.all([status(), status()])
  await clock.advance(STATUS_DATABASE_MS)
  for (const { database, dead_letters, members, problems, shards } of await both) {
    t.match({ database, dead_letters, shards }, { database: 'down', dead_letters: -1, shards: [] })
    t.equal(lineNamed(members, 'w2')?.shards, 17, 'what the worker says of itself')
    t.match(problems, [/^Postgres does not answer this worker: events go to the spill/])
  }
  t.equal(calls.rows, 1)
})

t.test(
  'flags and cohorts are looked through once in ten minutes, and again where that failed',
  async (t) => {
    const { calls, clock, state, status } = setUp()
    state.flags = () => Promise.reject(new AppError('unavailable', 'away'))
    t.match(await status(), { warned_flags: null, warned_cohorts: null })
    const groups = [{ properties: [{ key: 'p', type: 'person', operator: 'odd', value: 1 }] }]
    state.flags = async () => [{ id: 1, projectId: 7, name: 'odd', filters: { groups } }]
    state.cohorts = [{ id: 2, projectId: 7, name: 'Odd', filters: { properties: 7 } }]
    const found = { count: 1, first: [{ project_id: 7, key: 'odd' }] }
    t.same((await status()).warned_flags, found)
    t.same((await status()).warned_cohorts, {
      ...{ count: 1, first: [{ project_id: 7, id: 2, name: 'Odd' }] },
    })
    state.flags = async () => []
    await clock.advance(WARNED_KEPT_MS - 1)
    t.same((await status()).warned_flags, found)
    t.equal(calls.flags, 2)
    await clock.advance(1)
    t.same((await status()).warned_flags, { count: 0, first: [] })
  },
)

t.test('a database that fails is asked again by the next status', async (t) => {
  const { state, status } = setUp()
  state.rows = () => Promise.reject(new AppError('unavailable', 'away'))
  state.spill = undefined
  t.match((await status()).problems, [/^Postgres does not answer this worker: events are refused/])
  state.rows = async () => [row(0, 'w1'), row(1, 'w2')]
  t.same((await status()).problems, [])
})

t.test('a copy of the events that is not kept, or not whole, is a problem', async (t) => {
  const { state, status } = setUp()
  const size = { events: 0, rows: 0, bytes: 0, lagMs: 0 }
  const kept = {
    ...{ home: 'postgres' as const, ledgerMonths: [], isFull: false },
    columns: [],
    parts: 0,
    partsMost: 0,
    holder: 'w1',
    isHeld: true,
    blocks: 7,
    size,
    gaps: [],
  }
  state.copy = { ...kept, state: 'shipping', problem: '' }
  t.same((await status()).problems, [])
  const gaps = [{ month: 'y2026m03', reason: 'before the copy', asked: false }]
  state.copy = { ...kept, gaps, state: 'too_old', problem: 'ClickHouse 24.8 is needed' }
  t.same((await status()).problems, [
    'The copy of events is not kept (too_old): ClickHouse 24.8 is needed.',
    'ClickHouse lacks events of 1 month: see "sluice events status".',
  ])
  state.copy = { ...kept, isHeld: false, state: 'shipping', problem: '' }
  t.same((await status()).problems, ['No worker keeps the copy of events in ClickHouse.'])
})

t.test('however many members there are, few are asked at a time', async (t) => {
  const { calls, status } = setUp(Array.from({ length: 100 }, () => ({})))
  await status()
  t.equal(calls.lines, 101)
  t.equal(calls.linesAtOnce, STATUS_ASKS_MAX)
})

t.test('each thing that is wrong is one sentence', async (t) => {
  const { members, state, status } = setUp([{ version: '2.0.0' }])
  state.rows = async () => [row(0, 'w1'), row(1, 'gone'), row(2, 'w2', true), row(3, '', true)]
  state.deadLetters = async () => 2
  state.membership = 'frozen'
  state.redis = 'down'
  state.spill = {
    ...{ ...SPILL, isFull: true, connected: false },
    log: { messages: 1, bytes: 900, bytesMax: 1_000, oldestAgeMs: 61_400 },
    drainer: {
      drainedEvents: 0,
      repeatedEvents: 0,
      redeliveredMessages: 0,
      unreadableMessages: 3,
      inflightMessages: 0,
    },
  }
  state.writer = {
    ...{ ...WRITER, state: 'down', lastError: 'no route' },
    breaker: { kind: 'open', forMs: 1, opened: 1 },
  }
  await members.setState('w1', 'drained')
  t.same((await status()).problems, [
    'NATS does not answer this worker: nobody can join, leave or be drained.',
    'Redis does not answer this worker: decide goes on without the shared cache.',
    'Worker w1:8001 (w1) takes Postgres to be away: no route',
    '3 shards have no live owner.',
    'Members are of different versions: 1.0.0 (2), 2.0.0 (1).',
    'The spill is full: events are refused while Postgres is away.',
    '1 message waits in the spill, the oldest for 61 s: see "sluice spill status".',
    '3 messages of the spill cannot be read by this release: start a worker of a newer one.',
    '2 events are kept as dead letters: see "sluice deadletter list".',
  ])
})

t.test('a Redis that fails again and again is not told as one that answers', async (t) => {
  const { state, status } = setUp()
  state.redis = 'unsteady'
  t.match(await status(), { redis: 'unsteady', problems: [/^Redis fails this worker again/] })
})

t.test('a spill that is away alone, no active worker and a worker outside are told', async (t) => {
  const { members, state, status } = setUp()
  state.spill = { ...SPILL, connected: false }
  await members.setState('w2', 'draining')
  await members.leave('w1')
  t.match((await status()).problems, [
    'This worker (w1) is not in the view: it owns nothing.',
    'No worker is active: shards have no owner, and changes are refused.',
    '1 shard has no live owner.',
    /^The spill does not answer this worker/,
  ])
})

t.test('rates are those of the last seconds, of events and of decides', async (t) => {
  const { clock, describe, state } = setUp()
  state.writer = { ...WRITER, storedEvents: 500 }
  state.decided = 50
  await clock.advance(5_000)
  t.match(await describe(), { events_per_second: 100, decides_per_second: 10 })
})

t.test('counting beside the calls ends with close', async (t) => {
  const { clock, close } = setUp()
  t.ok(clock.timers() > 0)
  close()
  t.equal(clock.timers(), 0)
})

t.test('only workers of the view can be drained, and not the last active one', async (t) => {
  const { calls, drain, held, members } = setUp([{ role: 'gateway' }])
  const names = /w1:8001 \(w1\), w2:8001 \(w2\), m0:8001 \(m0\)/
  await t.rejects(drain('w3'), { code: 'not_found', detail: { detail: names } })
  await t.rejects(drain(''), { code: 'not_found', detail: { detail: /No member was named/ } })
  const code = 'failed_precondition'
  await t.rejects(drain('m0:8001'), { code, detail: { detail: /is a gateway/ } })
  await members.setState('w2', 'draining')
  await t.rejects(drain('w1'), { code, detail: { detail: /the last active worker/ } })
  t.same(calls.drains, [])
  t.equal(held.size, 1)
  await t.resolves(drain('w2'), 'one that drains already may be asked again')
})

t.test('nobody is drained while the others would not hear of it', async (t) => {
  const { drain, held, members } = setUp()
  members.state.connected = false
  const refused = { code: 'failed_precondition', detail: { detail: /NATS does not answer/ } }
  await t.rejects(drain('w1'), refused)
  await t.rejects(drain('w2:8001'), refused)
  t.equal(held.size, 1)
})

t.test('this worker is marked before and after, and says what it gave back', async (t) => {
  const { drain, held, members, state } = setUp()
  const stateNow = () => members.view().members.find(({ id }) => id === 'w1')?.state
  let meanwhile: unknown
  state.drain = async () => {
    meanwhile = stateNow()
    held.clear()
  }
  t.same(await drain('w1:8001'), { member_id: 'w1', address: 'w1:8001', released: 1 })
  t.same([meanwhile, stateNow()], ['draining', 'drained'])
  t.match(await drain('w1'), { released: 0 }, 'again: nothing is left')
})

t.test('a drain that takes too long continues, and is joined by the next', async (t) => {
  const { clock, drainSelf, held, members, state } = setUp()
  let finish: () => void = () => {}
  let drains = 0
  state.drain = () => {
    drains += 1
    return new Promise((resolve) => {
      finish = resolve
    })
  }
  const tooLong = { code: 'deadline_exceeded', detail: { detail: /holds 1 shards and goes on/ } }
  const first = t.rejects(drainSelf(), tooLong)
  await clock.advance(DRAIN_WAIT_MAX_MS)
  await first
  const hasty = t.rejects(drainSelf(1_000), tooLong)
  await clock.advance(1_000)
  await hasty
  const last = drainSelf()
  held.clear()
  finish()
  t.equal(await last, 1)
  t.equal(drains, 1)
  t.equal(members.view().members.find(({ id }) => id === 'w1')?.state, 'drained')
})

t.test('a drain of which the others cannot be told gives nothing back', async (t) => {
  const { drainSelf, held, members } = setUp()
  const { setState } = members
  const broken: typeof members = Object.assign(members, {
    setState: () => Promise.reject(new AppError('unavailable', 'no answer')),
  })
  await t.rejects(drainSelf(), { code: 'unavailable', detail: { detail: /has not confirmed/ } })
  t.equal(held.size, 1)
  broken.setState = setState
  t.equal(await drainSelf(), 1, 'it can be tried again')
})

t.test(
  'another worker is asked; its own words are passed on, and silence is explained',
  async (t) => {
    const { calls, drain, state } = setUp()
    t.match(await drain('w2:8001'), { member_id: 'w2', released: 9 })
    t.same(calls.drains, ['w2'])
    const detail = { type: 'server_error', code: 'x', detail: 'It still holds 3 shards' }
    state.drained = () => Promise.reject(new AppError('deadline_exceeded', 'm', { detail }))
    await t.rejects(drain('w2'), {
      code: 'deadline_exceeded',
      detail: { detail: /holds 3 shards/ },
    })
    state.drained = silence
    await t.rejects(drain('w2'), {
      code: 'deadline_exceeded',
      detail: { detail: /w2:8001 \(w2\) has not/ },
    })
    state.drained = () => Promise.reject(new AppError('unavailable', 'no connection'))
    await t.rejects(drain('w2'), {
      code: 'unavailable',
      detail: { detail: /It may go on draining/ },
    })
    state.drained = () => Promise.reject(new AppError('failed_precondition', 'another one'))
    await t.rejects(drain('w2'), { code: 'failed_precondition', message: 'another one' })
  },
)
