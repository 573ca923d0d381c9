import { type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'

const BYTES = SHARD_COUNT / 8

/** Shards as the wire has them: one bit a shard, shard 0 the lowest bit of the first byte. */
export function encodeShards(shards: Iterable<ShardId>): Buffer {
  const bits = Buffer.alloc(BYTES)
  for (const shard of shards) {
    const at = shard >> 3
    bits[at] = (bits[at] ?? 0) | (1 << (shard & 7))
  }
  return bits
}

/** `undefined` when the bytes say nothing of shards: there are none, or too few. Never throws. */
export function decodeShards(bits: Uint8Array): ReadonlySet<ShardId> | undefined {
  if (bits.length < BYTES) return undefined
  const shards = new Set<ShardId>()
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    if (((bits[shard >> 3] ?? 0) & (1 << (shard & 7))) !== 0) shards.add(shardId(shard))
  }
  return shards
}
