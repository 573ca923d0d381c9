/** One worker, built from the product's own parts as `src/worker/worker.ts` builds it. */

import type { MemberStore } from '../../cluster/members/member-store.ts'
import { createMembership } from '../../cluster/members/membership.ts'
import type { Member } from '../../cluster/members/view.ts'
import { shardOf } from '../../cluster/shards/shard.ts'
import { createShards } from '../../cluster/shards/shards.ts'
import type { Peers, Shards } from '../../cluster/shards/shards-port.ts'
import { LEAVE_LINGER_MS } from '../../src/cli/service/worker-parts.ts'
import { AppError } from '../../src/core/code.ts'
import type { Failpoints } from '../../src/core/failpoint.ts'
import { projectId, shardId } from '../../src/core/ids.ts'
import { createDrainer, type Drainer } from '../../src/ingest/spill/drainer.ts'
import { createSpillingSink, type SpillingSink } from '../../src/ingest/spill/spilling-sink.ts'
import { createWriter } from '../../src/ingest/writer.ts'
import type { IngestWriter } from '../../src/ingest/writer-port.ts'
import { withForwarding } from '../../src/rpc/cluster/forward.ts'
import { PEER_RELEASE_MS } from '../../src/rpc/cluster/peers.ts'
import { createIngestBatch } from '../../src/rpc/hot/ingest-handlers.ts'
import type { Caller } from '../../src/wire/caller.ts'
import { createDrains } from '../../src/worker/worker-drain.ts'
import {
  DRAIN_BYTES_MAX,
  DRAIN_MESSAGES_MAX,
  WRITER_PROJECT_SHARE_MAX,
  WRITER_SLOTS,
} from '../../src/worker/worker-writer.ts'
import { createNatsClient } from './nats-client.ts'
import type { Listener, SimHandler } from './network.ts'
import { createPostgresClient } from './postgres-client.ts'
import type { SimProcess } from './simulation.ts'
import { hostOf, idOf, logOf, type Site } from './site.ts'

export const INGEST = '/sluice.v1.IngestService/IngestBatch'
/** Method of all changes. The run decides what they change. */
export const CHANGE = '/sluice.v1.FeatureFlagService/CreateFeatureFlag'
export const RELEASE = '/sluice.v1.ClusterService/ReleaseShards'

export type ChangeRequest = { readonly project: number; readonly op: string; readonly ms: number }
export type ChangeAnswer = { readonly version: number }
type ReleaseRequest = {
  readonly from: string
  readonly to: string
  readonly shards: readonly number[]
}

/** Far smaller than the product's bound, so that runs reach it. */
export const SPILL_BYTES_MAX = 12_000
const SPILL_MESSAGE_BYTES = 1_500
const STOP_MS = 25_000

export type SimWorker = {
  readonly process: SimProcess
  readonly member: Member
  readonly members: MemberStore
  readonly shards: Shards
  readonly writer: IngestWriter
  readonly sink: SpillingSink
  readonly drainer: Drainer
  /** SIGTERM: gives everything back and ends. */
  stop(): void
  isStopping(): boolean
}

