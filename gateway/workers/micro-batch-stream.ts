/**
 * Micro-batches to one worker on one long stream. The first call opens it, and the first call after
 * its end opens another one.
 *
 *   none -> (call) -> current -> (GOAWAY, an end, a refused token) -> left
 *
 * Calls that are under way on a stream that was left are still answered there. When it breaks,
 * their outcome is unknown.
 */
import type { ClientDuplexStream, Metadata, ServiceError } from '@grpc/grpc-js'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import { decodeErrorDetails } from '../../src/wire/proto/error-details.ts'
import {
  type AnswerFrame,
  decodeAnswer,
  encodeCall,
  READ,
} from '../../src/wire/proto/micro-batch-frames.ts'
import { toAppError } from './grpc-failure.ts'

export type MicroBatchStream = {
  /**
   * @param field of `STREAMED_METHODS`, or `READ`.
   * @param metadata for the stream, should this call open it.
   * @returns bytes of the answer.
   * @throws {AppError} as `Caller.call`; `unimplemented` when the worker has no such stream.
   */
  call(
    field: number,
    message: Uint8Array,
    timeoutMs: number,
    metadata: () => Metadata,
  ): Promise<Uint8Array>
  /** Ends this side. Calls under way fail when the connection closes. */
  close(): void
}

type Duplex = ClientDuplexStream<Buffer, Buffer>

type Pending = {
  /** A read is refused for its caller's key, not for the token of the stream. */
  readonly isRead: boolean
  readonly resolve: (message: Uint8Array) => void
  readonly reject: (error: AppError) => void
  readonly cancelTimer: () => void
}

type OpenStream = { readonly duplex: Duplex; readonly pending: Map<number, Pending> }

/** Ids are 32 bits wide on the wire. */
const ID_MAX = 0xffff_ffff

export function createMicroBatchStream(
  path: string,
  open: (metadata: Metadata) => Duplex,
  clock: Clock,
): MicroBatchStream {
  return new ReopenedStream(path, open, clock)
}

class ReopenedStream implements MicroBatchStream {
  readonly #path: string
  readonly #open: (metadata: Metadata) => Duplex
  readonly #clock: Clock
  #current: OpenStream | undefined
  #lastId = 0

  constructor(path: string, open: (metadata: Metadata) => Duplex, clock: Clock) {
    this.#path = path
    this.#open = open
    this.#clock = clock
  }

  call(
    field: number,
    message: Uint8Array,
    timeoutMs: number,
    metadata: () => Metadata,
  ): Promise<Uint8Array> {
    this.#current ??= this.#start(metadata())
    const stream = this.#current
    const id = this.#lastId === ID_MAX ? 1 : this.#lastId + 1
    this.#lastId = id
    return new Promise((resolve, reject) => {
      const cancelTimer = this.#clock.after(timeoutMs, () => {
        stream.pending.delete(id)
        const text = `${this.#path}: no answer`
        reject(new NoAnswerError('deadline_exceeded', text, { sent: true }))
      })
      stream.pending.set(id, { isRead: field === READ, resolve, reject, cancelTimer })
      stream.duplex.write(encodeCall({ id, timeoutMs: Math.ceil(timeoutMs), field, message }))
    })
  }

  close(): void {
    if (this.#current !== undefined) this.#leave(this.#current)
  }

  #start(metadata: Metadata): OpenStream {
    const stream: OpenStream = { duplex: this.#open(metadata), pending: new Map() }
    const { duplex } = stream
    duplex.on('data', (bytes: Buffer) => {
      try {
        this.#take(stream, decodeAnswer(bytes))
      } catch (cause) {
        // The frame does not show which call it answers, so all calls of the stream fail, and the
        // stream with them.
        this.#failAll(stream, new AppError('internal', `${this.#path}: not an answer`, { cause }))
        duplex.cancel()
      }
    })
    duplex.on('error', (error: ServiceError) => {
      this.#failAll(stream, toAppError(error, this.#path, undefined))
    })
    duplex.on('end', () => {
      this.#leave(stream)
      if (stream.pending.size === 0) return
      const text = `${this.#path}: ended by the worker`
      this.#failAll(stream, new NoAnswerError('unavailable', text, { sent: true }))
    })
    return stream
  }

  #take(stream: OpenStream, frame: AnswerFrame): void {
    if (frame.kind === 'go_away') {
      this.#leave(stream)
      return
    }
    // Undefined for a late answer, whose call has failed already.
    const pending = settle(stream, frame.id)
    if (frame.kind === 'answer') {
      pending?.resolve(frame.message)
      return
    }
    const error = failureOf(frame.status, this.#path)
    // The next call opens a stream with another token.
    if (error.code === 'unauthenticated' && pending?.isRead !== true) this.#leave(stream)
    pending?.reject(error)
  }

  #leave(stream: OpenStream): void {
    if (this.#current === stream) this.#current = undefined
    if (!stream.duplex.writableEnded) stream.duplex.end()
  }

  #failAll(stream: OpenStream, error: AppError): void {
    if (this.#current === stream) this.#current = undefined
    for (const id of [...stream.pending.keys()]) settle(stream, id)?.reject(error)
  }
}

/** Removes a call from the pending ones; `undefined` when it is not pending. */
function settle(stream: OpenStream, id: number): Pending | undefined {
  const pending = stream.pending.get(id)
  stream.pending.delete(id)
  pending?.cancelTimer()
  return pending
}

function failureOf(bytes: Uint8Array, path: string): AppError {
  const wire = decodeErrorDetails(bytes)
  if (wire === undefined) return new AppError('internal', `${path}: failed without a reason`)
  return new AppError(wire.code, `${path}: ${wire.detail?.detail ?? wire.code}`, {
    detail: wire.detail,
  })
}
