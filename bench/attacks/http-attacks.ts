/** Attacks over HTTP with only the public key of a web page. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { ensureFlags } from '../load/workload/management-api.ts'
import { type Attack, managed, type Target, urlOf } from './attack.ts'

const ANSWER_MS_MAX = 20_000

export type Sent = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** Sends requests from a stranger's address. An answer is its status, else the error's code. */
export function createSender({ host, httpPort, from }: Target): {
  send: (sent: Sent) => Promise<string>
  end: () => void
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const send = ({ path, method = 'POST', headers = {}, body }: Sent) =>
    new Promise<string>((resolve) => {
      const length = body === undefined ? 0 : Buffer.byteLength(body)
      const sending = request({
        host,
        port: httpPort,
        path,
        method,
        agent,
        localAddress: from,
        headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
        timeout: ANSWER_MS_MAX,
      })
      sending.on('response', (answer) => {
        answer.resume()
        answer.on('close', () => resolve(String(answer.statusCode)))
      })
      sending.on('timeout', () => sending.destroy(new AppError('deadline_exceeded', 'no answer')))
      sending.on('error', (error) => resolve(Object(error).code ?? error.message))
      sending.end(body)
    })
  return { send, end: () => agent.destroy() }
}

const MEGABYTE = 1_000_000
/** Below the bound of a person's properties. */
const PERSON_BYTES = 500_000
const LARGE_PERSONS = 40
/** Number of flags, some of which read `plan`. */
const FLAGS = 20

/** The refused body is sent again and again, and in between it is asked about the person. */
const largeSet: Attack = {
  name: '$set of 6 MB, decides',
  openMax: 64,
  async prepare(target) {
    await ensureFlags(urlOf(target), managed(target), FLAGS)
    const { send, end } = createSender(target)
    const { apiKey } = target.project
    const $set = { plan: 'x'.repeat(6 * MEGABYTE) }
    const body = JSON.stringify({ api_key: apiKey, event: '$set', distinct_id: 'large', $set })
    const strike = (number: number) =>
      number % 10 === 0 ? send({ path: '/capture/', body }) : send(decide(apiKey, 'large', number))
    return { strike, end }
  },
}

/** Persons of the largest size, in the property that flags read. */
const largePersons: Attack = {
  name: 'decides about persons of 500 kB',
  openMax: 64,
  async prepare(target) {
    await ensureFlags(urlOf(target), managed(target), FLAGS)
    const { send, end } = createSender(target)
    const { apiKey } = target.project
    const id = (number: number) => `heavy-${number % LARGE_PERSONS}`
    const $set = { plan: 'x'.repeat(PERSON_BYTES) }
    for (let number = 0; number < LARGE_PERSONS; number++) {
      const event = { api_key: apiKey, event: '$set', distinct_id: id(number), $set }
      const answer = await send({ path: '/capture/', body: JSON.stringify(event) })
      if (answer !== '200') throw new AppError('unavailable', `a large person: ${answer}`)
    }
    return { strike: (number) => send(decide(apiKey, id(number), number)), end }
  },
}

/** Decide requests that all differ, so that no cache answers. */
function decide(apiKey: string, id: string, number: number): Sent {
  const question = { token: apiKey, distinct_id: id, person_properties: { number } }
  return { path: '/decide/?v=2', body: JSON.stringify(question) }
}

const inflated: Attack = {
  name: '$set of 10 MB in 10 kB of gzip',
  openMax: 64,
  async prepare(target) {
    const { send, end } = createSender(target)
    const $set = { plan: 'x'.repeat(10 * MEGABYTE) }
    const event = { api_key: target.project.apiKey, event: '$set', distinct_id: 'gzip', $set }
    const body = gzipSync(JSON.stringify(event))
    return { strike: () => send({ path: '/capture/', body, headers: GZIP }), end }
  },
}

/** Valid batches of the largest size allowed, whose events are stored. */
const largeBatches: Attack = {
  name: 'batches of 19 events of 1 MB in gzip',
  openMax: 64,
  async prepare(target) {
    const { send, end } = createSender(target)
    const properties = { text: 'x'.repeat(0.98 * MEGABYTE) }
    const batch = Array.from({ length: 19 }, () => ({ event: 'b', distinct_id: 'b', properties }))
    const body = gzipSync(JSON.stringify({ api_key: target.project.apiKey, batch }))
    return { strike: () => send({ path: '/batch/', body, headers: GZIP }), end }
  },
}

const GZIP = { 'content-encoding': 'gzip' }

const BODY_BYTES = 20_900_000
const MEMBERS = 4_000_000

/** Bodies of many members, plain or in gzip. */
function members(name: string, compress: boolean): Attack {
  return {
    name,
    openMax: 16,
    async prepare(target) {
      const { send, end } = createSender(target)
      const plain = membersBody()
      const body = compress ? gzipSync(plain, { level: 9 }) : plain
      return { strike: () => send({ path: '/batch/', body, headers: compress ? GZIP : {} }), end }
    },
  }
}

/** Four million empty members, with an unknown key at the end. */
function membersBody(): string {
  const start = '{"batch":[{"event":"a","distinct_id":"a","properties":{'
  const rest = '"x":0}}],"api_key":"phc_nobody"}'
  const member = '"":0,'
  const some = member.repeat(Math.min(MEMBERS, (BODY_BYTES - start.length - rest.length) / 5))
  return `${start}${some}${rest}`
}

/** One character a second for each connection, and never a complete head. */
const slowLoris: Attack = {
  name: 'slow-loris over HTTP',
  openMax: 4_000,
  async prepare({ host, httpPort, from }) {
    const ends = new Set<() => void>()
    const strike = () =>
      new Promise<string>((resolve) => {
        const socket = connect({ host, port: httpPort, localAddress: from })
        const over = new AbortController()
        const drip = async () => {
          while (!over.signal.aborted) {
            socket.write('x')
            await systemClock.sleep(1_000)
          }
        }
        void drip()
        const end = () => socket.destroy()
        ends.add(end)
        socket.write('POST /capture/ HTTP/1.1\r\nHost: x\r\nX-Slow: ')
        socket.on('error', () => {
          // A reset is one way to refuse; `close` follows.
        })
        socket.on('data', () => end())
        socket.on('close', () => {
          over.abort()
          ends.delete(end)
          resolve('cut')
        })
      })
    return {
      strike,
      end: () => {
        for (const end of ends) end()
      },
    }
  },
}

export const HTTP_ATTACKS: readonly Attack[] = [
  largeSet,
  largePersons,
  inflated,
  largeBatches,
  members('20.9 MB of 4 M members, no key', false),
  members('the same in gzip', true),
  slowLoris,
]
