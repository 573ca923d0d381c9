/** Bounds that several parts share, with their units. A bound with one user is declared beside its use. */

import { assert } from '../code.ts'
import {
  EVENT_PAGE_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
  EVENT_SCANS_WAIT_MS,
} from './limits-query.ts'

/** Time for one batch of commands; later answers count as missing. */
export const REDIS_COMMAND_MS = 20
/** Time for deleting changed persons, which holds an acknowledgement up. */
export const REDIS_FORGET_MS = 50
/** Time from the first packet to knowing which server answers; then another attempt is made. */
export const REDIS_CONNECT_MS = 2_000
/** Unanswered commands, in bytes with the overhead of each. */
export const REDIS_PENDING_BYTES_MAX = 16_777_216
/** Commands sent as one transaction: some 0.3 ms of the server. */
export const REDIS_BATCH_COMMANDS_MAX = 512
/** Characters of an answer in Redis; a longer one is not kept there. */
export const DECIDE_ANSWER_CHARS_MAX = 65_536
/** Different questions kept for one person. */
export const DECIDE_QUESTIONS_MAX = 16
/** Distinct ids that one change deletes. */
export const DECIDE_FORGET_IDS_MAX = 8_192
/** Keys of one command that deletes: some 0.5 ms. */
export const DECIDE_FORGET_KEYS_MAX = 1_024
/** Time of a decide call that a hanging Redis may take; the rest is for the answer. */
const DECIDE_REDIS_MS_MAX = 50
/** A member renews its key this often. */
export const MEMBER_RENEW_MS = 1_000
/** A member is dead when its key has not changed for this long of a reader's monotonic clock. */
export const MEMBER_DEAD_MS = 5_000
/** Silence after which a member's port is tried (two missed beats). Refused: dead at once. */
export const MEMBER_SUSPECT_MS = 2_500
/** One attempt at the port of a suspect member. */
export const MEMBER_PROBE_MS = 500
/** Counted from the time at which the last confirmed renewal was sent. */
export const MEMBER_CONFIRMED_MS = 4_000
/** A store of keys drops those not renewed for this long: garbage collection, never a verdict. */
export const MEMBER_TTL_MS = 60_000
/** One operation on a store of keys; its outcome is unknown after that. */
export const REGISTRY_OP_MS = 1_000
/** Pause between attempts to connect again, plus jitter. */
export const NATS_RECONNECT_MS = 250
/** Messages that a worker sends at the same time. */
export const CHAT_SENDING_MAX = 20
/** Compiled regular expressions that a process remembers. */
export const PATTERNS_KEPT_MAX = 10_000
/** A batch of events that a stranger sends. */
export const STRANGER_BATCH_BYTES_MAX = 4_194_304
/** Bytes of strangers' requests that are held; past it the call that holds the most is ended. */
export const STRANGER_HELD_BYTES_MAX = 67_108_864
/** Time from a stranger's call to the first byte of its request. */
export const STRANGER_FIRST_BYTE_MS = 5_000
/** Calls and connections are looked at this often for those that take too long. */
export const GRPC_SWEEP_MS = 1_000
/**
 * Requests that are answered in the event-loop turn in which they arrived; answers to further ones
 * wait for the next turn. A segment may hold thousands of pipelined requests: while one waits for
 * its answer, another behind it ends the connection, so they cannot hold the event loop.
 */
export const HTTP_TURN_REQUESTS_MAX = 64
/** Levels of arrays and objects in a body. */
export const JSON_DEPTH_MAX = 64
/** Bytes to inspect: `JSON_MEMBERS_MAX` of the shortest members, twice. */
export const INFLATE_START_BYTES = 2_621_440
/** Bytes of large bodies waiting for a thread or held by one; over it new ones get 503. */
export const BODY_THREADS_BYTES_MAX = 100_663_296
/** Share of `BODY_THREADS_BYTES_MAX` for a peer or a project with several bodies. */
export const BODY_PEER_SHARE_MAX = 0.75
/** A body waits this long for a place on a thread, and on it for the answer about its key. */
export const BODY_THREAD_DEADLINE_MS = 10_000
/**
 * A thread that does not answer for this long is ended; its bodies get 503. On a busy machine it is
 * slow, as it yields the processors.
 */
