import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { MemberStore, RemovedReason } from '../../../cluster/members/member-store.ts'
import { createMembership } from '../../../cluster/members/membership.ts'
import { createPortProbe } from '../../../cluster/members/port-probe.ts'
import type { Registry } from '../../../cluster/members/registry.ts'
import type { Member } from '../../../cluster/members/view.ts'
import { openKvRegistry } from '../../../cluster/nats/kv-registry.ts'
import { connectNats, type NatsLink } from '../../../cluster/nats/nats-connection.ts'
import { clusterSubjects } from '../../../cluster/nats/subjects.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { MEMBER_DEAD_MS, MEMBER_TTL_MS } from '../../../src/core/limits/limits.ts'
import { silentLog } from '../../../src/core/log.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { type NatsServer, startNats } from '../../support/servers/nats-server.ts'
import { pause, until } from '../../support/until.ts'

// Each test has a server of its own, and waits for most of its time.
t.jobs = 4

const clock = systemClock
const log = silentLog
/** Twice what two pings without an answer take, and the one after them. */
const LOSS_KNOWN_MS = 6_000
const { membersBucket } = clusterSubjects('test')

type Process = {
  readonly member: Member
  readonly nats: NatsLink
  readonly registry: Registry
  readonly store: MemberStore
  /** Addresses whose ports it has tried. */
  readonly probed: readonly string[]
  ids(): string
  removed(): RemovedReason | undefined
}

/** The parts of one member, with a connection of its own. Its address answers, or hangs. */
async function start(t: Test, server: NatsServer, id: string, address?: string): Promise<Process> {
  const nats = await connectNats({ urls: server.url, name: id, clock, log })
  const bucket = { bucket: membersBucket, ttlMs: MEMBER_TTL_MS, replicas: 1 }
  const registry = await openKvRegistry({ nats, ...bucket, clock, log })
  const probed: string[] = []
  const probePort = createPortProbe(clock)
  const probe = (at: string) => {
    probed.push(at)
    return probePort(at)
  }
  const store = createMembership({ registry, clock, log, random: Math.random, probe })
  let reason: RemovedReason | undefined
  void store.removed.then((told) => {
    reason = told
  })
  t.teardown(async () => {
    await store.close()
    await registry.close()
    await nats.close()
  })
  const member: Member = {
    id,
    address: address ?? `127.0.0.1:${server.port}`,
    role: 'worker',
    state: 'active',
    weight: 1,
    version: '0.1.0',
  }
  await store.join(member)
  const ids = () =>
    store
      .view()
      .members.map((each) => each.id)
      .join(' ')
  return { member, nats, registry, store, probed, ids, removed: () => reason }
}

/** Three workers; each has an address of its own that answers: it is the server's own port. */
async function three(t: Test, server: NatsServer): Promise<readonly Process[]> {
  const names = ['127.0.0.1', 'localhost', '127.1']
  const processes: Process[] = []
  for (const [index, name] of names.entries()) {
    processes.push(await start(t, server, `w${index}`, `${name}:${server.port}`))
  }
  await until('all see three', () => processes.every(({ ids }) => ids() === 'w0 w1 w2'))
  return processes
}

const calm = (processes: readonly Process[]) =>
  processes.every(({ store }) => store.confirmed() && store.connected())

/** Invariants after a time with NATS away: nobody left, and no view has changed. */
async function survives(
  t: Test,
  processes: readonly Process[],
  fault: () => Promise<void>,
): Promise<void> {
  const before = processes.map(({ store }) => store.view())
  await fault()
  await until('all are confirmed again', () => calm(processes))
  await pause(MEMBER_DEAD_MS + 2_000) // In which a mistaken judge would have judged.
  t.ok(calm(processes))
  for (const [index, { store, removed }] of processes.entries()) {
    t.equal(store.view(), before[index], `the view of w${index} is the same`)
    t.equal(removed(), undefined)
  }
}

t.test('NATS is killed and starts again: the view freezes, and nobody leaves', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  await survives(t, processes, async () => {
    await server.kill()
    const away = () => processes.every(({ nats, store }) => !nats.connected() && !store.connected())
    await until('all know', away)
    await until('nobody is confirmed', () => processes.every(({ store }) => !store.confirmed()))
    await pause(MEMBER_DEAD_MS)
    await server.start()
  })
})

