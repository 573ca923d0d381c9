import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { type Member, workersOf } from '../../../cluster/members/view.ts'
import type { Peers as ReleasingPeers } from '../../../cluster/shards/shards-port.ts'
import type { DrainResponse__Output } from '../../../proto/gen/sluice/v1/DrainResponse.ts'
import type { Member__Output } from '../../../proto/gen/sluice/v1/Member.ts'
import type { ReleaseShardsResponse__Output } from '../../../proto/gen/sluice/v1/ReleaseShardsResponse.ts'
import { shardId } from '../../core/ids.ts'
import { PEER_DESCRIBE_MS, PEER_DRAIN_MS } from '../../core/limits/limits.ts'
import type { Caller } from '../../wire/caller.ts'

/** Time for a worker to let shards go, once running changes have ended. */
export const PEER_RELEASE_MS = 10_000

/** Calls of this worker to the others. */
export type Peers = ReleasingPeers & {
  /**
   * The status line of that worker.
   * @throws {AppError} when it does not answer in time.
   */
  getMember(member: Member): Promise<Member__Output>
  /** @throws {AppError} as `getMember`. The worker may continue to drain after a failure. */
  drain(member: Member): Promise<DrainResponse__Output>
  /** The caller that forwarded calls use. */
  callerOf(member: Member): Caller
  close(): void
}

export type PeersDeps = {
  readonly connect: (address: string) => Caller
  /** The cluster's own token; see `member-auth.ts`. */
  readonly memberToken: () => string
  /** Id of this member. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe'>
}

const SERVICE = '/sluice.v1.ClusterService'

/** One caller for each address, kept while a worker of the view has it. */
export function createPeers({ connect, memberToken, self, members }: PeersDeps): Peers {
  const callers = new Map<string, Caller>()

  const closeStrangers = () => {
    const addresses = new Set(workersOf(members.view()).map(({ address }) => address))
    for (const [address, caller] of callers) {
      if (addresses.has(address)) continue
      callers.delete(address)
      caller.close()
    }
  }
  const unsubscribe = members.subscribe(closeStrangers)

  const callerOf = ({ address }: Member): Caller => {
    const known = callers.get(address)
    if (known !== undefined) return known
    // Connections to workers that left between two views are closed too.
    closeStrangers()
    const caller = connect(address)
    callers.set(address, caller)
    return caller
  }

  const ask = (method: string, member: Member, request: object, timeoutMs: number) => {
    const named = { ...request, to: member.id }
    const metadata = { authorization: `Bearer ${memberToken()}` }
    return callerOf(member).call(`${SERVICE}/${method}`, named, { metadata, timeoutMs })
  }

  return {
    callerOf,
    async release(member, shards) {
      const request = { from: self, shards: [...shards] }
      const answer = await ask('ReleaseShards', member, request, PEER_RELEASE_MS)
      // The answer is deserialized as that message, here and below.
      return (answer as ReleaseShardsResponse__Output).released.map(shardId)
    },
    async getMember(member) {
      return (await ask('GetMember', member, {}, PEER_DESCRIBE_MS)) as Member__Output
    },
    async drain(member) {
      return (await ask('DrainSelf', member, {}, PEER_DRAIN_MS)) as DrainResponse__Output
    },
    close() {
      unsubscribe()
      for (const caller of callers.values()) caller.close()
      callers.clear()
    },
  }
}
