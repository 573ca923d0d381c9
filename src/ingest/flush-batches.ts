import { FLUSH_DEADLINE_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import { type BisectSteps, bisect } from './bisect.ts'
import type { QueuedGroup } from './queue.ts'
import { type RetryDeps, retryStore } from './retry-store.ts'
import { type IngestStore, StoreError } from './store-port.ts'
import type { FlushTally, TalliedRow } from './tally.ts'

export type FlushCounts = {
  readonly stored: number
  readonly duplicates: number
  readonly deadLetters: number
}

export type FlushDeps = RetryDeps & {
  readonly store: IngestStore
  readonly log: Log
  onCommitted(counts: FlushCounts): void
}

export type FlushOptions = {
  readonly slot: number
  /** Of one statement. */
  readonly rowsMax: number
  /** False once the groups have been answered: what is under way ends, and nothing is retried. */
  isWanted(): boolean
  /** The store has answered, if only that it refuses. */
  onAnswered(): void
  onCommitted(counts: FlushCounts): void
}

/**
 * Writes the groups of a batch, in pieces and with retries, and adds up in `tally` what became of
 * them. Rows that the store refuses become dead letters.
 * @throws {StoreError} when the rest could not be written; what `tally` holds was.
 */
export async function flushGroups(
  { store, log, ...deps }: FlushDeps,
  batch: readonly QueuedGroup[],
  tally: FlushTally,
  { slot, rowsMax, isWanted, onAnswered, onCommitted }: FlushOptions,
): Promise<void> {
  const oldest = Math.min(...batch.map((entry) => entry.queuedAt))
  const until = { deadline: oldest + FLUSH_DEADLINE_MS, isWanted }
  const attempt = <T>(work: () => Promise<T>): Promise<T> =>
    retryStore(deps, until, async () => {
      try {
        const result = await work()
        onAnswered()
        return result
      } catch (error) {
        if (isAnswer(error)) onAnswered()
        throw error
      }
    })
  const steps: BisectSteps<TalliedRow> = {
    flush: async (rows) => {
      const result = await attempt(() => store.flush(slot, rows))
      onCommitted(tally.add(rows, result))
    },
    giveUp: async (row, error) => {
      if (!(error instanceof StoreError)) throw error
      await attempt(() => store.deadLetter(slot, row, error))
      onCommitted(tally.addDeadLetter(row))
      // The message may quote the event.
      log.warn('event refused by the store, kept as dead letter', {
        project: row.projectId,
        uuid: row.event.uuid,
        sqlstate: error.code,
      })
    },
    isRowAtFault: (error) => error instanceof StoreError && error.kind === 'data',
  }
  // Only a single large group has more rows: one statement for all might outlast its attempt.
  for (let from = 0; from < tally.rows.length; from += rowsMax) {
    await bisect(tally.rows.slice(from, from + rowsMax), steps)
  }
}

/** A store that is away says nothing; a defect of ours says nothing about the store. */
function isAnswer(error: unknown): boolean {
  return error instanceof StoreError && (error.kind === 'data' || error.kind === 'conflict')
}