t.test('NATS hangs and continues: the same', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  await survives(t, processes, async () => {
    const elapsed = startLoopTime(t)
    server.freeze()
    await until('all know', () => processes.every(({ nats }) => !nats.connected()))
    t.ok(elapsed() < LOSS_KNOWN_MS, `known after ${elapsed()} ms`)
    t.notOk(processes.some(({ store }) => store.connected()))
    await pause(MEMBER_DEAD_MS)
    server.thaw()
  })
})

t.test('NATS comes back without its files: all keys are made again, nobody leaves', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  await survives(t, processes, async () => {
    await server.kill()
    server.wipe()
    await server.start()
    const registry = processes[0]?.registry
    await until('all keys are there', async () => (await registry?.list())?.length === 3)
  })
  await processes[1]?.store.setState('w1', 'draining')
  await until('changes are told in the new bucket', () =>
    processes.every(({ store }) => store.view().members[1]?.state === 'draining'),
  )
})

t.test('a bucket that is removed under the members is made again', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  await survives(t, processes, async () => {
    const manager = await processes[0]?.nats.connection.jetstreamManager()
    await manager?.streams.delete(`KV_${membersBucket}`)
    const registry = processes[0]?.registry
    await until('all keys are there', async () => (await registry?.list())?.length === 3)
  })
  await processes[2]?.store.leave('w2')
  await until('changes are told in the new bucket', () => processes[0]?.ids() === 'w0 w1')
  await until('to others too', () => processes[1]?.ids() === 'w0 w1')
})

t.test('a key that is purged by hand is made again by its member', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  const kv = await processes[0]?.nats.connection.jetstream().views.kv(membersBucket)
  const seen: string[] = []
  processes[0]?.store.subscribe(() => seen.push(processes[0]?.ids() ?? ''))
  await kv?.purge('worker.w2')
  await until('it left and came back', () => seen.at(-1) === 'w0 w1 w2')
  t.strictSame(seen, ['w0 w1', 'w0 w1 w2'])
  await pause(MEMBER_DEAD_MS + 2_000)
  t.ok(calm(processes))
  for (const { ids } of processes) t.equal(ids(), 'w0 w1 w2')
})

t.test('a member that stops renewing is removed for all, by a word in its key', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  const [w0, w1, w2] = processes
  // Its connection dies without a word: what it sends goes nowhere.
  await w2?.nats.close()
  await until('the others remove it', () => w0?.ids() === 'w0 w1' && w1?.ids() === 'w0 w1')
  t.notOk(w2?.store.confirmed(), 'it doubted itself before')
  t.equal((await w0?.registry.get('worker.w2'))?.value.includes('declared_dead'), true)
})

t.test('a member whose port refuses is removed sooner than by its silence', async (t) => {
  const server = await startNats(t)
  const processes = await three(t, server)
  const ids = () => processes[0]?.ids()
  const answering = createServer((socket) => socket.destroy())
  await once(answering.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => answering.close())
  const { port } = answering.address() as AddressInfo
  const silent = await start(t, server, 'silent', `127.0.0.1:${port}`)
  const refusing = await start(t, server, 'refusing', '127.0.0.1:1')
  await until('all see both', () => ids() === 'refusing silent w0 w1 w2')
  await Promise.all([silent.nats.close(), refusing.nats.close()])
  await until('both are removed', () => ids() === 'w0 w1 w2')
  // Counted, not timed: on a machine that stands still both are looked at more often.
  const probed = processes.flatMap((each) => each.probed)
  const looksAt = (address: string) => probed.filter((each) => each === address).length
  const [few, many] = [looksAt(refusing.member.address), looksAt(silent.member.address)]
  t.ok(few > 0 && 2 * few < many, `after ${few} looks, and ${many} at one that only is silent`)
})

t.test('the newer of two members with one address stays, the older one is notified', async (t) => {
  const server = await startNats(t)
  const address = `localhost:${server.port}`
  const older = await start(t, server, 'older', address)
  const newer = await start(t, server, 'newer', address)
  await until('the older knows', () => older.removed() === 'replaced')
  t.notOk(older.store.confirmed())
  t.equal(newer.ids(), 'newer')
  t.equal(newer.removed(), undefined)
  t.ok(newer.store.confirmed())
})
