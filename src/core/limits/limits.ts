/** Every bound of the product, with its unit. Relations between bounds are asserted below. */
import { assert } from '../code.ts'
import { REDIS_FORGET_MS } from './limits-cache.ts'
import {
  BODY_PEER_SHARE_MAX,
  BODY_REFUSED_BURST_BYTES,
  BODY_THREADS_BYTES_MAX,
} from './limits-http.ts'
import {
  EVENT_NAMES_MAX,
  EVENT_PAGE_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
  EVENT_SCANS_WAIT_MS,
} from './limits-query.ts'
import { EVENT_BYTES_MAX } from './limits-sizes.ts'

export * from './limits-cache.ts'
export * from './limits-cluster.ts'
export * from './limits-grpc.ts'
export * from './limits-http.ts'
export * from './limits-insights.ts'
export * from './limits-live.ts'
export * from './limits-ownership.ts'
export * from './limits-plugins.ts'
export * from './limits-privacy.ts'
export * from './limits-query.ts'
export * from './limits-recovery.ts'
export * from './limits-routing.ts'
export * from './limits-sizes.ts'
export * from './limits-snapshots.ts'
export * from './limits-spill.ts'
export * from './limits-status.ts'

/** Bytes of a request body, before and after decompression, unless the setting says otherwise. */
export const BODY_BYTES_MAX = 20_971_519
/** Bodies above this many bytes, raw or decoded, are decoded off the event loop. */
export const BODY_BYTES_INLINE_MAX = 131_072
/** Bytes of request bodies held by one gateway at a time; over it new requests get 503. */
export const GATEWAY_INFLIGHT_BYTES_MAX = 134_217_728
/** Code points; longer ones are cut. */
export const DISTINCT_ID_LENGTH_MAX = 200
export const EVENT_NAME_LENGTH_MAX = 200
/** Code points of a group type or key; longer ones are cut, so that an index entry holds them. */
export const GROUP_KEY_LENGTH_MAX = 400
/** `$groups` entries read from one event; a project has at most five group types. */
export const GROUPS_PER_EVENT_MAX = 16
/** Characters of a project token. */
export const TOKEN_LENGTH_MAX = 64
/** Characters of the text that says when a request was sent; a longer one is ignored. */
export const SENT_AT_LENGTH_MAX = 200
export const FLAG_KEY_LENGTH_MAX = 400

/** One micro-batch between gateway and worker. */
export const MICRO_BATCH_EVENTS_MAX = 512
export const MICRO_BATCH_BYTES_MAX = 1_048_576
/**
 * Calls in flight from one gateway, shared by its workers, at least one each: more of them make
 * smaller micro-batches, and each of them may be a commit.
 */
export const INGEST_SLOTS_MAX = 2
export const CALL_SLOTS_MAX = 4
/** Calls in flight to one worker with full micro-batches, so that it does not run dry. */
export const FULL_CALL_SLOTS_MAX = 16
/** Bytes waiting at the gateway for a call slot, per worker. */
export const BATCHER_BYTES_MAX = 67_108_864
/** Longest wait at the gateway, enforced while more than `BACKLOG_BYTES_MIN` bytes wait. */
export const BATCHER_WAIT_MAX_MS = 2_000
export const BACKLOG_BYTES_MIN = 4_194_304
/** A gRPC message; an event of nearly a whole body must fit. */
export const GRPC_MESSAGE_BYTES_MAX = 33_554_432
/** HTTP/2 window of a gRPC connection: with the usual 64 kB a micro-batch waits for its acks. */
export const GRPC_WINDOW_BYTES = 16_777_216
export const INGEST_DEADLINE_MS = 5_000
export const DECIDE_DEADLINE_MS = 3_000
export const MANAGEMENT_DEADLINE_MS = 15_000

/** Ingest writer of one worker. */
export const WRITER_SLOTS = 2
/** Events waiting for which the second slot joins; below, they make the next flush larger. */
export const WRITER_JOIN_EVENTS_MIN = 256
/** Duration above which later batches do not wait for a flush. */
export const SLOW_FLUSH_MS = 50
/** Connections that the slots share, see ADR 11; the slot for large events has one more. */
export const WRITER_CONNECTIONS = 2
export const WRITER_FLUSH_EVENTS_MAX = 2_000
export const WRITER_FLUSH_BYTES_MAX = 4_194_304
export const WRITER_QUEUE_BYTES_MAX = 67_108_864
/** Share of the queue one project may fill while others wait. */
export const WRITER_PROJECT_SHARE_MAX = 0.25

