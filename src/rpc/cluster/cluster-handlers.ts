import type { Shards } from '../../../cluster/shards/shards-port.ts'
import type { ClusterServiceDefinition } from '../../../proto/gen/sluice/v1/ClusterService.ts'
import type { Member as WireMember } from '../../../proto/gen/sluice/v1/Member.ts'
import { AppError } from '../../core/code.ts'
import { type ShardId, shardId } from '../../core/ids.ts'
import { SHARD_COUNT } from '../../core/limits/limits.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { MemberAuth } from '../server/member-auth.ts'

export type ClusterHandlersDeps = {
  readonly memberAuth: MemberAuth
  /** Id of this member, and the address under which others reach it. */
  readonly self: { readonly id: string; readonly address: string }
  readonly shards: Pick<Shards, 'release'>
  /** Gives every shard back and marks this member drained. @returns how many it gave back. */
  readonly drain: () => Promise<number>
  /** This member's own line of GetStatus. */
  readonly describe: () => Promise<WireMember>
}

/** Calls between workers. Each call names its member, because addresses are used again. */
export function createClusterHandlers({
  memberAuth,
  self,
  shards,
  drain,
  describe,
}: ClusterHandlersDeps): Omit<ServiceHandlers<ClusterServiceDefinition>, 'WatchStored'> {
  const requireSelf = (to: string) => {
    if (to === self.id) return
    throw new AppError('failed_precondition', `this is member ${self.id}, not ${to}`)
  }
  return {
    async ReleaseShards(request, context) {
      memberAuth(context)
      requireSelf(request.to)
      if (request.from === '') throw new AppError('invalid_argument', 'from is missing')
      const wanted = request.shards.map(toShard)
      if (new Set(wanted).size !== wanted.length) {
        throw new AppError('invalid_argument', 'a shard is asked for twice')
      }
      return { released: [...(await shards.release(wanted, request.from))] }
    },

    async DrainSelf(request, context) {
      memberAuth(context)
      requireSelf(request.to)
      return { member_id: self.id, address: self.address, released: await drain() }
    },

    async GetMember(request, context) {
      memberAuth(context)
      requireSelf(request.to)
      return await describe()
    },
  }
}

/** @throws {AppError} `invalid_argument`. */
function toShard(shard: number): ShardId {
  if (Number.isInteger(shard) && shard >= 0 && shard < SHARD_COUNT) return shardId(shard)
  throw new AppError('invalid_argument', `no shard ${shard}`)
}
