import type { ClientDuplexStream, Metadata, ServiceError } from '@grpc/grpc-js'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'
import { decodeErrorDetails } from '../../src/wire/proto/error-details.ts'
import {
  type AnswerFrame,
  decodeAnswer,
  encodeCall,
} from '../../src/wire/proto/micro-batch-frames.ts'
import { toAppError } from './grpc-failure.ts'

/**
 * Micro-batches to one worker on one long stream, opened by the first and again by the first after
 * its end.
 *
 *   none -> (call) -> current -> (goodbye, an end, a refused token) -> left
 *
 * What is under way on a stream that was left is still answered there; when that one breaks, its
 * outcome is unknown.
 */
export type MicroBatchStream = {
  /**
   * @param field of `STREAMED_METHODS`.
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
  /** Closes this side; what is under way fails when the connection is closed. */
  close(): void
}

type Duplex = ClientDuplexStream<Buffer, Buffer>

type Pending = {
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
  let current: OpenStream | undefined
  let lastId = 0

  const leave = (stream: OpenStream) => {
    if (current === stream) current = undefined
    if (!stream.duplex.writableEnded) stream.duplex.end()
  }

  const settle = (stream: OpenStream, id: number): Pending | undefined => {
    const pending = stream.pending.get(id)
    stream.pending.delete(id)
    pending?.cancelTimer()
    return pending
  }

  const failAll = (stream: OpenStream, error: AppError) => {
    if (current === stream) current = undefined
    for (const id of [...stream.pending.keys()]) settle(stream, id)?.reject(error)
  }

  const take = (stream: OpenStream, frame: AnswerFrame) => {
    if (frame.kind === 'goodbye') return leave(stream)
    // Nobody waits any more for one that was late.
    const pending = settle(stream, frame.id)
    if (frame.kind === 'answer') return pending?.resolve(frame.message)
    const error = failureOf(frame.status, path)
    // The next call brings another token along.
    if (error.code === 'unauthenticated') leave(stream)
    pending?.reject(error)
  }

  const start = (metadata: Metadata): OpenStream => {
    const stream: OpenStream = { duplex: open(metadata), pending: new Map() }
    const { duplex } = stream
    duplex.on('data', (bytes: Buffer) => {
      try {
        take(stream, decodeAnswer(bytes))
      } catch (cause) {
        // Which call it answers cannot be known: all of them fail, and the stream with them.
        failAll(stream, new AppError('internal', `${path}: not an answer`, { cause }))
        duplex.cancel()
      }
    })
    duplex.on('error', (error: ServiceError) => failAll(stream, toAppError(error, path, undefined)))
    duplex.on('end', () => {
      leave(stream)
      const why = { sent: true }
      if (stream.pending.size > 0) {
        failAll(stream, new NoAnswerError('unavailable', `${path}: ended by the worker`, why))
      }
    })
    return stream
  }

  return {
    call(field, message, timeoutMs, metadata) {
      current ??= start(metadata())
      const stream = current
      const id = lastId === ID_MAX ? 1 : lastId + 1
      lastId = id
      return new Promise((resolve, reject) => {
        const cancelTimer = clock.after(timeoutMs, () => {
          stream.pending.delete(id)
          reject(new NoAnswerError('deadline_exceeded', `${path}: no answer`, { sent: true }))
        })
        stream.pending.set(id, { resolve, reject, cancelTimer })
        stream.duplex.write(encodeCall({ id, timeoutMs: Math.ceil(timeoutMs), field, message }))
      })
    },
    close() {
      if (current !== undefined) leave(current)
    },
  }
}

function failureOf(bytes: Uint8Array, path: string): AppError {
  const wire = decodeErrorDetails(bytes)
  if (wire === undefined) return new AppError('internal', `${path}: failed without a reason`)
  return new AppError(wire.code, `${path}: ${wire.detail?.detail ?? wire.code}`, {
    detail: wire.detail,
  })
}
