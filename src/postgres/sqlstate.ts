/**
 * Meaning of database failures: one table, by SQLSTATE or by the code of the driver and the socket.
 * A state takes precedence over its class. `failures.ts` uses it to turn errors into ours.
 */
import type { StoreErrorKind } from '../ingest/store-port.ts'

/** A statement that ran into its time-out or was cancelled. */
export const QUERY_CANCELED = '57014'
export const UNIQUE_VIOLATION = '23505'
export const CHECK_VIOLATION = '23514'
export const INVALID_REGEX = '2201B'
export const SERIALIZATION_FAILURE = '40001'
export const UNDEFINED_TABLE = '42P01'
export const LOCK_NOT_AVAILABLE = '55P03'
export const INVALID_PARAMETER = '22023'
export const PROGRAM_LIMIT = '54000'

export type Meaning = {
  /** Meaning for the writer: whether the row, a race, or the database is at fault. */
  readonly kind: StoreErrorKind
  /**
   * Whether to answer callers that they may retry: `unavailable`, and not an `internal` failure.
   */
  readonly isPassing: boolean
  /** The database says of itself that it takes no writes, whatever was asked. */
  readonly isStated?: true
}

const passing = (kind: StoreErrorKind): Meaning => ({ kind, isPassing: true })
const lasting = (kind: StoreErrorKind): Meaning => ({ kind, isPassing: false })

const CLASSES: Readonly<Record<string, Meaning>> = {
  '08': passing('unreachable'), // connection exception
  '22': lasting('data'), // data exception
  '23': lasting('data'), // integrity constraint violation
  '25': lasting('unreachable'), // transaction state
  '26': lasting('conflict'), // prepared statement gone, behind a pooler
  '28': { ...lasting('unreachable'), isStated: true }, // authorization: an operator is at it
  '3D': { ...lasting('unreachable'), isStated: true }, // database does not exist: the same
  '40': lasting('conflict'), // transaction rolled back
  '53': passing('unreachable'), // disk full, out of memory, too many connections
  '54': lasting('data'), // program limit: a value too large
  '55': lasting('unreachable'), // object not in the state that it must be in
  '57': passing('unreachable'), // shutdown, crash, statement time-out
  '58': { ...lasting('unreachable'), isStated: true }, // system error
}

const STATES: Readonly<Record<string, Meaning>> = {
  '0A000': lasting('conflict'), // cached plan must not change result type, after a migration
  // A referenced row was removed since we looked: the caller's next try finds that.
  '23503': passing('data'), // foreign key violation
  '25006': { ...passing('unreachable'), isStated: true }, // read only, after a fail-over
  // A frozen server left its transaction idle for too long.
  '25P03': passing('unreachable'), // idle in transaction
  '25P04': passing('unreachable'), // transaction time-out
  '40001': passing('conflict'), // serialization failure
  '40P01': passing('conflict'), // deadlock
  '54001': lasting('unreachable'), // stack depth: the server's setting, and no row's fault
  '53100': { ...passing('unreachable'), isStated: true }, // disk full
  '53300': { ...passing('unreachable'), isStated: true }, // too many connections
  '55P03': passing('unreachable'), // lock not available
}

/** Codes of the pool, the driver and the socket: no server, one that has gone, or one too slow. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'POOL_FULL',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])
const NO_CONNECTION = passing('unreachable')

/** Undefined for a code that is not in the table: a defect, as far as we can tell. */
export function meaningOf(code: string): Meaning | undefined {
  if (CONNECTION_CODES.has(code)) return NO_CONNECTION
  return STATES[code] ?? (code.length === 5 ? CLASSES[code.slice(0, 2)] : undefined)
}