/** Actor runtime. */
export const MAILBOX_MAX = 1_024
export const ACTIVATIONS_MAX = 10_000
export const ACTIVATION_IDLE_MS = 300_000
export const ACTIVATION_LOAD_MS = 3_000

export const SHARD_COUNT = 256

/** A gateway cut off from changes of revisions for this long stops using its caches. */
export const REVISION_NEWS_STALE_MS = 2_000

/** Gateway caches, entries. */
export const KEY_CACHE_MAX = 50_000
export const KEY_CACHE_NEGATIVE_MAX = 50_000
export const DECIDE_CACHE_BYTES_MAX = 100_663_296
/** Library scripts with a project's config in front, compressed: some 100 kB each. */
export const ARRAY_SCRIPTS_MAX = 128

/** Feature flags. Characters of a regular expression in a filter; longer is refused at save. */
export const FLAG_REGEX_LENGTH_MAX = 1_000
/** Instructions a regular expression may compile to; counted repeats multiply them. */
export const FLAG_REGEX_PROGRAM_MAX = 500
/** Instructions times characters of one match: about 5 ms. A longer subject does not match. */
export const FLAG_REGEX_WORK_MAX = 200_000
/** The same over all matches of one evaluation: one project must not hold the event loop. */
export const FLAG_REGEX_WORK_TOTAL_MAX = 1_000_000
/** Characters of a property value that a text operator looks at; a longer value does not match. */
export const FLAG_SUBJECT_LENGTH_MAX = 16_384
/** Property filters of one flag. */
export const FLAG_FILTERS_MAX = 1_000
/** Levels of groups in a cohort, and of cohorts in cohorts. */
export const COHORT_DEPTH_MAX = 64
/** Keys in the dependency chains of one answer to local evaluation. */
export const LOCAL_CHAIN_KEYS_MAX = 50_000

/** Plugins. Bytes of a source file, and of a module fetched from a URL within that time. */
export const PLUGIN_FILE_BYTES_MAX = 1_048_576
export const PLUGIN_FETCH_MS = 10_000
/** Characters of `plugin.json`, which is parsed on the event loop, and settings it may declare. */
export const PLUGIN_MANIFEST_CHARS_MAX = 65_536
export const PLUGIN_SETTINGS_MAX = 200
/** Characters of `frontend.tsx`; compiling it costs at most that time and that much data. */
export const PLUGIN_FRONTEND_CHARS_MAX = 131_072
export const PLUGIN_COMPILE_MS = 3_000
export const PLUGIN_COMPILE_KIB_MAX = 393_216
/** Frontends compiled at a time by one worker; over it saves get 429. */
export const PLUGIN_COMPILES_MAX = 2
/** Plugin config: characters of its settings as JSON, bytes and name length of one file. */
export const PLUGIN_SETTINGS_CHARS_MAX = 65_536
export const PLUGIN_ATTACHMENT_BYTES_MAX = 10_485_760
export const PLUGIN_ATTACHMENT_NAME_LENGTH_MAX = 255
/** Days that log entries and counts of plugins are kept; rows removed at a time. */
export const PLUGIN_LOG_DAYS = 7
export const PLUGIN_LOG_SWEEP_ROWS = 10_000

assert(MICRO_BATCH_BYTES_MAX <= WRITER_FLUSH_BYTES_MAX, 'a micro-batch must fit into a flush')
assert(BODY_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'an event of a whole body must fit into a message')
assert(8 * EVENT_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'an event, encoded, fits into a message')
assert(WRITER_SLOTS <= WRITER_CONNECTIONS, 'a slow large event holds up no connection of others')
assert(BODY_BYTES_INLINE_MAX < BODY_BYTES_MAX, 'inline bodies are the small ones')

/** Embedded Postgres: readiness covers replaying `max_wal_size` after a crash. */
export const POSTGRES_READY_MS = 300_000
/** Fast shutdown (sessions cut, a checkpoint), then immediate, then the kernel's. */
export const POSTGRES_STOP_FAST_MS = 10_000
export const POSTGRES_STOP_IMMEDIATE_MS = 5_000
/** Pause before a restart: doubles from the first to the second, and starts over when stable. */
export const POSTGRES_RESTART_DELAY_MS = 100
export const POSTGRES_RESTART_DELAY_MAX_MS = 5_000
export const POSTGRES_STABLE_MS = 30_000
/** Bytes of its log file; one older file of the same size is kept beside it. */
export const POSTGRES_LOG_BYTES_MAX = 4_194_304

