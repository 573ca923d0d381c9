/** Errors of the driver read, and turned into ours by the table of `sqlstate.ts`. */
import { AppError } from '../core/code.ts'
import { StoreError } from '../ingest/store-port.ts'
import { PropertiesError } from '../persons/property-fold.ts'
import { unavailableDetail } from '../wire/details.ts'
import {
  CHECK_VIOLATION,
  INVALID_PARAMETER,
  meaningOf,
  SERIALIZATION_FAILURE,
  UNIQUE_VIOLATION,
} from './sqlstate.ts'

/** SQLSTATE, or the code of the driver or the socket; undefined for any other error. */
export function failureCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Name of the constraint that a 23505 is about. */
export function violatedConstraint(error: unknown): string | undefined {
  return failureCode(error) === UNIQUE_VIOLATION ? constraintName(error) : undefined
}

/** The failure a caller may try again after, or undefined when `error` is none of that kind. */
export function toUnavailable(error: unknown): AppError | undefined {
  const code = failureCode(error)
  if (code === undefined || meaningOf(code)?.isPassing !== true) return undefined
  return new AppError('unavailable', `database: ${code}`, {
    cause: error,
    detail: unavailableDetail,
  })
}

/** Classifies the error of a flush, which decides how it is handled. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof PropertiesError) {
    return new StoreError('data', INVALID_PARAMETER, message, error)
  }
  if (isStaleDistinctId(error)) {
    return new StoreError('conflict', SERIALIZATION_FAILURE, message, error)
  }
  const code = failureCode(error) ?? ''
  const meaning = meaningOf(code)
  const kind = meaning?.kind ?? (isSystemError(error) ? 'unreachable' : 'fault')
  return new StoreError(kind, code, message, error, meaning?.isStated === true)
}

/** True when the database could not be reached, or is in no state to answer. */
export function isUnreachable(error: unknown): boolean {
  return toStoreError(error).kind === 'unreachable'
}

/** No partition takes the row's day: no constraint is named, unlike in a check's violation. */
export function isMissingPartition(error: unknown): boolean {
  return failureCode(error) === CHECK_VIOLATION && constraintName(error) === undefined
}

/** Another transaction has created the person of a distinct id that was free when we looked. */
function isStaleDistinctId(error: unknown): boolean {
  return violatedConstraint(error) === 'distinct_ids_pkey'
}

/** Sockets' errors carry the system call that failed. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function constraintName(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('constraint_name' in error)) return undefined
  return typeof error.constraint_name === 'string' ? error.constraint_name : undefined
}
