/** Reads a page that a worker answers in pieces, or whole when it is small or of an older release. */
import type { ClientReadableStream } from '@grpc/grpc-js'
import { AppError } from '../core/code.ts'
import { joinPieces, type PagedMethod } from './proto/page-pieces.ts'

/**
 * The whole page, joined from its pieces.
 * @throws {AppError} `internal` when no piece has arrived. {ServiceError} of grpc-js when the call
 * fails, even after some pieces.
 */
export function joinedPage(
  call: ClientReadableStream<object>,
  method: PagedMethod,
  signal: AbortSignal | undefined,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const cancel = () => call.cancel()
    const settled = () => signal?.removeEventListener('abort', cancel)
    const pieces: object[] = []
    call.on('data', (piece: object) => pieces.push(piece))
    call.on('error', (error) => {
      settled()
      reject(error)
    })
    call.on('end', () => {
      settled()
      if (pieces.length === 0) reject(new AppError('internal', 'empty answer'))
      else resolve(joinPieces(method, pieces))
    })
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted === true) cancel()
  })
}
