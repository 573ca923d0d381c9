/** Bounds of how a gateway chooses among workers, with their units. */
import { assert } from '../code.ts'
import { NEWS_BEAT_MS } from './limits-snapshots.ts'

/** Silence of a stream after which its worker is suspect and is used last. */
export const SUSPECT_SILENCE_MS = 600
/** Time after which a call to a suspect worker is sent to another one as well. */
export const HEDGE_AFTER_MS = 500
/** Interval of looking for items of a busy worker that need rescue. */
export const RESCUE_TICK_MS = 100
/** Workers that one item is put to after the first one failed. */
export const FURTHER_TRIES_MAX = 2
/** Above this many bytes of events waiting for one worker, more of them go to the least loaded. */
export const SPREAD_WAITING_BYTES = 4_194_304

/** Event batches up to this size, of one project, are merged into one and share its outcome. */
export const MERGED_BATCH_BYTES_MAX = 65_536
/** Calls with large batches of one project in flight; full micro-batches do not wait to grow. */
export const LARGE_CALL_SLOTS_MAX = 2
export const LARGE_FULL_CALL_SLOTS_MAX = 8
/** Calls of one gateway's stream that a worker has taken and that are not on their way back. */
export const STREAM_CALLS_MAX = 64
/** A larger micro-batch is a call of its own: the others on the stream would wait for its bytes. */
export const STREAM_CALL_BYTES_MAX = 2_097_152

/** A call that had no effect because its shard is moving is tried again for this long. */
export const HOLD_MS = 3_000
/** Half to all of this before the first retry; doubles, up to the second. */
export const HOLD_PAUSE_MS = 50
export const HOLD_PAUSE_MAX_MS = 400
/** Calls held by one gateway; over it they get their 503 at once. */
export const HELD_CALLS_MAX = 1_000

assert(2 * NEWS_BEAT_MS < SUSPECT_SILENCE_MS, 'two beats may be late')
assert(SUSPECT_SILENCE_MS + 2 * RESCUE_TICK_MS < 1_000, 'captures of a frozen worker move in 1 s')
