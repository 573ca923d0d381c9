import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { fromGrpcMetadata, type Handler } from '../../wire/call.ts'
import { validationError } from '../../wire/details.ts'
import { TooManyFieldsError } from '../../wire/proto/count-fields.ts'
import { joinsPieces, type PagedMethod, piecesOf } from '../../wire/proto/page-pieces.ts'
import type { OnRefused, RefusedFor } from './refused.ts'
import { SocketCall } from './socket-call.ts'
import { toServiceError } from './status.ts'

/** A request that was not read, and why. */
class UnreadRequest {
  readonly error: AppError
  readonly reason: RefusedFor

  constructor(error: AppError, reason: RefusedFor) {
    this.error = error
    this.reason = reason
  }
}

/** The request, or an `UnreadRequest`: grpc-js would hide a thrown error from the caller. */
export function readRequest(deserialize: (bytes: Buffer) => object, bytes: Buffer): object {
  try {
    return deserialize(bytes)
  } catch (cause) {
    const isTooMuch = cause instanceof TooManyFieldsError
    const text = isTooMuch
      ? 'The request holds too many elements.'
      : 'The request is not a message of this call.'
    const { detail } = validationError('invalid_input', text, null)
    return new UnreadRequest(
      new AppError('invalid_argument', 'a request that cannot be read', { cause, detail }),
      isTooMuch ? 'elements' : 'form',
    )
  }
}

/**
 * Serves a handler over a socket that answers many messages. They are written as fast as the caller
 * reads, and end when the caller leaves.
 */
export function toServerStream<Request>(
  handler: Handler<Request, AsyncIterable<object>>,
  deps: { clock: Clock; log: Log; onRefused?: OnRefused },
): handleServerStreamingCall<Request, object> {
  const { clock, log, onRefused } = deps
  const fail = (call: ServerWritableStream<Request, object>, error: unknown) =>
    call.emit('error', toServiceError(error, log, call.getPath()))
  return (call) => {
    if (call.request instanceof UnreadRequest) {
      onRefused?.(call.request.reason, call.getPath())
      fail(call, call.request.error)
      return
    }
    const context = socketCall(call, clock)
    handler(call.request, context)
      .finally(() => context.end())
      .then((messages) => writeAll(call, messages))
      .catch((error: unknown) => fail(call, error))
  }
}

async function writeAll(
  call: ServerWritableStream<unknown, object>,
  messages: AsyncIterable<object>,
): Promise<void> {
  const iterator = messages[Symbol.asyncIterator]()
  const leave = () => void iterator.return?.()
  call.on('cancelled', leave)
  try {
    while (!call.cancelled) {
      const { done, value } = await iterator.next()
      if (done === true) break
      if (!call.write(value)) await writable(call)
    }
  } finally {
    call.off('cancelled', leave)
    leave()
  }
  call.end()
}

/** Resolves when more may be written, or the caller has left. */
function writable(call: ServerWritableStream<unknown, object>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      call.off('drain', go)
      call.off('cancelled', go)
      resolve()
    }
    call.on('drain', go)
    call.on('cancelled', go)
    if (call.cancelled) go()
  })
}

/** Serves a handler over a socket that answers a page: in pieces to a caller that joins them. */
export function toPages<Request>(
  method: PagedMethod,
  handler: Handler<Request, object>,
  deps: { clock: Clock; log: Log; onRefused?: OnRefused },
): handleServerStreamingCall<Request, object> {
  const paged: Handler<Request, AsyncIterable<object>> = async (request, context) => {
    const page = await handler(request, context)
    return joinsPieces(context.metadata) ? piecesOf(method, page) : whole(page)
  }
  return toServerStream(paged, deps)
}

async function* whole(page: object): AsyncGenerator<object> {
  yield page
}

/** Serves a handler over a socket. Deadline and cancellation become one signal. */
export function toUnary<Request, Response>(
  handler: Handler<Request, Response>,
  { clock, log, onRefused }: { clock: Clock; log: Log; onRefused?: OnRefused },
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    if (call.request instanceof UnreadRequest) {
      onRefused?.(call.request.reason, call.getPath())
      reply(toServiceError(call.request.error, log, call.getPath()))
      return
    }
    const context = socketCall(call, clock)
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

type OpenSocketCall = Pick<
  ServerWritableStream<unknown, object>,
  'cancelled' | 'getDeadline' | 'getPeer' | 'metadata'
> & {
  on(name: 'cancelled', run: () => void): unknown
  off(name: 'cancelled', run: () => void): unknown
}

function socketCall(call: OpenSocketCall, clock: Clock): SocketCall {
  const caller = {
    get peer() {
      return call.getPeer()
    },
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
  return new SocketCall(fromGrpcMetadata(call.metadata), caller, named, clock)
}
