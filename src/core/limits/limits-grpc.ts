/** Bounds of strangers and members at a worker's gRPC port, with their units. */
import { assert } from '../code.ts'

/** A message of a stranger: a call of a service or of management. A batch of events may be larger. */
export const STRANGER_MESSAGE_BYTES_MAX = 1_048_576
export const STRANGER_BATCH_BYTES_MAX = 4_194_304
/** A message of a call without authentication, such as health. */
export const OPEN_MESSAGE_BYTES_MAX = 16_384

/** Fields of a message, nested ones too: decoding costs up to half a microsecond each. */
export const CALL_FIELDS_MAX = 20_000
export const BATCH_FIELDS_MAX = 100_000
/** A gateway has bounded the JSON of a management body, of which a value makes up to five fields. */
export const MANAGEMENT_FIELDS_MAX = 300_000
/** Events of one `CaptureBatch`. */
export const BATCH_EVENTS_MAX = 1_000
/** Elements of one call of a member, such as questions. */
export const MEMBER_ELEMENTS_MAX = 10_000
/** Events, group references and names to unset in one micro-batch of events. */
export const INGEST_ELEMENTS_MAX = 1_000_000

/** Receive window of a stranger's stream. A connection that a member has called on has a wide one. */
export const STRANGER_WINDOW_BYTES = 65_536
/** Calls that are open on one connection. */
export const STRANGER_CONNECTION_STREAMS_MAX = 100
export const MEMBER_CONNECTION_STREAMS_MAX = 10_000
/** Open calls of all strangers; above it the call with the oldest unfinished request is ended. */
export const STRANGER_STREAMS_MAX = 1_000
/** Open calls of health and reflection; past it the oldest one is ended. */
export const OPEN_STREAMS_MAX = 200
/** Bytes of requests that are held; past it the call that holds the most is ended. */
export const STRANGER_HELD_BYTES_MAX = 67_108_864
export const MEMBER_HELD_BYTES_MAX = 536_870_912
/** Connections of strangers, of all and of one address; past it the oldest one is closed. */
export const STRANGER_CONNECTIONS_MAX = 1_000
export const ADDRESS_CONNECTIONS_MAX = 200
/** Connections of all callers; past it new ones are refused. */
export const CONNECTIONS_MAX = 4_000

/** Time from a stranger's call to the first byte of its request, and to its end. */
export const STRANGER_FIRST_BYTE_MS = 5_000
export const STRANGER_MESSAGE_MS = 10_000
/** Time from the first byte of a member's message to its end. */
export const MEMBER_MESSAGE_MS = 30_000
/** Time from a connection to the other side's first frame, TLS handshake included. */
export const CONNECTION_FIRST_FRAME_MS = 10_000
/** A stranger's connection without a call is closed after this long. */
export const CONNECTION_IDLE_MS = 300_000
/** Calls and connections are looked at this often for those that take too long. */
export const GRPC_SWEEP_MS = 1_000

assert(STRANGER_MESSAGE_BYTES_MAX <= STRANGER_BATCH_BYTES_MAX, 'a batch may be larger than a call')
assert(
  8 * STRANGER_BATCH_BYTES_MAX <= STRANGER_HELD_BYTES_MAX,
  'some batches fit beside each other',
)
assert(STRANGER_CONNECTIONS_MAX < CONNECTIONS_MAX, 'strangers leave room for members')
assert(GRPC_SWEEP_MS <= STRANGER_FIRST_BYTE_MS, 'a late call is seen soon after its time')
