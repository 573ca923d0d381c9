/** A request source that repeats prepared requests. */
import { assert } from '../../src/core/code.ts'
import type { RequestTarget } from '../load/workload/payload.ts'
import type { RequestSource } from '../load/workload/request-source.ts'

/**
 * Sends prepared requests in order, again and again.
 * @param accepts says whether the body of a 2xx answer is correct.
 */
export function createFixedSource(
  requests: readonly Buffer[],
  accepts: RequestSource['accepts'],
): RequestSource {
  assert(requests.length > 0, 'a source needs a request')
  let next = 0
  return {
    bytesMax: Math.max(...requests.map((request) => request.length)),
    eventsPerRequest: 0,
    accepts,
    fill: (target) => {
      const length = requests[next]?.copy(target) ?? 0
      next = (next + 1) % requests.length
      return length
    },
  }
}

export function getRequest(target: RequestTarget, authorization: string): Buffer {
  return Buffer.from(
    `GET ${target.path} HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: ${authorization}\r\n\r\n`,
  )
}

export function postRequest(target: RequestTarget, json: string): Buffer {
  const body = Buffer.from(json)
  const head =
    `POST ${target.path} HTTP/1.1\r\nHost: ${target.host}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** Same form as the ids of the generator's sources, so that both sides get equal requests. */
export function userId(number: number): string {
  return `user-${String(number).padStart(10, '0')}`
}

const TOGGLES = Buffer.from('{"toggles":[{')
const CLOSING = Buffer.from('}]}')

/**
 * A complete list of at least one toggle. Parsing each body would cost the generator more than the
 * server, so only the answers of some ids are parsed, before the measurement.
 */
export function isTogglesAnswer(bytes: Buffer, start: number, end: number): boolean {
  return (
    end - start >= TOGGLES.length + CLOSING.length &&
    bytes.compare(TOGGLES, 0, TOGGLES.length, start, start + TOGGLES.length) === 0 &&
    bytes.compare(CLOSING, 0, CLOSING.length, end - CLOSING.length, end) === 0
  )
}
