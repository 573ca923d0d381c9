/** Failures of the column store. */
import { ClickHouseError } from '@clickhouse/client'

/**
 * - `unreachable`: no answer, so what became of the statement is unknown.
 * - `refused`: the server does not let this user in, or not do this.
 * - `too_old`: the server lacks what the statements need.
 * - `foreign_table`: there is a table of this name that is another one, or was changed by hand.
 * - `broken_block`: a block is there in part, or with rows that are not its own.
 * - `not_here`: it is asked of what Postgres holds.
 * - `failed`: the server says why.
 */
export type ColumnErrorKind =
  | 'unreachable'
  | 'refused'
  | 'too_old'
  | 'foreign_table'
  | 'broken_block'
  | 'not_here'
  | 'failed'

export class ColumnError extends Error {
  override readonly name = 'ColumnError'
  readonly kind: ColumnErrorKind

  constructor(kind: ColumnErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.kind = kind
  }
}

/** ClickHouse error names that need an operator. */
const REFUSALS = new Set([
  'AUTHENTICATION_FAILED',
  'REQUIRED_PASSWORD',
  'WRONG_PASSWORD',
  'UNKNOWN_USER',
  'ACCESS_DENIED',
  'IP_ADDRESS_NOT_ALLOWED',
  'NOT_ENOUGH_PRIVILEGES',
  'READONLY',
  'UNKNOWN_DATABASE',
])

/** ClickHouse error names for a bad value; a table that lost a column is not among them. */
const ROW_FAULTS = new Set([
  'INCORRECT_DATA',
  'VIOLATED_CONSTRAINT',
  'TYPE_MISMATCH',
  'ARGUMENT_OUT_OF_BOUND',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
  'TOO_LARGE_STRING_SIZE',
  'DECIMAL_OVERFLOW',
  'UNEXPECTED_DATA_AFTER_PARSED_VALUE',
])

/** Cause of the error for an event that no table accepts: bad properties, uuid or time. */
class UnfitEvent extends Error {
  override readonly name = 'UnfitEvent'
}

export function unfitEvent(words: string): ColumnError {
  return new ColumnError('failed', words, { cause: new UnfitEvent(words) })
}

/** Whether a row is at fault for a failed insert, so that the others may go in without it. */
export function isRowFault(error: unknown): error is ColumnError {
  if (!(error instanceof ColumnError)) return false
  if (error.cause instanceof UnfitEvent) return true
  if (!(error.cause instanceof ClickHouseError)) return false
  const type = error.cause.type ?? ''
  return ROW_FAULTS.has(type) || type.startsWith('CANNOT_PARSE_')
}

/** Converts an error of the client to a failure of the column store. */
export function toColumnError(error: unknown): ColumnError {
  if (error instanceof ColumnError) return error
  if (!(error instanceof ClickHouseError)) {
    const words = error instanceof Error ? error.message : String(error)
    return new ColumnError('unreachable', `ClickHouse does not answer: ${words}`, { cause: error })
  }
  const kind = REFUSALS.has(error.type ?? '') ? 'refused' : 'failed'
  const words = `${error.type ?? `code ${error.code}`}: ${error.message}`
  return new ColumnError(kind, `ClickHouse: ${words}`, { cause: error })
}