export function startWorker(site: Site, host: string): SimWorker {
  const { sim, network, pg, nats, mutant } = site
  const process = sim.process(host)
  const { clock } = process
  const id = idOf(process)
  const log = logOf(sim, process)
  const random = () => sim.random.next()
  const member: Member = {
    ...{ id, address: `${host}:8001`, role: 'worker', state: 'active', weight: 1, version: '1' },
  }
  sim.note(() => `${process.name} starts as a worker`)
  const failpoints: Failpoints = {
    async reach(name) {
      if (!sim.random.chance(site.crashAtFailpoint)) return
      sim.note(() => `${process.name} is killed at ${name}`)
      process.kill()
      await new Promise(() => {})
    },
  }

  const bus = createNatsClient(process, nats, network)
  const registry = mutant.registry?.(bus.registry) ?? bus.registry
  const messages = mutant.messages?.(bus.messages) ?? bus.messages
  const store = createPostgresClient(process, id, pg, network)
  const probe = (address: string) => network.refuses(process, hostOf(address))
  const members = createMembership({ registry, clock, log, random, probe })

  const callerOf = ({ address }: Member): Caller => ({
    call: (path, request, options) =>
      network.call(process, hostOf(address), path, request, options),
    close() {},
  })
  const peers: Peers = {
    async release(owner, shards) {
      const request: ReleaseRequest = { from: id, to: owner.id, shards }
      const options = { metadata: {}, timeoutMs: PEER_RELEASE_MS }
      const answer = await callerOf(owner).call(RELEASE, request, options)
      return (answer as { released: readonly number[] }).released.map(shardId)
    },
  }
  const shards = createShards({
    ...{ store: store.shards, members, self: id, peers, clock, log, random, failpoints },
  })

  const writer = createWriter(
    {
      ...{ store: store.ingest, clock, log, random, failpoints },
      onPersonsChanged: () => clock.sleep(sim.random.between(1, 20)),
      onPersonsUnknown() {},
      onCommitted() {},
    },
    {
      slots: WRITER_SLOTS,
      joinEventsMin: 4,
      bytesMax: mutant.writerUnbounded ? 1e9 : site.writerBytesMax,
      projectShareMax: WRITER_PROJECT_SHARE_MAX,
      flushEventsMax: 12,
      flushBytesMax: 3_000,
    },
  )
  let messageIds = 0
  const newId = () => `${id} ${++messageIds}`
  const sink = createSpillingSink(
    { writer, messages, clock, log, random, newId, failpoints },
    { messageBytesMax: SPILL_MESSAGE_BYTES, inflightBytesMax: SPILL_BYTES_MAX },
  )
  const drainer = createDrainer(
    {
      ...{ messages, writer: mutant.drainerWriter?.(writer) ?? writer },
      ...{ clock, log, random, failpoints },
    },
    {
      bytesMax: DRAIN_BYTES_MAX,
      messagesMax: DRAIN_MESSAGES_MAX,
      writerBytesMax: site.writerBytesMax,
    },
  )
  const stopDraining = new AbortController()

  const ingest = createIngestBatch({
    memberAuth: () => {},
    route: { ingest: (batch) => sink.submit(batch) },
    log,
    cacheGeneration: () => '',
  })
  /** Freezes during a change of this many milliseconds, or before it is sent. */
  const stall = async (ms: number): Promise<void> => {
    const isBefore = sim.random.chance(0.5)
    sim.after(isBefore ? 0 : sim.random.between(0, ms + 3), () => {
      if (!process.alive || process.isFrozen) return
      process.freeze()
      sim.after(site.stallMs, () => process.thaw())
    })
    if (isBefore) await clock.sleep(1)
  }
  const change = withForwarding<ChangeRequest, ChangeAnswer>(
    CHANGE,
    async ({ project, op, ms }) => {
      const shard = shardOf(projectId(project))
      const version = await shards.run(shard, async (epoch) => {
        if (sim.random.chance(site.stallInChange)) await stall(ms)
        return store.change({ shard, epoch, project }, op, ms)
      })
      return { version }
    },
    { self: id, callerOf, clock },
  )
  const release = async ({ from, to, shards: wanted }: ReleaseRequest) => {
    if (to !== id) throw new AppError('failed_precondition', `this is ${id}, not ${to}`)
    return { released: await shards.release(wanted.map(shardId), from) }
  }
  /** A failure that callers must not get is a defect. */
  const guarded =
    (path: string, handler: SimHandler): SimHandler =>
    async (request, context) => {
      try {
        return await handler(request, context)
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'internal') {
          sim.fail(`${path} failed with ${error instanceof Error ? error.stack : error}`)
        }
        throw error
      }
    }
  const handlers = new Map(
    [[INGEST, ingest] as const, [CHANGE, change] as const, [RELEASE, release] as const].map(
      ([path, handler]) => [path, guarded(path, handler as SimHandler)] as const,
    ),
  )
  const listener: Listener = { process, isOpen: true, handlers }

  const drains = createDrains({
    ...{ members, shards, clock, self: () => member },
    peers: { drain: () => Promise.reject(new AppError('unimplemented', 'nobody asks')) },
  })
  let stopping: Promise<void> | undefined
  const leave = async () => {
    sim.note(() => `${process.name} stops`)
    try {
      await drains.drainSelf()
      await members.leave(id)
      await clock.sleep(LEAVE_LINGER_MS)
    } catch (error) {
      log.warn('cannot leave in good order', { error })
    }
    listener.isOpen = false
    // Calls that have begun are answered.
    await clock.sleep(2 * LEAVE_LINGER_MS)
    stopDraining.abort()
    await draining
    await writer.close(STOP_MS / 3)
    await sink.close()
    await shards.close()
    await members.close()
    process.kill()
  }
  const stop = () => {
    clock.after(STOP_MS, () => process.kill())
    stopping ??= leave()
  }

  let draining: Promise<void> = Promise.resolve()
  const start = async () => {
    network.listen(listener)
    draining = drainer.run(stopDraining.signal)
    try {
      await members.join(member)
    } catch (error) {
      log.warn('cannot join', { error })
      process.kill()
    }
  }
  process.io(0, () => void start())
  void members.removed.then((reason) => {
    log.warn('is removed by others', { reason })
    if (stopping === undefined) stop()
  })
  const worker: SimWorker = {
    ...{ process, member, members, shards, writer, sink, drainer, stop },
    isStopping: () => stopping !== undefined,
  }
  return worker
}
