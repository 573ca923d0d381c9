import { type ServiceError, status } from '@grpc/grpc-js'
import { AppError, type Code } from '../../src/core/code.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import { decodeErrorDetails, ERROR_DETAILS_METADATA } from '../../src/wire/proto/error-details.ts'

/** grpc-js's text for a call whose stream ended without a status. */
const RESET = /RST_STREAM/

/** The code of a status without our details: the worker or the path to it has failed. */
const CODES: Readonly<Partial<Record<status, Code>>> = {
  [status.CANCELLED]: 'cancelled',
  [status.DEADLINE_EXCEEDED]: 'deadline_exceeded',
  [status.UNAVAILABLE]: 'unavailable',
  [status.RESOURCE_EXHAUSTED]: 'resource_exhausted',
  [status.UNIMPLEMENTED]: 'unimplemented',
  [status.UNAUTHENTICATED]: 'unauthenticated',
}

/**
 * grpc-js's text for a call that had no connection, so that it was never sent. A worker that
 * forwards such a text adds its own details.
 */
const NEVER_SENT = /^(?:No connection established|Name resolution failed)/

/**
 * The failure of a call: what the worker answered, or a `NoAnswerError` when it answered nothing.
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

/** A call that the other side has reset has lost its worker, whatever the reset says. */
function codeOf(error: ServiceError, signal: AbortSignal | undefined): Code {
  const isReset =
    (error.code === status.CANCELLED && signal?.aborted !== true) ||
    (error.code === status.INTERNAL && RESET.test(error.details))
  return isReset ? 'unavailable' : (CODES[error.code] ?? 'internal')
}
