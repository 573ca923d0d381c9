import type { handleUnaryCall } from '@grpc/grpc-js'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Handler } from '../../wire/call.ts'
import { SocketCall } from './socket-call.ts'
import { toServiceError } from './status.ts'

/** Serves a handler over a socket: deadline and cancellation become one signal. */
export function toUnary<Request, Response>(
  handler: Handler<Request, Response>,
  { clock, log }: { clock: Clock; log: Log },
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const caller = {
      get hasLeft() {
        return call.cancelled
      },
      onLeft: (run: () => void) => {
        call.on('cancelled', run)
        return () => {
          call.off('cancelled', run)
        }
      },
    }
    const deadline = call.getDeadline()
    const isNamed = deadline !== Number.POSITIVE_INFINITY
    const named = isNamed ? Number(deadline) : undefined
    const context = new SocketCall(call.metadata, caller, named, clock)
    handler(call.request, context).then(
      (response) => {
        context.end()
        reply(null, response)
      },
      (error: unknown) => {
        context.end()
        reply(toServiceError(error, log, call.getPath()))
      },
    )
  }
}