export const BODY_THREAD_REPLY_MS = 30_000
/** Characters of texts in a page up to which it is written at once: a millisecond's work. */
export const PAGE_CHARS_INLINE_MAX = 262_144
/** Events of streams with `where` that wait, of which most may not match. */
export const LIVE_FILTERED_EVENTS = 1_000
/** Interval of reading shard rows while this worker wants shards that it does not hold. */
export const SHARD_ROWS_WANTED_MS = 250
/** Longest wait of a hand-off for running changes; then the shard stays where it is. */
export const HANDOFF_CHANGES_MS = 5_000
/** One question to the owner of wanted shards; then its outcome is unknown. */
export const HANDOFF_ASK_MS = 8_000
/** Giving the shards back at the end; those still held then are left for others to claim. */
export const SHARDS_CLOSE_MS = 7_000
/** Hours in which an address may be confirmed by the token that was sent there. */
export const EMAIL_TOKEN_HOURS = 24
/** Days after which every session ends. */
export const SESSION_DAYS = 30
/** Events that one statement of a deletion takes. */
export const DELETION_CHUNK_ROWS_MAX = 5_000
/** Pause after a chunk, as a multiple of its duration: leaves time to others. */
export const DELETION_RESTS = 4
/** Distinct ids of a person whose events one statement looks for. */
export const DELETION_IDS_MAX = 200
/** The clock of NATS may be behind that of Postgres by so much. */
export const SPILL_CLOCK_SKEW_MS = 5_000
/** Dead letters of one answer when the caller names no number. */
export const DEAD_LETTERS_PAGE = 100
/** One line of a backup: a row as JSON text. V8 holds strings of half a gigabyte. */
export const BACKUP_LINE_BYTES_MAX = 268_435_456
/** Silence of a stream after which its worker is suspect and is used last. */
export const SUSPECT_SILENCE_MS = 600
/** Interval of looking for items of a busy worker that need rescue. */
export const RESCUE_TICK_MS = 100
/** An event above this many bytes is flushed apart from smaller ones: it may be a slow row. */
export const LARGE_EVENT_BYTES = 65_536
/** Bytes of the properties of a person or a group as JSON text. Larger ones are refused. */
export const PROPERTIES_BYTES_MAX = 524_288
/** Statements of a flush that find out which changes of a person are too large. */
export const REFUSED_STATEMENTS_MAX = 64
/** Warnings of ingestion that a project keeps. */
export const WARNINGS_PER_PROJECT_MAX = 100
/** Interval of heartbeats on a worker's stream of changes. */
export const NEWS_BEAT_MS = 200
/**
 * Revisions of projects are read within this long, or the database counts as away. Long, since a
 * machine that is only busy must not make old snapshots serve.
 */
