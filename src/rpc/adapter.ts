import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import { type CallContext, type CallMetadata, fromGrpcMetadata, type Handler } from './call.ts'
import { toServiceError } from './status.ts'

/** A deadline for callers that name none. */
const TIMEOUT_DEFAULT_MS = 30_000

/** Serves a handler over a socket: deadline and cancellation become one signal. */
export function toUnary<Request, Response>(
  handler: Handler<Request, Response>,
  deps: { clock: Clock; log: Log },
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const context = new SocketCall(call, deps.clock)
    handler(call.request, context).then(
      (response) => {
        context.end()
        reply(null, response)
      },
      (error: unknown) => {
        context.end()
        reply(toServiceError(error, deps.log, call.getPath()))
      },
    )
  }
}

/** The signal and its timer are made when a handler asks for them: the frequent calls do not. */
class SocketCall<Request, Response> implements CallContext {
  readonly metadata: CallMetadata
  readonly timeoutMs: number
  readonly #call: ServerUnaryCall<Request, Response>
  readonly #clock: Clock
  /** By `clock.now`. */
  readonly #deadline: number
  #abort: AbortController | undefined
  #cancelTimer: () => void = () => {}

  constructor(call: ServerUnaryCall<Request, Response>, clock: Clock) {
    this.metadata = fromGrpcMetadata(call.metadata)
    this.#call = call
    this.#clock = clock
    const deadline = call.getDeadline()
    const now = clock.now()
    this.#deadline =
      deadline === Number.POSITIVE_INFINITY ? now + TIMEOUT_DEFAULT_MS : Number(deadline)
    this.timeoutMs = Math.max(0, this.#deadline - now)
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      this.#abort = abort
      const late = () => abort.abort(new AppError('deadline_exceeded', 'deadline exceeded'))
      const left = () => abort.abort(new AppError('cancelled', 'cancelled by the caller'))
      const leftMs = this.#deadline - this.#clock.now()
      if (leftMs <= 0) late()
      else this.#cancelTimer = this.#clock.after(leftMs, late)
      this.#call.on('cancelled', left)
      if (this.#call.cancelled) left()
    }
    return this.#abort.signal
  }

  end(): void {
    this.#cancelTimer()
  }
}
