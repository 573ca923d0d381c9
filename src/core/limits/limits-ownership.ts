/** Bounds of owning shards, with their units. */
import { assert } from '../code.ts'
import { HANDOFF_SHARDS_MAX, OWNERSHIP_WAIT_MS, SHARD_STABLE_MS } from './limits-cluster.ts'

/** Rows of shards are read again this often, plus a tenth of jitter, while all is where it belongs. */
export const SHARD_ROWS_MS = 5_000
/** The same while shards of others are not with their preferred owners. */
export const SHARD_ROWS_UNSETTLED_MS = 1_000
/** The same while this worker wants shards that it does not hold. */
export const SHARD_ROWS_WANTED_MS = 250
/** Half to all of it after the first failure of the database, doubled with each more. */
export const SHARD_RETRY_MS = 100
export const SHARD_RETRY_MAX_MS = 2_000
/** Longest wait of a claim for changes under the old epochs. */
export const SHARD_LOCK_WAIT_MS = 3_000
/** One statement on the rows of shards; then the server ends it. */
export const SHARD_STATEMENT_MS = 4_000
/** One attempt at such a statement; then its connection is destroyed and the outcome is unknown. */
export const SHARD_ATTEMPT_MS = 5_000
/** Longest wait of a hand-off for running changes; then the shard stays where it is. */
export const HANDOFF_CHANGES_MS = 5_000
/** One question to the owner of wanted shards; then its outcome is unknown. */
export const HANDOFF_ASK_MS = 8_000
/** Pause before an owner that did not let go is asked again; half to all of it. */
export const HANDOFF_RETRY_MS = 1_000
/**
 * Time in which a worker does not take back a shard that it has let go for another, whatever its
 * own view is: the other one's may be newer.
 */
export const HANDOFF_GRACE_MS = 2_000
/** Calls that wait for shards of one worker, over all of them; one more gets 503. */
export const HOLD_WAITERS_MAX = 4_096
/** Giving the shards back at the end; those still held then are left for others to claim. */
export const SHARDS_CLOSE_MS = 7_000

assert(SHARD_LOCK_WAIT_MS < SHARD_STATEMENT_MS, 'a wait for a lock is told as what it is')
assert(SHARD_STATEMENT_MS < SHARD_ATTEMPT_MS, 'the server ends a statement before we give it up')
assert(HANDOFF_CHANGES_MS < HANDOFF_ASK_MS, 'an owner that refuses must still be heard')
assert(HANDOFF_CHANGES_MS < SHARDS_CLOSE_MS, 'the end waits for changes as a hand-off does')
assert(SHARD_ROWS_WANTED_MS < OWNERSHIP_WAIT_MS, 'who waits for a shard sees the rows change')
assert(SHARD_ROWS_WANTED_MS < SHARD_STABLE_MS, 'the reads also look whether the view is stable')
assert(HANDOFF_SHARDS_MAX > 0, 'some shards must be asked for at a time')
