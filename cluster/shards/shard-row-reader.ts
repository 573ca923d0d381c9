/** Reads the rows of all shards into the ledger: one read at a time, each with a number. */
import type { Clock } from '../../src/core/clock.ts'
import { SHARD_ROWS_WANTED_MS } from '../../src/core/limits/limits.ts'
import type { ShardLedger } from './shard-ledger.ts'
import type { Plan } from './shard-plan.ts'
import type { ShardStore } from './shard-store.ts'
import type { ShardStoreRetry } from './shard-store-retry.ts'

/** Rows of shards are read again this often, plus a tenth of jitter, while all is where it belongs. */
export const SHARD_ROWS_MS = 5_000
/** The same while shards of others are not with their preferred owners. */
const SHARD_ROWS_UNSETTLED_MS = 1_000

export type ShardRowReader = {
  /** Number of reads that have begun; the last one has this number. */
  begun(): number
  /** True while a read is under way. */
  isReading(): boolean
  /** Monotonic time at which the next read is due by this plan. */
  dueAt(plan: Plan): number
  /** Never rejects. Must not be called while a read is under way. */
  read(): Promise<void>
}

export function createShardRowReader(deps: {
  readonly store: Pick<ShardStore, 'list'>
  readonly ledger: Pick<ShardLedger, 'apply'>
  readonly retry: ShardStoreRetry
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
}): ShardRowReader {
  const { store, ledger, retry, clock, random } = deps
  let begun = 0
  let isReading = false
  /** Monotonic time at which the last read ended. */
  let endedAt = 0
  /** Share by which the pause after it is longer, so that workers do not read in step. */
  let jitter = 0

  const pauseMs = ({ unread, wanted, unsettled }: Plan): number => {
    if (unread > 0) return 0
    if (wanted > 0) return SHARD_ROWS_WANTED_MS
    return (1 + jitter) * (unsettled > 0 ? SHARD_ROWS_UNSETTLED_MS : SHARD_ROWS_MS)
  }

  return {
    begun: () => begun,
    isReading: () => isReading,
    // The first at once: not when the clock is read here, which is later than the caller's now.
    dueAt: (plan) => (begun === 0 ? 0 : endedAt + pauseMs(plan)),
    async read() {
      isReading = true
      begun += 1
      const number = begun
      const rows = await store.list().catch((error: unknown) => {
        retry.failed(error)
        return undefined
      })
      if (rows !== undefined) {
        retry.succeeded()
        ledger.apply(rows.map((row) => [row.shard, { kind: 'row', row, read: number }]))
      }
      isReading = false
      endedAt = clock.monotonic()
      jitter = random() / 10
    },
  }
}
