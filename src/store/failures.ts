import { AppError } from '../core/code.ts'
import { unavailableDetail } from '../wire/details.ts'

/** The driver's own codes and the socket's: no server, or one that has gone. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
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

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(['08', '53', '57'])
/**
 * Read-only, deadlock, serialization, lock not available: gone at the next try. So is a transaction
 * that stood idle for too long, which one of a server that was frozen has. And a foreign key: what
 * the row was to refer to has been removed since we looked, which the next try finds.
 */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([
  ...['25006', '25P03', '25P04', '40001', '40P01', '55P03'],
  '23503',
])

/** A statement that ran into its time-out or was cancelled. */
export const QUERY_CANCELED = '57014'
export const UNIQUE_VIOLATION = '23505'
export const INVALID_REGEX = '2201B'

/** SQLSTATE, or the code of the driver or the socket; undefined for any other error. */
export function failureCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Name of the constraint that a 23505 is about. */
export function violatedConstraint(error: unknown): string | undefined {
  if (failureCode(error) !== UNIQUE_VIOLATION) return undefined
  if (!(error instanceof Error) || !('constraint_name' in error)) return undefined
  return typeof error.constraint_name === 'string' ? error.constraint_name : undefined
}

/** The failure a caller may try again after, or undefined when `error` is not the database's. */
export function toUnavailable(error: unknown): AppError | undefined {
  const code = failureCode(error)
  if (code === undefined) return undefined
  const isState = code.length === 5
  const isUnavailable =
    CONNECTION_CODES.has(code) ||
    UNAVAILABLE_STATES.has(code) ||
    (isState && UNAVAILABLE_CLASSES.has(code.slice(0, 2)))
  if (!isUnavailable) return undefined
  return new AppError('unavailable', `database: ${code}`, {
    cause: error,
    detail: unavailableDetail,
  })
}