export const REVISIONS_READ_MS = 2_000
/** Age up to which decide uses a confirmed snapshot while the database is away. */
export const SNAPSHOT_STALE_MAX_MS = 600_000
/** A worker gives back all of its shards. */
export const PEER_DRAIN_MS = 25_000
/** Time for a worker to report its status. */
export const PEER_DESCRIBE_MS = 1_000
/** Time after which events in the writer are answered, even without an outcome. */
export const WRITER_WAIT_MAX_MS = 1_500
/** One message of the spill; an event that alone is larger travels alone. */
export const SPILL_MESSAGE_BYTES_MAX = 524_288
/** Time of one attempt to keep a message; then its outcome is unknown, and it is repeated once. */
export const SPILL_PUT_MS = 500
/** Time in which a message with a known id keeps nothing new. */
export const SPILL_DUPLICATES_MS = 120_000
/** Calls to the spill other than `put`. */
export const SPILL_CALL_MS = 2_000
/** A message that was handed out and not acknowledged for this long is handed out again. */
export const SPILL_ACK_WAIT_MS = 30_000
/** One question of a status to the database; then that counts as away. */
export const STATUS_DATABASE_MS = 1_500
/** Time until a worker answers that it is still draining, plus a moment for a member's state. */
export const DRAIN_WAIT_MAX_MS = 20_000
/** One call of the command line to drain. */
export const DRAIN_CALL_MS = 30_000
/** Bytes of a request body, before and after decompression, unless the setting says otherwise. */
export const BODY_BYTES_MAX = 20_971_519
/** Bodies above this many bytes, raw or decoded, are decoded off the event loop. */
export const BODY_BYTES_INLINE_MAX = 131_072
/** Bytes of request bodies held by one gateway at a time; over it new requests get 503. */
export const GATEWAY_INFLIGHT_BYTES_MAX = 134_217_728
/** Code points of a distinct id; longer ones are cut. */
export const DISTINCT_ID_LENGTH_MAX = 200
/** Code points of an event's name; longer ones are cut. */
export const EVENT_NAME_LENGTH_MAX = 200
/** Code points of a group type or key; longer ones are cut, so that an index entry holds them. */
export const GROUP_KEY_LENGTH_MAX = 400
/** Characters of a flag's key. */
export const FLAG_KEY_LENGTH_MAX = 400
/** One micro-batch between gateway and worker. */
export const MICRO_BATCH_EVENTS_MAX = 512
export const MICRO_BATCH_BYTES_MAX = 1_048_576
/** Bytes waiting at the gateway for a call slot, per worker. */
export const BATCHER_BYTES_MAX = 67_108_864
/** A gRPC message; an event of nearly a whole body must fit. */
export const GRPC_MESSAGE_BYTES_MAX = 33_554_432
/** HTTP/2 window of a gRPC connection: with the usual 64 kB a micro-batch waits for its acks. */
export const GRPC_WINDOW_BYTES = 16_777_216
/** Time for one call of a gateway: events, decide, management. */
export const INGEST_DEADLINE_MS = 5_000
export const DECIDE_DEADLINE_MS = 3_000
export const MANAGEMENT_DEADLINE_MS = 15_000
/** Duration above which later batches do not wait for a flush. */
export const SLOW_FLUSH_MS = 50
/** Connections that the slots share, see ADR 11; the slot for large events has one more. */
export const WRITER_CONNECTIONS = 2
/** Shards of a cluster; a change needs a migration. */
export const SHARD_COUNT = 256
/** A gateway cut off from changes of revisions for this long stops using its caches. */
export const REVISION_NEWS_STALE_MS = 2_000
/** Bytes of a gateway's cache of decide answers. */
export const DECIDE_CACHE_BYTES_MAX = 100_663_296
/** Instructions a regular expression may compile to; counted repeats multiply them. */
export const FLAG_REGEX_PROGRAM_MAX = 500
/** Characters of a property value that a text operator looks at; a longer value does not match. */
export const FLAG_SUBJECT_LENGTH_MAX = 16_384
/** Property filters of one flag. */
export const FLAG_FILTERS_MAX = 1_000
/** Levels of groups in a cohort, and of cohorts in cohorts. */
export const COHORT_DEPTH_MAX = 64
/** Bytes of a plugin's source file, and of a module fetched from a URL. */
export const PLUGIN_FILE_BYTES_MAX = 1_048_576
/** Time for fetching a module or one `fetch` of a plugin. */
export const PLUGIN_FETCH_MS = 10_000
/** Characters of `frontend.tsx`. */
export const PLUGIN_FRONTEND_CHARS_MAX = 131_072
/** Time for compiling a frontend or a source. */
export const PLUGIN_COMPILE_MS = 3_000
/** Frontends compiled at a time by one worker; over it saves get 429. */
export const PLUGIN_COMPILES_MAX = 2
/** Fast shutdown (sessions cut, a checkpoint), then immediate, then the kernel's. */
export const POSTGRES_STOP_FAST_MS = 10_000
export const POSTGRES_STOP_IMMEDIATE_MS = 5_000
/** Headers of a request. */
export const HTTP_HEADERS_MAX = 100
/** Bytes of the headers of a request, its first line included. */
export const HTTP_HEADER_BYTES_MAX = 16_384
/** Bytes of bodies that may use the last quarter of the bytes in flight. */
export const HTTP_SMALL_BODY_BYTES_MAX = 65_536
/** Bytes of a refused body that are read and thrown away so that the client reads our answer. */
export const HTTP_DISCARD_BYTES_MAX = 83_886_080
/** Replies above this size are handed over in pieces of it, each after the last one has left. */
export const HTTP_REPLY_PIECE_BYTES = 65_536
/** Characters of any key; longer ones are wrong keys, without a look-up. */
export const CREDENTIAL_LENGTH_MAX = 200
/** Fields of a management form, files included; one more is a parse error. */
export const REST_FORM_FIELDS_MAX = 1_000
/** Rows of a page where the method sets no other bounds. */
export const PAGE_LIMIT_DEFAULT = 100
export const PAGE_LIMIT_MAX = 1_000
/** Windows of rate limits remembered by one worker. */
export const RATE_WINDOWS_MAX = 50_000
/** Days after which an invite is expired; it stays in the list. */
export const INVITE_DAYS = 3
/** Mails sent at a time. */
export const MAILS_SENDING_MAX = 4
/** One attempt at a mail; then its connection is destroyed. */
export const MAIL_ATTEMPT_MS = 20_000
/** Half to all of this before the second attempt, three times as long before each after it. */
export const MAIL_RETRY_MS = 90_000
/** One attempt at a flush; then its connection is destroyed and the outcome is unknown. */
export const FLUSH_ATTEMPT_MS = 5_000
/** Time for which caches of changed persons may hold an acknowledgement up. */
export const PERSONS_CHANGED_MS = 100
/** Distinct ids of one changed person to notify beside those of the flush. */
export const PERSON_DISTINCT_IDS_TOLD_MAX = 1_000

