import { StoreError, type StoreErrorKind } from '../ingest/store-port.ts'
import { PropertiesError } from '../persons/property-fold.ts'
import { failureCode, toUnavailable, violatedConstraint } from './failures.ts'

/** SQLSTATE classes of a failed flush; a whole state in `STATES` wins. */
const CLASSES: Readonly<Record<string, StoreErrorKind>> = {
  '08': 'unreachable', // connection exception
  '22': 'data', // data exception
  '23': 'data', // integrity constraint violation
  '25': 'unreachable', // transaction state: read only after a fail-over
  '26': 'conflict', // prepared statement gone, behind a pooler
  '28': 'unreachable', // authorization: an operator is at it
  '3D': 'unreachable', // database does not exist: the same
  '40': 'conflict', // serialization failure, deadlock
  '53': 'unreachable', // disk full, out of memory, too many connections
  '54': 'data', // program limit: a value too large
  '55': 'unreachable', // lock not available
  '57': 'unreachable', // shutdown, crash, statement time-out
  '58': 'unreachable', // system error
}

const STATES: Readonly<Record<string, StoreErrorKind>> = {
  '0A000': 'conflict', // cached plan must not change result type, after a migration
  '54001': 'unreachable', // stack depth: the server's setting, and no row's fault
}

/** What a failed flush means, and so what is done about it. The one table of it. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof PropertiesError) return new StoreError('data', '22023', message, error)
  if (isStaleDistinctId(error)) {
    return new StoreError('conflict', '40001', message, error)
  }
  const code = failureCode(error) ?? ''
  const kind = STATES[code] ?? (code.length === 5 ? CLASSES[code.slice(0, 2)] : undefined)
  if (kind !== undefined) return new StoreError(kind, code, message, error)
  const isAway = toUnavailable(error) !== undefined || isSystemError(error)
  return new StoreError(isAway ? 'unreachable' : 'fault', code, message, error)
}

/** No partition takes the row's day: no constraint is named, unlike in a check's violation. */
export function isMissingPartition(error: unknown): boolean {
  if (failureCode(error) !== '23514' || !(error instanceof Error)) return false
  return !('constraint_name' in error) || error.constraint_name === undefined
}

/** Another transaction has created the person of a distinct id that was free when we looked. */
function isStaleDistinctId(error: unknown): boolean {
  return violatedConstraint(error) === 'distinct_ids_pkey'
}

/** Sockets' errors carry the system call that failed. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
