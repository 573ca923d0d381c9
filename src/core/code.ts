/**
 * The closed set of failure codes: gRPC's names in snake case. `src/wire/failure.ts` maps them to
 * HTTP statuses, `src/rpc/server/status.ts` to gRPC statuses.
 */
export type Code =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'not_owner'
  | 'fenced'
  | 'resource_exhausted'
  | 'deadline_exceeded'
  | 'unavailable'
  | 'aborted'
  | 'cancelled'
  | 'unimplemented'
  | 'internal'

/** The public part of a failure: the error body, and when to retry. */
export type ErrorDetail = {
  readonly type: string
  readonly code: string
  readonly detail: string
  /** The invalid field; `null` for none; absent where the specification leaves the key out. */
  readonly attr?: string | null
  /** HTTP status where it differs from the one of the code. */
  readonly httpStatus?: number
  /** Whole seconds. */
  readonly retryAfterS?: number
}

/** A failure with a code. Callers may see `detail`; `message` and `cause` are for the log only. */
export class AppError extends Error {
  readonly code: Code
  readonly detail: ErrorDetail | undefined

  constructor(
    code: Code,
    message: string,
    options: { cause?: unknown; detail?: ErrorDetail | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
  }
}

/** Whether something that was caught is a failure with this code. */
export function hasCode(error: unknown, code: Code): boolean {
  return error instanceof AppError && error.code === code
}

/** A broken invariant. It ends the activation when thrown in an actor's turn, else the process. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** @throws {InvariantError} when `condition` is false. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
