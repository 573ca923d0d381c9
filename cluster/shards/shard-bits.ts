/** Sets of shards as bits, for the wire. */
import { type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT } from '../../src/core/limits/limits.ts'

const BYTES = SHARD_COUNT / 8

/** One bit per shard; shard 0 is the lowest bit of the first byte. */
export function encodeShards(shards: Iterable<ShardId>): Buffer {
  const bits = Buffer.alloc(BYTES)
  for (const shard of shards) {
    const at = shard >> 3
    bits[at] = (bits[at] ?? 0) | (1 << (shard & 7))
  }
  return bits
}

/** The shards whose bit is set; `undefined` when there are too few bytes. Never throws. */
export function decodeShards(bits: Uint8Array): ReadonlySet<ShardId> | undefined {
  if (bits.length < BYTES) return undefined
  const shards = new Set<ShardId>()
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    if (((bits[shard >> 3] ?? 0) & (1 << (shard & 7))) !== 0) shards.add(shardId(shard))
  }
  return shards
}
