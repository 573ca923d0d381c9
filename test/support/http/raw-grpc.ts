/** gRPC over a raw HTTP/2 session, for malformed calls. */
import { connect, constants } from 'node:http2'

export type RawCall = {
  readonly path: string
  /** The bytes of the message. */
  readonly request: Buffer
  readonly metadata: Readonly<Record<string, string>>
  /** As `grpc-timeout` spells it: `1n` has passed before the call arrives. */
  readonly timeout: string
}

/**
 * Calls over bare HTTP/2, with a deadline that grpc-js itself would not send any more. Resolves with
 * the number of `grpc-status`, one call after the other.
 */
export async function callRawGrpc(address: string, calls: readonly RawCall[]): Promise<number[]> {
  const session = connect(`http://${address}`)
  const statuses: number[] = []
  try {
    for (const { path, request, metadata, timeout } of calls) {
      statuses.push(
        await new Promise((resolve, reject) => {
          const stream = session.request({
            ...metadata,
            [constants.HTTP2_HEADER_METHOD]: 'POST',
            [constants.HTTP2_HEADER_PATH]: path,
            [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
            [constants.HTTP2_HEADER_TE]: 'trailers',
            'grpc-timeout': timeout,
          })
          const settle = (headers: Readonly<Record<string, unknown>>) => {
            if (headers['grpc-status'] !== undefined) resolve(Number(headers['grpc-status']))
          }
          stream.on('response', settle).on('trailers', settle).on('error', reject).resume()
          stream.on('close', () => reject(new Error('the call ended without a status')))
          stream.end(framed(request))
        }),
      )
    }
  } finally {
    session.close()
  }
  return statuses
}

/** Frame of an uncompressed message. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}
