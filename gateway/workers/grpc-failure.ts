import { type ServiceError, status } from '@grpc/grpc-js'
import { AppError, type Code } from '../../src/core/code.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import { decodeErrorDetails, ERROR_DETAILS_METADATA } from '../../src/wire/proto/error-details.ts'

/** How grpc-js words the end of a call's stream that brought no status. */
const RESET = /RST_STREAM/

/** What a status without our details means: the worker or the path to it failed. */
const CODES: Readonly<Partial<Record<status, Code>>> = {
  [status.CANCELLED]: 'cancelled',
  [status.DEADLINE_EXCEEDED]: 'deadline_exceeded',
  [status.UNAVAILABLE]: 'unavailable',
  [status.RESOURCE_EXHAUSTED]: 'resource_exhausted',
  [status.UNIMPLEMENTED]: 'unimplemented',
  [status.UNAUTHENTICATED]: 'unauthenticated',
}

/**
 * How grpc-js words a status of its own when no connection was made: the call was never given to
 * one. A worker that passes such a text on sends details of its own along.
 */
const NEVER_SENT = /^(?:No connection established|Name resolution failed)/

/**
 * What a call that grpc-js ended with an error came to: what the worker says of itself, or a
 * `NoAnswerError` when it said nothing.
 *
 * @param signal of the caller, who may have left.
 */
export function toAppError(
  error: ServiceError,
  path: string,
  signal: AbortSignal | undefined,
): AppError {
  const message = `${path}: ${error.details}`
  const wire = decodeErrorDetails(error.metadata?.get(ERROR_DETAILS_METADATA)[0])
  if (wire !== undefined) {
    return new AppError(wire.code, message, { cause: error, detail: wire.detail })
  }
  const sent = error.code !== status.UNAVAILABLE || !NEVER_SENT.test(error.details)
  return new NoAnswerError(codeOf(error, signal), message, { sent, cause: error })
}

/** A call that was reset by the other side has lost its worker, whatever the reset says. */
function codeOf(error: ServiceError, signal: AbortSignal | undefined): Code {
  const isReset =
    (error.code === status.CANCELLED && signal?.aborted !== true) ||
    (error.code === status.INTERNAL && RESET.test(error.details))
  return isReset ? 'unavailable' : (CODES[error.code] ?? 'internal')
}
