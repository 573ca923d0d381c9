/** Workers that share a view and a store of shards, in one process and on one fake clock. */

import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { createMemoryMemberStore } from '../../../cluster/members/memory-member-store.ts'
import type { Member } from '../../../cluster/members/view.ts'
import { preferredOwners } from '../../../cluster/shards/rendezvous.ts'
import { ALL_SHARDS } from '../../../cluster/shards/shard-plan.ts'
import type { ShardStore } from '../../../cluster/shards/shard-store.ts'
import { createShards } from '../../../cluster/shards/shards.ts'
import type { Peers, Shards } from '../../../cluster/shards/shards-port.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { Failpoints } from '../../../src/core/failpoint.ts'
import type { ShardId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createFakeClock, type FakeClock } from '../fake-clock.ts'
import { createMemoryShardStore, type MemoryShardStore } from './memory-shard-store.ts'

export function worker(id: string, more: Partial<Member> = {}): Member {
  const base = { role: 'worker', state: 'active', weight: 1, version: '0.1.0' } as const
  return { id, address: `${id}:8001`, ...base, ...more }
}

export type TestWorker = {
  readonly id: string
  readonly shards: Shards
  confirmed: boolean
  /** Its questions to other workers, with their shards. `asking` counts those it waits for. */
  readonly asked: { readonly of: string; readonly shards: readonly ShardId[] }[]
  asking: number
  askingMax: number
}

export type ShardCluster = {
  readonly clock: FakeClock
  readonly store: MemoryShardStore
  readonly members: MemberStore
  readonly workers: Map<string, TestWorker>
  /** Error of a call between two workers; undefined when it succeeds. */
  peerFault: (from: string, to: string) => Promise<unknown> | undefined
  join(id: string, more?: Partial<Member> & { failpoints?: Failpoints }): Promise<TestWorker>
  /** Ends the process; the others have not noticed. */
  crash(id: string): void
  /** Removes the process from the view of the others. */
  bury(id: string): Promise<void>
  /** Lets time pass in steps of 10 ms at most, so that everything due runs. */
  pass(ms: number): Promise<void>
  /** Shards that `id` should have, by the current view. */
  share(id: string): readonly ShardId[]
  /** Shards that it has. */
  held(id: string): readonly ShardId[]
}

export function createShardCluster(): ShardCluster {
  const clock = createFakeClock()
  const store = createMemoryShardStore()
  const members = createMemoryMemberStore()
  const workers = new Map<string, TestWorker>()

  const cluster: ShardCluster = {
    clock,
    store,
    members,
    workers,
    peerFault: () => undefined,
    async join(id, { failpoints, ...more } = {}) {
      const isAlive = () => workers.get(id) === self
      const life = partsOfOneLife(cluster, id, isAlive)
      await members.join(worker(id, more))
      const self: TestWorker = {
        id,
        confirmed: true,
        asked: [],
        asking: 0,
        askingMax: 0,
        get shards() {
          return shards
        },
      }
      workers.set(id, self)
      const shards = createShards({
        ...life,
        self: id,
        log,
        random: () => 0.5,
        ...(failpoints === undefined ? {} : { failpoints }),
      })
      return self
    },
    crash(id) {
      workers.delete(id)
    },
    async bury(id) {
      workers.delete(id)
      await members.leave(id)
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= 10) await clock.advance(Math.min(left, 10))
      await clock.advance(0)
    },
    share: (id) => {
      const preferred = preferredOwners(members.view())
      return ALL_SHARDS.filter((shard) => preferred(shard)?.id === id)
    },
    held: (id) => [...(workers.get(id)?.shards.held().keys() ?? [])].sort((a, b) => a - b),
  }
  return cluster
}

/** Dependencies of one process: they do nothing once the process is gone. */
function partsOfOneLife(
  cluster: ShardCluster,
  id: string,
  isAlive: () => boolean,
): {
  clock: Clock
  store: ShardStore
  peers: Peers
  members: Pick<MemberStore, 'view' | 'subscribe' | 'confirmed'>
} {
  const { clock, store, members, workers } = cluster
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    const gone = new Promise<never>(() => {})
    if (!isAlive()) return gone
    try {
      const result = await work()
      return isAlive() ? result : await gone
    } catch (error) {
      return isAlive() ? Promise.reject(error) : gone
    }
  }
  return {
    clock: {
      ...clock,
      after: (ms, run) => clock.after(ms, () => (isAlive() ? run() : undefined)),
    },
    store: {
      list: () => alive(() => store.list()),
      claim: (owner, wanted) => alive(() => store.claim(owner, wanted)),
      release: (owner, held) => alive(() => store.release(owner, held)),
    },
    members: {
      view: () => members.view(),
      subscribe: (listener) =>
        members.subscribe((view) => (isAlive() ? listener(view) : undefined)),
      confirmed: () => workers.get(id)?.confirmed === true,
    },
    peers: {
      release: (member, shards) =>
        alive(async () => {
          const asker = workers.get(id)
          asker?.asked.push({ of: member.id, shards })
          if (asker !== undefined) {
            asker.asking += shards.length
            asker.askingMax = Math.max(asker.askingMax, asker.asking)
          }
          try {
            await cluster.peerFault(id, member.id)
            const owner = workers.get(member.id)
            if (owner === undefined) throw new AppError('unavailable', `${member.id} is gone`)
            return await owner.shards.release(shards, id)
          } finally {
            if (asker !== undefined) asker.asking -= shards.length
          }
        }),
    },
  }
}
