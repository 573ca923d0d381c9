/** Bounds of the writer's breaker, the spill and its drainer, with their units. */
import { assert } from '../code.ts'

/** Time after which events in the writer are answered, even without an outcome. */
export const WRITER_WAIT_MAX_MS = 1_500
/**
 * A flush has at least this time before its events are answered, however long they had waited:
 * else a flush that begins late is given up at once, and is nearly always stored all the same.
 */
export const FLUSH_TIME_MS = 1_000
/** A store that has answered within this time is behind, not away. */
export const STORE_QUIET_MS = 500
/** Shortest interval at which the writer looks again while events wait for too long. */
export const WRITER_WATCH_MS = 100
/** Delay of a timer that shows that its own process was held up: the store gets more time. */
export const WRITER_STALL_MS = 250
/** The store is away until it has answered this many pings in a row. */
export const STORE_GOOD_PINGS_MIN = 3

/** Default message size of NATS servers, headers included. */
export const LOG_MESSAGE_BYTES_MAX = 1_048_576
/** One message of the spill; an event that alone is larger travels alone. */
export const SPILL_MESSAGE_BYTES_MAX = 524_288
/** Largest event before compression, as a multiple of the largest message of the log. */
export const SPILL_COMPRESSION_MAX = 4
/** Events on their way into the spill; over it they are refused. */
export const SPILL_INFLIGHT_BYTES_MAX = 16_777_216
/** Time of one attempt to keep a message; then its outcome is unknown, and it is repeated once. */
export const SPILL_PUT_MS = 500
/** Interval of asking a silent spill for its status, until it answers. */
export const SPILL_PROBE_MS = 1_000
/** The same id within this time keeps nothing new. */
export const SPILL_DUPLICATES_MS = 120_000
/** Calls to the spill other than `put`. */
export const SPILL_CALL_MS = 2_000
/** Interval of checking that an idle spill is empty. */
export const SPILL_LOOK_MS = 5_000
/** Seconds after which a client may try again while neither store takes events: from, to. */
export const SPILL_RETRY_AFTER_MIN_S = 2
export const SPILL_RETRY_AFTER_MAX_S = 10

/** A message that was handed out and not acknowledged for this long is handed out again. */
export const SPILL_ACK_WAIT_MS = 30_000
/** Messages handed out and not acknowledged, over all workers. */
export const SPILL_ACK_PENDING_MAX = 1_024
/** Longest wait of a drainer for a message before it looks around. */
export const DRAIN_WAIT_MS = 1_000
/**
 * Bytes and messages that one drainer holds: two full messages, or as many small ones as fill them.
 * The rest of the writer's capacity is for its own traffic.
 */
export const DRAIN_BYTES_MAX = 1_048_576
export const DRAIN_MESSAGES_MAX = 64
/** Open requests of one drainer for a message; it may exceed the bounds above by as many. */
export const DRAIN_PULLS_MAX = 16
/** Pause while the writer is away or has enough to do, plus a tenth of jitter. */
export const DRAIN_PAUSE_MS = 100
/** Pause after a failure of the log, plus a tenth of jitter. */
export const DRAIN_AWAY_MS = 500
/** The writer is left alone while something in it has waited for this long. */
export const DRAIN_WRITER_WAIT_MAX_MS = 500
/** First and longest delay of a message that could not be stored; doubles with each delivery. */
export const DRAIN_RETRY_MS = 1_000
export const DRAIN_RETRY_MAX_MS = 60_000
/** Pause before a message that this release cannot read is delivered again. */
export const DRAIN_UNREADABLE_MS = 600_000
/** The sizes of the spill are looked up this often, for metrics. */
export const SPILL_STATUS_MS = 5_000

assert(FLUSH_TIME_MS <= WRITER_WAIT_MAX_MS, 'what did not wait is answered no later')
assert(
  WRITER_WAIT_MAX_MS + 2 * SPILL_PUT_MS < 3_000,
  'with both stores away it is known within 3 s',
)
assert(STORE_QUIET_MS < WRITER_WAIT_MAX_MS, 'a store that answers nothing is away')
assert(2 * SPILL_PUT_MS < SPILL_DUPLICATES_MS, 'a second attempt finds the first one')
assert(SPILL_MESSAGE_BYTES_MAX < LOG_MESSAGE_BYTES_MAX, 'a full message fits')
assert(DRAIN_BYTES_MAX >= 2 * SPILL_MESSAGE_BYTES_MAX, 'two full messages are under way')
assert(DRAIN_RETRY_MAX_MS < DRAIN_UNREADABLE_MS, 'what cannot be read is tried less often')
