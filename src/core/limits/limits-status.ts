/** Bounds of status and operator calls, with their units. */
import { assert } from '../code.ts'
import { PEER_DESCRIBE_MS, PEER_DRAIN_MS } from './limits-snapshots.ts'

/** Window of rates, and interval of reading counts, in milliseconds. */
export const RATE_WINDOW_MS = 10_000
export const RATE_SAMPLE_MS = 1_000
/** Other members that one status calls at a time. */
export const STATUS_ASKS_MAX = 32
/** One question of a status to the database; then that counts as away. */
export const STATUS_DATABASE_MS = 1_500
/** Time that the count of conditions that never match is kept: it reads all flags and cohorts. */
export const WARNED_KEPT_MS = 600_000
/** Rows of one statement of it, and flags and cohorts that a status names. */
export const WARNED_READ = 100
export const WARNED_NAMED_MAX = 10
/** Members that the text of an error names. */
export const NAMED_MEMBERS_MAX = 20
/** Time until a worker answers that it is still draining, plus a moment for a member's state. */
export const DRAIN_WAIT_MAX_MS = 20_000
/** One call of the command line to drain. */
export const DRAIN_CALL_MS = 30_000
/** Dead letters are counted this often for the metrics. */
export const DEAD_LETTERS_COUNT_MS = 60_000

assert(RATE_WINDOW_MS % RATE_SAMPLE_MS === 0, 'a window is whole samples')
assert(DRAIN_WAIT_MAX_MS + 2_000 < PEER_DRAIN_MS, 'a worker says itself that it is not done')
assert(PEER_DRAIN_MS < DRAIN_CALL_MS, 'the worker that was asked says what became of the other')
assert(PEER_DESCRIBE_MS <= STATUS_DATABASE_MS, 'members and database are asked side by side')
