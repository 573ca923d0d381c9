import type { ShardId } from '../../src/core/ids.ts'

/**
 * The owner of each shard, as the workers themselves claim it. It is a hint: a worker that is asked
 * and is not the owner answers `not_owner`. When two workers claim a shard, the later claim counts.
 * A repeated claim is not a later one.
 */
export type Directory = {
  /** @param owned every shard that the member owns now. */
  tell(memberId: string, owned: ReadonlySet<ShardId>): void
  /** Removes all claims of a member. */
  forget(memberId: string): void
  ownerOf(shard: ShardId): string | undefined
}

const NONE: ReadonlySet<ShardId> = new Set()

export function createDirectory(): Directory {
  const claims = new Map<string, ReadonlySet<ShardId>>()
  const owners = new Map<ShardId, string>()

  const release = (shard: ShardId) => {
    for (const [memberId, owned] of claims) {
      if (!owned.has(shard)) continue
      owners.set(shard, memberId)
      return
    }
    owners.delete(shard)
  }
  const tell = (memberId: string, owned: ReadonlySet<ShardId>) => {
    const before = claims.get(memberId) ?? NONE
    claims.set(memberId, owned)
    for (const shard of before) {
      if (!owned.has(shard) && owners.get(shard) === memberId) release(shard)
    }
    for (const shard of owned) if (!before.has(shard)) owners.set(shard, memberId)
  }

  return {
    tell,
    forget(memberId) {
      tell(memberId, NONE)
      claims.delete(memberId)
    },
    ownerOf: (shard) => owners.get(shard),
  }
}
