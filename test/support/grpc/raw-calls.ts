/** gRPC calls frame by frame, for calls that no client library sends. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { Test } from 'tap'

export type Answer = {
  /** `grpc-status`; undefined when the stream was ended without one. */
  readonly status: number | undefined
  readonly message: string
}

export type RawCall = {
  readonly stream: ClientHttp2Stream
  /** Resolves when the stream has closed. */
  readonly answer: Promise<Answer>
}

export type Headers = Readonly<Record<string, string>>

/** One connection; closed after the test. */
export function rawConnection(t: Test, port: number): ClientHttp2Session {
  // In MB: unread data count, and an answer would be refused past it.
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1_000 })
  // A connection that the server cuts: tests see it by its calls, or by `closed`.
  session.on('error', () => {})
  t.teardown(() => session.destroy())
  return session
}

/** Opens a call and sends nothing of its request. */
export function openCall(
  session: ClientHttp2Session,
  path: string,
  headers: Headers = {},
): RawCall {
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    },
    { endStream: false },
  )
  return { stream, answer: answerOf(stream) }
}

/** A message as it is framed. @param flag 1 for a compressed one. */
export function framed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt8(flag, 0)
  header.writeUInt32BE(length, 1)
  return Buffer.concat([header, message])
}

/** Sends a whole request. */
export function send({ stream }: RawCall, bytes: Uint8Array): void {
  stream.end(bytes)
}

function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  let status: number | undefined
  let message = ''
  const read = (headers: IncomingHttpHeaders) => {
    const given = headers['grpc-status']
    if (given === undefined) return
    status = Number(given)
    message = decodeURI(String(headers['grpc-message'] ?? ''))
  }
  stream.on('response', read)
  stream.on('trailers', read)
  // Tests read the status; a reset stream also emits an error.
  stream.on('error', () => {})
  stream.resume()
  return new Promise((resolve) => {
    stream.on('close', () => resolve({ status, message }))
  })
}
