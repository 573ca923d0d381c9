/** Waits until the replica has what Postgres had at a moment. */
import type { Clock } from '../../../core/clock.ts'
import { AppError } from '../../../core/code.ts'
import type { Db } from '../../../postgres/db.ts'
import { PERSONS } from '../../outbox/gaps.ts'
import { hurryReplicator, readProgress, type Watermark } from './watermark.ts'

/** Interval at which a waiting query looks how far the replica is. */
const REPLICA_READ_POLL_MS = 15

export type Replicated = {
  /** Newest block that is stored with all blocks before it. */
  readonly snapshotBlock: number
  /** Months of which the replica lacks events nevertheless. */
  readonly gaps: readonly string[]
  /** Gaps that do not prevent an answer: refused events and accepted losses. */
  readonly refusing: readonly string[]
}

type Waiting = { readonly sql: Db; readonly clock: Clock; readonly waitMs: number }
/** Position to wait for; without `change`, distinct ids are not waited for. */
type Mark = Pick<Watermark, 'flush'> & Partial<Watermark>

/**
 * @returns undefined when the replica was not so far within `waitMs`, or lacks distinct ids that
 * are wanted.
 * @throws {AppError} `cancelled` when `signal` aborts.
 */
export async function untilReplicated(
  { sql, clock, waitMs }: Waiting,
  { flush, change }: Mark,
  signal: AbortSignal,
): Promise<Replicated | undefined> {
  const endAt = clock.monotonic() + waitMs
  const mark = { flush, change: change ?? '0' }
  let wanted: { readonly last: number; readonly splits: number } | undefined
  for (;;) {
    const progress = await readProgress(sql, mark)
    const { isRecorded, isSent, gaps, refusing, open, last, splits } = progress
    if (change !== undefined && gaps.includes(PERSONS)) return undefined
    // A split moves recorded events into later blocks, so the last block is read again after one.
    if (isRecorded && wanted?.splits !== splits) wanted = { last, splits }
    if (wanted !== undefined && isSent && (open === null || open > wanted.last)) {
      return { snapshotBlock: open === null ? last : open - 1, gaps, refusing }
    }
    if (clock.monotonic() >= endAt) return undefined
    await hurryReplicator(sql)
    await pause(clock, REPLICA_READ_POLL_MS, signal)
  }
}

/** @throws {AppError} `cancelled` when `signal` aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {
    throw new AppError('cancelled', 'the caller has gone')
  })
}
