/** The shard of a project. */
import { type ProjectId, type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'

/**
 * A stored format: the result is written into `shard_epochs` and every member computes the same, so
 * it may only change together with a migration. The test holds golden vectors.
 */
export function shardOf(project: ProjectId): ShardId {
  return shardId(mix32(project) & (SHARD_COUNT - 1))
}

/** The 32-bit finalizer of MurmurHash3: every input bit reaches every output bit. */
export function mix32(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
