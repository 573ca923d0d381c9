/** The shard store in memory. */
import type { ShardRow, ShardStore } from '../../../cluster/shards/shard-store.ts'
import { AppError } from '../../../src/core/code.ts'
import { type Epoch, epoch, type ShardId, shardId } from '../../../src/core/ids.ts'
import { SHARD_COUNT } from '../../../src/core/limits/limits.ts'

/** Fate of one call: it fails before or after it took effect, or waits for the promise. */
export type ShardFault = 'none' | 'refuse' | 'lose_answer' | Promise<unknown>

export type MemoryShardStore = ShardStore & {
  row(shard: ShardId): ShardRow
  /**
   * A change under the epoch, as Postgres fences it: claims wait for it.
   * @throws {AppError} `fenced`; what `work` throws.
   */
  change<T>(shard: ShardId, under: Epoch, work: () => Promise<T>): Promise<T>
  /** Every successful claim: its owner and epoch. */
  readonly won: readonly { owner: string; shard: ShardId; epoch: Epoch }[]
  /** Calls so far. */
  readonly calls: { list: number; claim: number; release: number }
  /** Asked before each call. */
  fault: (call: 'list' | 'claim' | 'release', owner: string) => ShardFault
}

export function createMemoryShardStore(shardsMax: number = SHARD_COUNT): MemoryShardStore {
  const rows = Array.from({ length: shardsMax }, (_, index): ShardRow => {
    return { shard: shardId(index), epoch: epoch(0n), owner: '', released: true }
  })
  const changes = new Map<ShardId, Set<Promise<unknown>>>()
  const won: { owner: string; shard: ShardId; epoch: Epoch }[] = []
  const calls = { list: 0, claim: 0, release: 0 }

  const row = (shard: ShardId): ShardRow => {
    const found = rows[shard]
    if (found === undefined) throw new RangeError(`no shard ${shard}`)
    return found
  }
  const call = async <T>(
    name: 'list' | 'claim' | 'release',
    owner: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    calls[name] += 1
    const fault = store.fault(name, owner)
    if (fault === 'refuse') throw new AppError('unavailable', `${name} refused`)
    if (fault instanceof Promise) await fault
    // Others run while an answer is on its way.
    await Promise.resolve()
    const result = await work()
    if (fault === 'lose_answer') throw new AppError('unavailable', `answer of ${name} lost`)
    await Promise.resolve()
    return result
  }

  const store: MemoryShardStore = {
    row,
    won,
    calls,
    fault: () => 'none',
    list: () => call('list', '', async () => [...rows]),
    claim: (owner, wanted) =>
      call('claim', owner, async () => {
        const claimed = new Map<ShardId, Epoch>()
        for (const { shard, epoch: seen } of wanted) {
          const running = changes.get(shard)
          if (running !== undefined && running.size > 0) await Promise.allSettled(running)
          if (row(shard).epoch !== seen) continue
          const next = epoch(seen + 1n)
          rows[shard] = { shard, epoch: next, owner, released: false }
          claimed.set(shard, next)
          won.push({ owner, shard, epoch: next })
        }
        return claimed
      }),
    release: (owner, held) => call('release', owner, async () => markReleased(rows, owner, held)),
    async change(shard, under, work) {
      if (row(shard).epoch !== under) throw new AppError('fenced', `shard ${shard}`)
      const running = work()
      const all = changes.get(shard) ?? new Set()
      changes.set(shard, all.add(running))
      try {
        return await running
      } finally {
        all.delete(running)
      }
    },
  }
  return store
}

function markReleased(rows: ShardRow[], owner: string, held: ReadonlyMap<ShardId, Epoch>): void {
  for (const [shard, under] of held) {
    const known = rows[shard]
    if (known?.epoch === under && known.owner === owner) rows[shard] = { ...known, released: true }
  }
}
