import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { type CallContext, fromGrpcMetadata, type Handler } from './call.ts'
import { toServiceError } from './status.ts'

/** A deadline for callers that name none. */
const TIMEOUT_DEFAULT_MS = 30_000

/** Serves a handler over a socket: deadline and cancellation become one signal. */
export function toUnary<Request, Response>(
  handler: Handler<Request, Response>,
  deps: { clock: Clock; log: Log },
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const { context, end } = contextOf(call, deps.clock)
    handler(call.request, context).then(
      (response) => {
        end()
        reply(null, response)
      },
      (error: unknown) => {
        end()
        reply(toServiceError(error, deps.log, call.getPath()))
      },
    )
  }
}

function contextOf<Request, Response>(
  call: ServerUnaryCall<Request, Response>,
  clock: Clock,
): { context: CallContext; end: () => void } {
  const abort = new AbortController()
  const deadline = call.getDeadline()
  const timeoutMs =
    deadline === Number.POSITIVE_INFINITY
      ? TIMEOUT_DEFAULT_MS
      : Math.max(0, Number(deadline) - clock.now())
  const cancelTimer = clock.after(timeoutMs, () => abort.abort(new Error('deadline exceeded')))
  call.on('cancelled', () => abort.abort(new Error('cancelled by the caller')))
  const context = {
    metadata: fromGrpcMetadata(call.metadata),
    signal: abort.signal,
    timeoutMs,
  }
  return { context, end: cancelTimer }
}
