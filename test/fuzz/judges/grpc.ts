import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { status } from '@grpc/grpc-js'
import { methodByPath } from '../../../src/wire/proto/proto.ts'
import { READER_KEY } from '../keys.ts'
import type { Server } from '../server.ts'
import { headText, type Judge, type Sent, sentOf } from '../target.ts'

/** Longer than the server gives an unfinished request. */
const PATIENT_MS = 60_000
/** A connection without an answer for so long waits for more frames, a stream for what is to come. */
const QUIET_MS = 100

/**
 * Calls must end with a status, and not with one that says that the server is at fault. A stream of
 * what happens has no end: it is left once it is quiet.
 */
export function judgeGrpc({ product, readerKey }: Server): Judge {
  const port = product.process.ports.grpc
  return async (input) => {
    const sent = sentOf(input)
    return sent.head['kind'] === 'frames'
      ? await sendFrames(port, sent.bytes)
      : await call(port, sent, readerKey)
  }
}

async function call(
  port: number,
  { head, bytes }: Sent,
  readerKey: string,
): Promise<string | undefined> {
  const text = (name: string, otherwise: string) => headText(head, name, otherwise)
  const optional = { 'grpc-timeout': text('timeout', ''), 'grpc-encoding': text('encoding', '') }
  const given = Object.entries(optional).filter(([, value]) => value !== '')
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  session.on('error', () => {}) // The server may cut it; the stream's end says so.
  try {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: text('path', '/') || '/',
      [constants.HTTP2_HEADER_CONTENT_TYPE]: text('type', 'application/grpc'),
      [constants.HTTP2_HEADER_TE]: 'trailers',
      authorization: text('authorization', '').replaceAll(READER_KEY, readerKey),
      ...Object.fromEntries(given),
    })
    const ended = new Promise<string | undefined>((resolve) => {
      let said: string | undefined
      const read = (headers: Readonly<Record<string, unknown>>) => {
        const code = headers['grpc-status']
        if (code !== undefined) said = faultOf(Number(code), String(headers['grpc-message'] ?? ''))
      }
      const isStream = methodByPath(text('path', ''))?.streaming === true
      const late = isStream
        ? setTimeout(() => stream.close(), QUIET_MS)
        : setTimeout(resolve, PATIENT_MS, 'the call has not ended')
      stream
        .on('response', read)
        .on('trailers', read)
        .on('error', () => {})
        .on('data', () => {
          if (isStream) late.refresh()
        })
      stream.on('close', () => {
        clearTimeout(late)
        resolve(said)
      })
    })
    stream.end(bytes)
    return await ended
  } finally {
    session.destroy()
  }
}

/**
 * Codes of gRPC's own documentation for bytes that are no message, of services that come with its
 * library; ours answer `INVALID_ARGUMENT`.
 */
const OF_THE_LIBRARY = /^(?:Error deserializing request$|Invalid grpc-timeout value)/

function faultOf(code: number, text: string): string | undefined {
  const message = decoded(text)
  if (code === status.INTERNAL && OF_THE_LIBRARY.test(message)) return undefined
  const isServers = code === status.INTERNAL || code === status.UNKNOWN || code === status.DATA_LOSS
  return isServers || status[code] === undefined ? `status ${code}: ${message}` : undefined
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text // The library echoes the path of an unknown method as it came.
  }
}

/** Whatever is answered: only that the process lives on. */
async function sendFrames(port: number, bytes: Buffer): Promise<undefined> {
  const socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((resolve) => {
    const quiet = setTimeout(resolve, QUIET_MS)
    socket.on('data', () => quiet.refresh())
    socket.on('error', () => {}) // A reset is one way to refuse; `close` follows.
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve()
    })
    socket.write(bytes)
  })
  socket.destroy()
}
