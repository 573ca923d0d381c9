/** Every bound of the product, with its unit. Relations between bounds are asserted below. */
import { assert } from './code.ts'

/** Bytes of a request body, before and after decompression; one more is 413. */
export const BODY_BYTES_MAX = 20_971_520
/** Bodies above this many bytes, raw or decoded, are decoded off the event loop. */
export const BODY_BYTES_INLINE_MAX = 262_144
/** Bytes of request bodies held by one gateway at a time; over it new requests get 503. */
export const GATEWAY_INFLIGHT_BYTES_MAX = 134_217_728
/** Levels of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 64
/** Code points; longer ones are cut. */
export const DISTINCT_ID_LENGTH_MAX = 200
export const EVENT_NAME_LENGTH_MAX = 200
/** Characters of a project token; longer is 401. */
export const TOKEN_LENGTH_MAX = 64
export const FLAG_KEY_LENGTH_MAX = 400

/** One micro-batch between gateway and worker. */
export const MICRO_BATCH_EVENTS_MAX = 512
export const MICRO_BATCH_BYTES_MAX = 1_048_576
/** Calls in flight from one gateway to one worker. */
export const CALL_SLOTS_MAX = 4
/** Bytes waiting at the gateway for a call slot, per worker. */
export const BATCHER_BYTES_MAX = 67_108_864
/** A gRPC message; an event of nearly a whole body must fit. */
export const GRPC_MESSAGE_BYTES_MAX = 33_554_432
export const INGEST_DEADLINE_MS = 5_000
export const DECIDE_DEADLINE_MS = 3_000
export const MANAGEMENT_DEADLINE_MS = 15_000

/** Ingest writer of one worker. */
export const WRITER_SLOTS = 2
export const WRITER_BATCH_EVENTS_MAX = 2_000
export const WRITER_BATCH_BYTES_MAX = 4_194_304
export const WRITER_QUEUE_BYTES_MAX = 67_108_864
/** Share of the queue one project may fill while others wait. */
export const WRITER_PROJECT_SHARE_MAX = 0.25

/** Actor runtime. */
export const MAILBOX_MAX = 1_024
export const ACTIVATIONS_MAX = 10_000
export const ACTIVATION_IDLE_MS = 300_000
export const ACTIVATION_LOAD_MS = 3_000

export const SHARD_COUNT = 256

/** Snapshot reads while Postgres is down. */
export const SNAPSHOT_STALE_MAX_MS = 600_000
/** A gateway cut off from revision news for this long stops using its caches. */
export const REVISION_NEWS_STALE_MS = 2_000

/** Gateway caches, entries. */
export const KEY_CACHE_MAX = 50_000
export const KEY_CACHE_NEGATIVE_MAX = 50_000
export const DECIDE_CACHE_BYTES_MAX = 67_108_864

assert(MICRO_BATCH_BYTES_MAX <= WRITER_BATCH_BYTES_MAX, 'a micro-batch must fit into a flush')
assert(BODY_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'an event of a whole body must fit into a message')
assert(BODY_BYTES_INLINE_MAX < BODY_BYTES_MAX, 'inline bodies are the small ones')
