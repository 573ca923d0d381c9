/** Bounds of a gateway for callers without and with a key, with their units. */
import { assert } from '../code.ts'

/** Entries of `X-Forwarded-For` that are looked at, from the right. */
export const FORWARDED_HOPS_MAX = 32

/** An answer before the end of a body that closes the connection waits for such a pause in it. */
export const HTTP_REFUSAL_PAUSE_MS = 250

/**
 * Requests that are answered in the event-loop turn in which they arrived; answers to further ones
 * wait for the next turn. A segment may hold thousands of pipelined requests: while one waits for
 * its answer, another behind it ends the connection, so they cannot hold the event loop.
 */
export const HTTP_TURN_REQUESTS_MAX = 64

/** Levels of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 64
/** Characters of a number that keeps its digits; `numeric` of Postgres takes 16,383 behind the point. */
export const NUMBER_LENGTH_MAX = 10_000
/**
 * Arrays and objects in one body. Parsed they take some 60 bytes each however short their text. The
 * shortest event with a property has two in 52 bytes: a full body of them has 806,000.
 */
export const JSON_CONTAINERS_MAX = 1_000_000
/**
 * Values in one body, those of members included. A page view of a browser has some 65 in 2,400
 * bytes, so that a full body holds 9,000 page views of 600,000 values; of the shortest events with
 * a property, five values in 52 bytes, it holds 2,020,000.
 */
export const JSON_VALUES_MAX = 2_500_000
/**
 * Different names of members in one body. A new name costs the parser up to 7 µs and some hundred
 * bytes, a known one a tenth of it. All libraries together know some hundred; flags and properties
 * of a project add some thousand.
 */
export const JSON_NAMES_MAX = 100_000
/**
 * Members of one object. The largest event has 1 MB, and its shortest members five bytes each; the
 * whole body of another client is one event or a list of them.
 */
export const JSON_MEMBERS_MAX = 250_000

/**
 * Growth above which a compressed body is inspected from its start before all of it is inflated.
 * Bodies of real events grow 5 to 30 times.
 */
export const INFLATE_SUSPECT_RATIO = 100
/** Bytes to inspect: `JSON_MEMBERS_MAX` of the shortest members, twice. */
export const INFLATE_START_BYTES = 2_621_440

/** Bounds of the setting `BODY_BYTES_MAX`. */
export const BODY_BYTES_SETTING_MIN = 1_048_576
export const BODY_BYTES_SETTING_MAX = 67_108_864

/** Threads that decode and normalise large bodies, and bodies each may hold at a time. */
export const BODY_THREADS_MAX = 2
export const BODY_THREAD_HANDLES_MAX = 3
/**
 * Bodies of one peer, and of one project, that a thread holds on average: one place is left to
 * others.
 */
export const BODY_PEER_HANDLES_MAX = BODY_THREAD_HANDLES_MAX - 1
/** Bytes of large bodies waiting for a thread or held by one; over it new ones get 503. */
export const BODY_THREADS_BYTES_MAX = 100_663_296
/**
 * Share of those bytes that a peer or a project with several bodies may bring them to: the rest is
 * for others.
 */
export const BODY_PEER_SHARE_MAX = 0.75
/** Bytes at either end of a large body in which its key is looked for. */
export const BODY_PEEK_BYTES = 8_192
/** Bytes of a compressed one that are inflated for it; a thousand times as many at most. */
export const BODY_PEEK_GZIP_BYTES = 512
/**
 * Bytes of large bodies in their decoded form, from when a thread takes them until their events are
 * stored: some kilobytes in gzip become 20 MB of them. Peers and projects with bodies here leave
 * room for a whole body of another; a body that does not fit waits as long as for a place.
 */
export const DECODED_BYTES_MAX = 67_108_864
/**
 * Bytes of garbage that bodies may leave on a thread until it is collected. More than the 16 MB
 * that V8 collects as young by itself, for much less: at 16 MB, a batch of 100 page views cost its
 * thread twice as much.
 */
export const BODY_GARBAGE_BYTES_MAX = 25_165_824
/**
 * Bytes of large bodies, decoded, that one peer may have refused for one project: at once, and each
 * millisecond after that. Its next large body for that project waits until they are paid for.
 */
export const BODY_REFUSED_BURST_BYTES = 67_108_864
export const BODY_REFUSED_BYTES_PER_MS = 4_194
/** A body waits this long for a place on a thread, and on it for the answer about its key. */
export const BODY_THREAD_DEADLINE_MS = 10_000
/**
 * A thread that does not answer for this long is ended; its bodies get 503. On a busy machine it is
 * slow, as it yields the processors.
 */
export const BODY_THREAD_REPLY_MS = 30_000

/** Characters of texts in a page up to which it is written at once: a millisecond's work. */
export const PAGE_CHARS_INLINE_MAX = 262_144

assert(BODY_PEER_HANDLES_MAX > 0, 'a peer alone gets a place')

/** Projects whose rates and counts of the day one process remembers. */
export const LIMITED_PROJECTS_MAX = 50_000
/** Largest debt of a project, in seconds of its rate, however large one request was. */
export const LIMIT_DEBT_S = 60
