/** Bounds of streams of live events, with their units. */

/** Events that a stream sends in a second. */
export const LIVE_EVENTS_PER_SECOND = 100
/** Events that wait for a stream; a further one takes the place of the oldest. */
export const LIVE_RING_EVENTS = 256
/** The same of streams with `where`, for events of which most may not match. */
export const LIVE_SIFTED_PER_SECOND = 1_000
export const LIVE_SIFTED_EVENTS = 1_000
/** Texts of an event, in bytes; what is more is left out. */
export const LIVE_EVENT_BYTES_MAX = 8_192
/** Streams of one user at a worker, of a worker, and of a gateway. */
export const LIVE_USER_STREAMS_MAX = 4
export const LIVE_WORKER_STREAMS_MAX = 256
export const LIVE_GATEWAY_STREAMS_MAX = 64
/** A stream ends after this time, and its reader opens another. */
export const LIVE_STREAM_MS = 3_600_000
/** A stream over HTTP says so often that it is there. */
export const LIVE_COMMENT_MS = 15_000
/** Readers open the next stream after this time, and up to half of it more. */
export const LIVE_RETRY_MS = 2_000
/** For the other workers to say that they watch; later ones count as a gap. */
export const LIVE_OPEN_MS = 1_000
/** A worker that ended its stream of stored events is asked again after this time. */
export const LIVE_RECONNECT_MS = 500
/** Rights are checked again at most so often, and after a failure of the check. */
export const LIVE_RIGHTS_MS = 1_000
/** Between two looks of one stream at which events match its `where`. */
export const LIVE_SIFT_MS = 100
