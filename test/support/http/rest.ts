/** The REST routes of the gateway over handlers of the test. */
import type { HttpReply, HttpRequest } from '../../../gateway/http/http-server.ts'
import { createTranscoder, type TranscoderDeps } from '../../../gateway/rest/transcode.ts'
import { silentLog } from '../../../src/core/log.ts'
import { things } from '../api/things.ts'
import { type RecordedCall, recordingWorker } from '../workers/recording-worker.ts'

export const LIST = '/api/projects/7/things/'
export const ONE = '/api/projects/7/things/12/'

export type Sent = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly anonymous?: boolean
}

export const KEY = 'phx_secret'
export const PEER = '10.0.0.1'

export function requestOf(method: string, target: string, sent: Sent): HttpRequest {
  const [path = '', ...query] = target.split('?')
  const headers: Record<string, string> = { host: 'sluice.test:8000', ...sent.headers }
  if (sent.anonymous !== true) headers['authorization'] ??= `Bearer ${KEY}`
  if (typeof sent.body === 'string') headers['content-type'] ??= 'application/json'
  // As on the servers' own requests, a member that is taken off its object does not work.
  const request = {
    headers,
    method,
    path,
    query: query.join('?'),
    header(name: string) {
      return this.headers[name]
    },
    headerList(name: string) {
      return this.headers[name] ?? ''
    },
    headAtMs: 0,
    remoteAddress: PEER,
    aborted: false,
    signal: new AbortController().signal,
  }
  return request
}

type Answer = (call: RecordedCall) => object | Promise<object>

export function setUp(answer: Answer = () => ({}), extra: Partial<TranscoderDeps> = {}) {
  const { worker, calls } = recordingWorker(answer)
  const transcoder = createTranscoder({
    worker,
    log: silentLog,
    trustsForwarded: () => false,
    methods: things.methods,
    renderers: { '/sluice.test.ThingService/ThingValues': { 'text/csv': renderCsv } },
    ...extra,
  })
  const ask = (method: string, target: string, sent: Sent = {}) =>
    transcoder.handle(requestOf(method, target, sent), Buffer.from(sent.body ?? ''))
  return { transcoder, calls, ask }
}

async function renderCsv({ call }: { call: () => Promise<object> }): Promise<HttpReply> {
  await call()
  async function* rows() {
    yield Buffer.from('name\r\n')
  }
  return { status: 200, headers: [['content-type', 'text/csv; charset=utf-8']], body: rows() }
}

export function bodyOf(reply: HttpReply): unknown {
  return typeof reply.body === 'string' && reply.body !== '' ? JSON.parse(reply.body) : undefined
}

/** Text of an answer that may be streamed. */
export async function textOf({ body }: HttpReply): Promise<string> {
  if (typeof body === 'string') return body
  const pieces: Uint8Array[] = []
  if (body instanceof Uint8Array) pieces.push(body)
  else for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

export function headerOf(reply: HttpReply, name: string): string | undefined {
  return reply.headers?.find(([each]) => each === name)?.[1]
}

export function bodyErrorOf(call: RecordedCall | undefined): unknown {
  const text = call?.options.metadata['x-sluice-body-error']
  return text === undefined ? undefined : JSON.parse(text)
}