/** HTTP server of the gateway. Headers: their count, and their bytes with the request line. */
export const HTTP_HEADERS_MAX = 100
export const HTTP_HEADER_BYTES_MAX = 16_384
/** Requests being read, handled or answered by one gateway; over it new ones get 503. */
export const HTTP_INFLIGHT_REQUESTS_MAX = 10_000
/** Only bodies up to this size may use the last quarter of the bytes in flight. */
export const HTTP_SMALL_BODY_BYTES_MAX = 65_536
export const HTTP_LARGE_BODIES_SHARE_MAX = 0.75
/** Only a peer without another large body in flight may use the quarter before it. */
export const HTTP_PEER_BODIES_SHARE_MAX = 0.5
/** A body brings 160 kB (or its end) in each window of 10 s: uWebSockets.js's own rule. */
export const HTTP_BODY_WINDOW_MS = 10_000
export const HTTP_BODY_WINDOW_BYTES_MIN = 163_840
/** Bytes of a refused body that are read and thrown away so that the client reads our answer. */
export const HTTP_DISCARD_BYTES_MAX = 83_886_080
/** A connection without a request, or one whose reader takes nothing, is cut after this long. */
export const HTTP_IDLE_MS = 10_000
export const HTTP_REPLY_STALL_MS = 10_000
/** Replies above this size are handed over in pieces of it, each after the last one has left. */
export const HTTP_REPLY_PIECE_BYTES = 65_536
/** Quiet time without a request after which a draining server closes its connections. */
export const HTTP_DRAIN_QUIET_MS = 250

assert(
  BODY_BYTES_MAX < BODY_THREADS_BYTES_MAX * (1 - BODY_PEER_SHARE_MAX),
  'beside a peer that holds its share, a body of the greatest size is admitted',
)
assert(
  BODY_BYTES_MAX <
    GATEWAY_INFLIGHT_BYTES_MAX * (HTTP_LARGE_BODIES_SHARE_MAX - HTTP_PEER_BODIES_SHARE_MAX),
  'beside a peer that holds its share, a body of the greatest size is read',
)
assert(3 * BODY_BYTES_MAX < BODY_REFUSED_BURST_BYTES, 'a mistake or two cost nobody a pause')
assert(BODY_BYTES_MAX < HTTP_DISCARD_BYTES_MAX, 'a body just over the limit gets a readable 413')

/** Characters of the text of an error that travel; whole trailers must stay within some kB. */
export const ERROR_DETAIL_LENGTH_MAX = 1_000
/** Characters of a caller's own value repeated in the text of an error. */
export const ERROR_ECHO_LENGTH_MAX = 200
/** Characters of any key; longer ones are wrong keys, without a look-up. */
export const CREDENTIAL_LENGTH_MAX = 200
/** Fields of a management form, files included; one more is a parse error. */
export const REST_FORM_FIELDS_MAX = 1_000
/** Values in the JSON of a management body: each costs gateway and worker some microseconds. */
export const REST_VALUES_MAX = 20_000
/** Characters of JSON within a field of a form or a query, which are parsed on the event loop. */
export const FORM_JSON_CHARS_MAX = 131_072
/** Rows of a page where the method sets no other bounds. */
export const PAGE_LIMIT_DEFAULT = 100
export const PAGE_LIMIT_MAX = 1_000

/** Management calls. Personal keys remembered, and for how long without asking again. */
export const AUTH_CACHE_MAX = 10_000
export const AUTH_CACHE_STALE_MS = 1_000
/** Windows of rate limits remembered by one worker. */
export const RATE_WINDOWS_MAX = 50_000
/** Characters of a JSON value in the audit log; of a longer one only the length is kept. */
export const AUDIT_VALUE_CHARS_MAX = 32_768
/** Bytes of the changes on a page of activity, as text; on the wire some six times as much. */
export const ACTIVITY_PAGE_BYTES_MAX = 4_194_304
/** Keys that one ResolveKeys call may ask for. */
export const KEY_QUESTIONS_MAX = 1_000
/** Personal keys of one user; keys that an operator makes are not limited. */
export const PERSONAL_KEYS_MAX = 10
/** Current user: names of events and of properties, and characters of a property name. */
export const ME_NAMES_MAX = 2_000
export const ME_PROPERTY_NAME_LENGTH_MAX = 400
/** Newest events to read for these properties, and their stored bytes. */
export const ME_SAMPLE_EVENTS_MAX = 5_000
export const ME_SAMPLE_BYTES_MAX = 8_388_608
export const ME_SAMPLE_TIMEOUT_MS = 2_000