assert(2 * REDIS_COMMAND_MS <= DECIDE_REDIS_MS_MAX, 'a look and its ticket leave time to answer')
assert(DECIDE_ANSWER_CHARS_MAX * 16 < REDIS_PENDING_BYTES_MAX, 'long answers fit into the queue')
assert(
  DECIDE_FORGET_IDS_MAX / DECIDE_FORGET_KEYS_MAX <= REDIS_BATCH_COMMANDS_MAX,
  'a change is deleted by one transaction',
)
assert(3 * MEMBER_RENEW_MS < MEMBER_CONFIRMED_MS, 'two renewals may fail')
assert(MEMBER_CONFIRMED_MS < MEMBER_DEAD_MS, 'a member doubts itself before others give it up')
assert(2 * MEMBER_RENEW_MS < MEMBER_SUSPECT_MS, 'a suspect member has missed two beats')
assert(MEMBER_SUSPECT_MS + MEMBER_PROBE_MS < MEMBER_DEAD_MS, 'a probe is sooner than the silence')
assert(2 * MEMBER_DEAD_MS < MEMBER_TTL_MS, 'members are judged before the store forgets them')
assert(
  8 * STRANGER_BATCH_BYTES_MAX <= STRANGER_HELD_BYTES_MAX,
  'some batches fit beside each other',
)
assert(GRPC_SWEEP_MS <= STRANGER_FIRST_BYTE_MS, 'a late call is seen soon after its time')
assert(HANDOFF_CHANGES_MS < HANDOFF_ASK_MS, 'an owner that refuses must still be heard')
assert(HANDOFF_CHANGES_MS < SHARDS_CLOSE_MS, 'the end waits for changes as a hand-off does')
assert(2 * NEWS_BEAT_MS < SUSPECT_SILENCE_MS, 'two beats may be late')
assert(SUSPECT_SILENCE_MS + 2 * RESCUE_TICK_MS < 1_000, 'captures of a frozen worker move in 1 s')
assert(
  WRITER_WAIT_MAX_MS + 2 * SPILL_PUT_MS < 3_000,
  'with both stores away it is known within 3 s',
)
assert(2 * SPILL_PUT_MS < SPILL_DUPLICATES_MS, 'a second attempt finds the first one')
assert(DRAIN_WAIT_MAX_MS + 2_000 < PEER_DRAIN_MS, 'a worker says itself that it is not done')
assert(PEER_DRAIN_MS < DRAIN_CALL_MS, 'the worker that was asked says what became of the other')
assert(PEER_DESCRIBE_MS <= STATUS_DATABASE_MS, 'members and database are asked side by side')
assert(BODY_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'an event of a whole body must fit into a message')
assert(BODY_BYTES_INLINE_MAX < BODY_BYTES_MAX, 'inline bodies are the small ones')
assert(
  BODY_BYTES_MAX < BODY_THREADS_BYTES_MAX * (1 - BODY_PEER_SHARE_MAX),
  'beside a peer that holds its share, a body of the greatest size is admitted',
)
assert(BODY_BYTES_MAX < HTTP_DISCARD_BYTES_MAX, 'a body just over the limit gets a readable 413')
assert(MAIL_ATTEMPT_MS < MAIL_RETRY_MS / 2, 'a mail must not be due again while it is being sent')
assert(
  EVENT_SCANS_WAIT_MS + EVENT_QUERY_TIMEOUT_MS < MANAGEMENT_DEADLINE_MS,
  'a query that has waited and is cut must still be answered',
)
assert(PLUGIN_FETCH_MS + PLUGIN_COMPILE_MS < MANAGEMENT_DEADLINE_MS, 'an install is answered')
assert(2 * EVENT_PAGE_BYTES_MAX < GRPC_MESSAGE_BYTES_MAX, 'a page must fit into a message')
assert(REDIS_FORGET_MS < PERSONS_CHANGED_MS, 'a failure to tell is known before the answer')
