/**
 * The closed set of failure codes, gRPC's names in snake case. HTTP statuses are picked from them
 * in `failure.ts`, gRPC statuses in `src/rpc/status.ts`.
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

/** What the caller may be told of a failure: the public error body, and when to try again. */
export type ErrorDetail = {
  readonly type: string
  readonly code: string
  readonly detail: string
  /** Field to blame; `null` when none is; absent where the specification leaves the key out. */
  readonly attr?: string | null
  /** HTTP status when it is not the one of the code. */
  readonly httpStatus?: number
  /** Whole seconds. */
  readonly retryAfterS?: number
}

/** A failure with a code. `detail` is safe to show; `message` and `cause` are for the log only. */
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

/** A broken invariant: in an actor's turn it ends that activation, elsewhere the process. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** @throws {InvariantError} when `condition` is false. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