/** Invites. Days after which one is expired; it stays in the list. */
export const INVITE_DAYS = 3
/** Passwords waiting to be hashed, one at a time; over it new ones get 429. */
export const PASSWORDS_WAITING_MAX = 8
/** Members who get a mail about a new one, the highest levels first. */
export const JOIN_MAILS_MAX = 1_000

/** Mails: interval of looking at the outbox, and mails sent at a time. */
export const MAIL_POLL_MS = 2_000
export const MAILS_SENDING_MAX = 4
/** One attempt at a mail; then its connection is destroyed. */
export const MAIL_ATTEMPT_MS = 20_000
/** Half to all of this before the second attempt, three times as long before each after it. */
export const MAIL_RETRY_MS = 90_000
/** Attempts: with these pauses the last one is 13 to 28 hours after the first. */
export const MAIL_ATTEMPTS_MAX = 8

assert(MAIL_ATTEMPT_MS < MAIL_RETRY_MS / 2, 'a mail must not be due again while it is being sent')

assert(6 * ACTIVITY_PAGE_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'a page must fit into a message')
assert(
  EVENT_SCANS_WAIT_MS + EVENT_QUERY_TIMEOUT_MS < MANAGEMENT_DEADLINE_MS,
  'a query that has waited and is cut must still be answered',
)
assert(PLUGIN_FETCH_MS + PLUGIN_COMPILE_MS < MANAGEMENT_DEADLINE_MS, 'an install is answered')
assert(2 * EVENT_PAGE_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'a page must fit into a message')
assert(
  4 * EVENT_NAME_LENGTH_MAX * EVENT_NAMES_MAX < GRPC_MESSAGE_BYTES_MAX,
  'the names of all events must fit into a message',
)

/** Statements and transactions that wait for a connection of a pool; others are refused. */
export const POOL_WAITING_MAX = 10_000

/** One attempt at a flush; then its connection is destroyed and the outcome is unknown. */
export const FLUSH_ATTEMPT_MS = 5_000
/** Age of its oldest batch up to which a flush is retried, and attempts at most. */
export const FLUSH_DEADLINE_MS = 4_000
export const FLUSH_ATTEMPTS_MAX = 5
/** Full jitter before attempt n: up to the first, doubled each time, never above the second. */
export const FLUSH_RETRY_MS = 25
export const FLUSH_RETRY_MAX_MS = 500
/** Interval of probes while the store is down, plus up to a quarter of jitter. */
export const STORE_PROBE_MS = 1_000
export const STORE_PROBE_ATTEMPT_MS = 1_000
/** Time for which caches of changed persons may hold an acknowledgement up. */
export const PERSONS_CHANGED_MS = 100
assert(REDIS_FORGET_MS < PERSONS_CHANGED_MS, 'a failure to tell is known before the answer')
/** Distinct ids of one changed person to notify beside those of the flush. */
export const PERSON_DISTINCT_IDS_TOLD_MAX = 1_000
/** Remembered by a worker: distinct ids known to exist, in bytes with the entry's overhead. */
export const KNOWN_DISTINCT_IDS_BYTES_MAX = 33_554_432
/** Event names just seen and projects met, in entries. */
export const KNOWN_DEFINITIONS_MAX = 50_000
export const KNOWN_PROJECTS_MAX = 50_000
/** `last_seen_at` of an event definition is written at most once in this time per worker. */
export const DEFINITION_SEEN_MS = 60_000
/** Rows of removed projects that one statement removes, and log entries that one looks through. */
export const REMOVAL_CHUNK_ROWS_MAX = 2_000
export const REMOVAL_LOG_CHUNK_ROWS_MAX = 10_000
/** Removed projects that one turn of the background removal cares for. */
export const REMOVED_PROJECTS_PER_TURN_MAX = 100
/** Event names of lists that one worker counts until their counts are written. */
export const ASKED_EVENTS_MAX = 10_000
