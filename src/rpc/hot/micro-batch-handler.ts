/** `MicroBatchService`: the streams on which gateways send their frequent calls. */

import { asBuffer } from '../../core/as-buffer.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { type CallMetadata, fromGrpcMetadata } from '../../wire/call.ts'
import { ERROR_DETAILS_METADATA } from '../../wire/proto/error-details.ts'
import {
  type CallFrame,
  decodeCall,
  decodeRead,
  encodeAnswer,
  encodeFailure,
  encodeGoAway,
  READ,
} from '../../wire/proto/micro-batch-frames.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import type { ExchangeCall, StreamedMethod } from '../server/served.ts'
import { type Leaving, SocketCall } from '../server/socket-call.ts'
import { toServiceError } from '../server/status.ts'

/** Calls of one gateway's stream that a worker has taken and that are not on their way back. */
export const STREAM_CALLS_MAX = 64

export type MicroBatchDeps = {
  readonly memberAuth: MemberAuth
  /** By the field that carries it: see `STREAMED_METHODS`. */
  readonly methods: ReadonlyMap<number, StreamedMethod>
  /** By path: see `STREAMED_READS`. */
  readonly reads: ReadonlyMap<string, StreamedMethod>
  readonly clock: Clock
  readonly log: Log
}

export type MicroBatches = {
  serve(call: ExchangeCall): void
  /** Asks every caller to close its side. Calls that still arrive are answered. */
  goAway(): void
}

/** Serves the streams of gateways. */
export function createMicroBatches(deps: MicroBatchDeps): MicroBatches {
  const open = new Set<Exchange>()
  return {
    serve(call) {
      const metadata = fromGrpcMetadata(call.metadata)
      try {
        deps.memberAuth({ metadata })
      } catch (error) {
        call.emit('error', toServiceError(error, deps.log, call.getPath()))
        return
      }
      const exchange = new Exchange(deps, call, () => open.delete(exchange))
      open.add(exchange)
    },
    goAway() {
      for (const exchange of open) exchange.goAway()
    },
  }
}

/**
 * One stream. Calls run side by side and are answered as they end. Reading pauses while
 * `STREAM_CALLS_MAX` are under way or wait to be sent, so that a caller that does not read its
 * answers holds no more than those.
 *
 *   open -> (the caller closes its side) -> ending -> (everything is answered) -> gone
 *   open, ending -> (the connection is lost) -> gone
 */
class Exchange implements Leaving {
  hasLeft = false
  readonly #deps: MicroBatchDeps
  readonly #call: ExchangeCall
  readonly #onGone: () => void
  readonly #onLeft = new Set<() => void>()
  #running = 0
  #isEnding = false

  constructor(deps: MicroBatchDeps, call: ExchangeCall, onGone: () => void) {
    this.#deps = deps
    this.#call = call
    this.#onGone = onGone
    const gone = () => this.#gone()
    call.on('data', (bytes: Buffer) => this.#receive(bytes))
    call.on('end', () => {
      this.#isEnding = true
      this.#endWhenIdle()
    })
    call.on('drain', () => this.#readOn())
    call.on('cancelled', gone)
    call.on('error', gone)
    call.on('close', gone)
  }

  onLeft(run: () => void): () => void {
    this.#onLeft.add(run)
    return () => {
      this.#onLeft.delete(run)
    }
  }

  goAway(): void {
    this.#write(encodeGoAway())
  }

  #receive(bytes: Buffer): void {
    let frame: CallFrame
    try {
      frame = decodeCall(bytes)
    } catch (cause) {
      // The call cannot be identified, so the stream ends.
      const error = new AppError('invalid_argument', 'not a MicroBatch', { cause })
      this.#call.emit('error', toServiceError(error, this.#deps.log, this.#call.getPath()))
      return
    }
    this.#running++
    void this.#answer(frame).then((answer) => {
      this.#running--
      this.#write(answer)
      this.#readOn()
      this.#endWhenIdle()
    })
    if (this.#isFull) this.#call.pause()
  }

  /** Bytes of the answer. Never rejects. */
  async #answer(frame: CallFrame): Promise<Buffer> {
    const { id, field, timeoutMs } = frame
    const { clock, log } = this.#deps
    const deadline = timeoutMs === 0 ? undefined : clock.now() + timeoutMs
    let path = this.#call.getPath()
    let context: SocketCall | undefined
    try {
      const { method, metadata, message } = this.#asked(frame)
      path = method.path
      context = new SocketCall(metadata, this, deadline, clock)
      const request = requestOf(method, message)
      return encodeAnswer(id, field, method.serialize(await method.handler(request, context)))
    } catch (error) {
      return encodeFailure(id, statusOf(error, log, path))
    } finally {
      context?.end()
    }
  }

  /** @throws {AppError} `unimplemented` for a call that this release does not serve on a stream. */
  #asked({ field, message }: CallFrame): Asked {
    const { methods, reads } = this.#deps
    if (field !== READ) {
      const metadata = fromGrpcMetadata(this.#call.metadata)
      return { method: servedMethod(methods.get(field)), metadata, message }
    }
    const read = decodeRead(message)
    // Metadata of the caller only: being sent by a gateway gives it no rights of a member.
    return {
      method: servedMethod(reads.get(read.method)),
      metadata: read.metadata,
      message: read.request,
    }
  }

  get #isFull(): boolean {
    return this.#running + this.#call.writableLength >= STREAM_CALLS_MAX
  }

  #readOn(): void {
    if (this.#call.isPaused() && !this.#isFull) this.#call.resume()
  }

  #write(bytes: Buffer): void {
    if (!this.hasLeft) this.#call.write(bytes)
  }

  #endWhenIdle(): void {
    if (this.#isEnding && this.#running === 0 && !this.hasLeft) this.#call.end()
  }

  #gone(): void {
    if (this.hasLeft) return
    this.hasLeft = true
    for (const run of [...this.#onLeft]) run()
    this.#onGone()
  }
}

type Asked = {
  readonly method: StreamedMethod
  readonly metadata: CallMetadata
  readonly message: Uint8Array
}

function servedMethod(method: StreamedMethod | undefined): StreamedMethod {
  if (method === undefined) throw new AppError('unimplemented', 'no such call on the stream')
  return method
}

function requestOf({ path, deserialize }: StreamedMethod, bytes: Uint8Array): object {
  try {
    return deserialize(asBuffer(bytes))
  } catch (cause) {
    throw new AppError('invalid_argument', `${path}: not its request`, { cause })
  }
}

/** Bytes of a google.rpc.Status, as the trailer of a call of its own has them. */
function statusOf(error: unknown, log: Log, path: string): Uint8Array {
  const [trailer] = toServiceError(error, log, path).metadata?.get(ERROR_DETAILS_METADATA) ?? []
  return trailer instanceof Uint8Array ? trailer : new Uint8Array()
}
