import { Metadata, type StatusObject, status } from '@grpc/grpc-js'
import { AppError, type Code } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { toUnavailable } from '../../postgres/failures.ts'
import { failureOf } from '../../wire/failure.ts'
import { ERROR_DETAILS_METADATA, encodeErrorDetails } from '../../wire/proto/error-details.ts'

/** gRPC status of our codes. gRPC lacks two of them, so their failures name the code as well. */
const GRPC_STATUS: Readonly<Record<Code, status>> = {
  invalid_argument: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  permission_denied: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  already_exists: status.ALREADY_EXISTS,
  failed_precondition: status.FAILED_PRECONDITION,
  not_owner: status.FAILED_PRECONDITION,
  fenced: status.ABORTED,
  resource_exhausted: status.RESOURCE_EXHAUSTED,
  deadline_exceeded: status.DEADLINE_EXCEEDED,
  unavailable: status.UNAVAILABLE,
  aborted: status.ABORTED,
  cancelled: status.CANCELLED,
  unimplemented: status.UNIMPLEMENTED,
  internal: status.INTERNAL,
}

function grpcStatusOf(code: Code): status {
  return GRPC_STATUS[code]
}

/** A caught value as a failure with a code; `internal` unless it is ours or the database's. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return toUnavailable(error) ?? new AppError('internal', 'unexpected failure', { cause: error })
}

/** Logs failures that are not logged yet: unexpected ones as `error`, absent stores as `warn`. */
export function toLoggedAppError(error: unknown, log: Log, method: string): AppError {
  const failure = toAppError(error)
  if (failure.code === 'internal') log.error('call failed', { method, error })
  else if (failure.code === 'unavailable') log.warn('call failed', { method, error })
  return failure
}

/**
 * A failure as grpc-js answers it: status, a text that is safe to show, and REST's answer as a
 * trailer.
 */
export function toServiceError(error: unknown, log: Log, method: string): StatusObject {
  const failure = toLoggedAppError(error, log, method)
  const code = grpcStatusOf(failure.code)
  const metadata = new Metadata()
  const ownerHint = ownerHintOf(failure)
  const { status: httpStatus, detail } = failureOf(failure)
  const wire = { code: failure.code, detail: { ...detail, httpStatus }, ownerHint }
  metadata.set(ERROR_DETAILS_METADATA, encodeErrorDetails(wire, code))
  return { code, details: detail.detail, metadata }
}

/** The address of the supposed owner, which a `not_owner` failure may carry. */
function ownerHintOf(failure: AppError): string | undefined {
  if (failure.code !== 'not_owner' || !('ownerHint' in failure)) return undefined
  return typeof failure.ownerHint === 'string' ? failure.ownerHint : undefined
}
