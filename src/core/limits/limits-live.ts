/** Bounds of streams of live events, with their units. */

/** Events that a stream sends in a second. */
export const LIVE_EVENTS_PER_SECOND = 100
/** Events that wait for a stream; a further one takes the place of the oldest. */
export const LIVE_RING_EVENTS = 256
/** The same of streams with `where`, for events of which most may not match. */
export const LIVE_SIFTED_PER_SECOND = 1_000
export const LIVE_FILTERED_EVENTS = 1_000
/** Bytes of the texts of an event; the rest is left out. */
export const LIVE_EVENT_BYTES_MAX = 8_192
/** Streams of one user at a worker, of a worker, and of a gateway. */
export const LIVE_USER_STREAMS_MAX = 4
export const LIVE_WORKER_STREAMS_MAX = 256
export const LIVE_GATEWAY_STREAMS_MAX = 64
/** A stream ends after this time, and its reader opens another. */
export const LIVE_STREAM_MS = 3_600_000
/** Interval of keep-alive comments of a stream over HTTP. */
export const LIVE_COMMENT_MS = 15_000
/** Readers open the next stream after this time, and up to half of it more. */
export const LIVE_RETRY_MS = 2_000
/** Time for the other workers to confirm that they are watching; later ones count as a gap. */
export const LIVE_OPEN_MS = 1_000
/** Pause before a worker that ended its stream of stored events is called again. */
export const LIVE_RECONNECT_MS = 500
/** Shortest interval between two checks of rights, also after a failed check. */
export const LIVE_RIGHTS_MS = 1_000
/** Interval at which one stream reads which events match its `where`. */
export const LIVE_FILTER_MS = 100
