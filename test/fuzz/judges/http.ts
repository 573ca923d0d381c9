import { HTTP_HEADER_BYTES_MAX } from '../../../src/core/limits/limits.ts'
import { RawClient } from '../../support/http/raw-http.ts'
import { READER_KEY } from '../keys.ts'
import type { Server } from '../server.ts'
import { headText, isRecord, type Judge, jsonOf, sentOf } from '../target.ts'
import { faultOf } from './answers.ts'

/** After so long without a byte, whatever is still unanswered waits for more bytes of its request. */
const QUIET_MS = 60
/** A whole request is answered before; else nobody works on it. */
const PATIENT_MS = 60_000
const NO_ANSWER = 'there was no answer'

/** Bytes of a connection, as they are. What comes in answer must be answers. */
export function judgeHttp({ product, readerKey }: Server): Judge {
  return async (input) => {
    const client = await RawClient.connect(product.process.ports.http)
    try {
      client.send(withKey(input, readerKey))
      const head = input.includes('HEAD')
      for (;;) {
        const answer = await soon(client.next({ head }), QUIET_MS)
        if (answer === undefined) return undefined
        // An answer to HEAD has a length and no body: what comes after it cannot be told apart.
        const fault = faultOf(head ? { ...answer, body: Buffer.alloc(0) } : answer)
        if (fault !== undefined || head) return fault
      }
    } finally {
      client.socket.destroy()
    }
  }
}

/** One whole request with a body: it must have an answer. */
export function judgeBodies({ product }: Server): Judge {
  return async (input) => {
    const { head, bytes } = sentOf(input)
    const path = headText(head, 'path', '/batch/').replaceAll(' ', '')
    const lines = [
      `POST /${path.replace(/^\/+/, '')} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Content-Length: ${bytes.length}`,
      `Content-Type: ${headText(head, 'type', 'application/json')}`,
      `Content-Encoding: ${headText(head, 'encoding', '')}`,
      `Authorization: ${headText(head, 'authorization', '')}`,
      ...['', ''],
    ]
    return await answered(
      product.process.ports.http,
      Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]),
    )
  }
}

/** A query of events by a user who may make it. */
export function judgeExpressions({ product, readerKey }: Server): Judge {
  return async (input) => {
    const parsed = jsonOf(input.toString())
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(
      isRecord(parsed) ? parsed : { where: input.toString() },
    )) {
      parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const lines = [
      `GET /api/projects/1/events/?${parameters} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${readerKey}`,
      ...['', ''],
    ]
    const sent = Buffer.from(lines.join('\r\n'))
    const fault = await answered(product.process.ports.http, sent)
    // Such headers are refused unread: the reset may overtake the answer.
    return fault === NO_ANSWER && sent.length > HTTP_HEADER_BYTES_MAX ? undefined : fault
  }
}

async function answered(port: number, sent: Buffer): Promise<string | undefined> {
  const client = await RawClient.connect(port)
  try {
    client.send(sent)
    const answer = await soon(client.next(), PATIENT_MS)
    return answer === undefined ? NO_ANSWER : faultOf(answer)
  } finally {
    client.socket.destroy()
  }
}

function withKey(input: Buffer, key: string): Buffer {
  return Buffer.from(input.toString('latin1').replaceAll(READER_KEY, key), 'latin1')
}

async function soon<T>(answer: Promise<T>, withinMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, withinMs, undefined)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
