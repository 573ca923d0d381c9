/** Retry times of the database of shards: at once while it answers, later after failures. */
import { type Backoff, backoffMs, halfJitter } from '../../src/core/backoff.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Log } from '../../src/core/log.ts'
import { Outages, type OutageWords } from '../../src/core/logging/outages.ts'

/** Half to all of it after the first failure of the database, doubled with each more. */
const SHARD_RETRY_MS = 100
export const SHARD_RETRY_MAX_MS = 2_000

export type ShardStoreRetry = {
  /** The database has answered a read or a claim. */
  succeeded(): void
  /** The database did not answer. Logged when the call before it had succeeded. */
  failed(error: unknown): void
  /** Monotonic time before which the database is not called. */
  notBefore(): number
}

const WORDS: OutageWords = {
  level: 'warn',
  away: 'shards can neither be read nor claimed',
  back: 'shards can be read and claimed again',
}
const BACKOFF: Backoff = { firstMs: SHARD_RETRY_MS, maxMs: SHARD_RETRY_MAX_MS }

export function createShardStoreRetry(deps: {
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
}): ShardStoreRetry {
  const { clock, log, random } = deps
  const outages = new Outages({ clock, log }, WORDS)
  let failures = 0
  let retryAt = 0

  return {
    succeeded() {
      outages.back({ failures })
      failures = 0
      retryAt = 0
    },
    failed(error) {
      outages.away({ error })
      failures += 1
      retryAt = clock.monotonic() + halfJitter(backoffMs(BACKOFF, failures), random)
    },
    notBefore: () => retryAt,
  }
}
