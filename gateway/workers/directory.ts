import type { ShardId } from '../../src/core/ids.ts'

/**
 * Shard -> id of the member that owns it, as the workers themselves say. A hint, never a proof: the
 * worker asked then says `not_owner`. When two claim a shard, the one that began to later is
 * believed; a claim that is only repeated is no news.
 */
export type Directory = {
  /** @param owned every shard that the member owns now. */
  tell(memberId: string, owned: ReadonlySet<ShardId>): void
  /** Takes back whatever a member claimed. */
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
