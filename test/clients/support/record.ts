/** Requests of a client that is not installed everywhere: recorded where it is, sent again on other machines. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { callUntilTaken, createHttpClient, type Reply } from '../../support/http/http-call.ts'
import { type Exchange, startProxy } from './proxy.ts'
import type { World } from './world.ts'

export type Recording = {
  readonly origin: {
    readonly library: string
    readonly version: string
    /** Runtime of the library. */
    readonly runtime: string
    /** ISO 8601, UTC. */
    readonly recordedAt: string
  }
  readonly requests: readonly RecordedRequest[]
}

/** Keys stand as `{project_key}` and `{personal_key}`. */
export type RecordedRequest = {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Headers that a server may act on. */
  readonly headers: Readonly<Record<string, string>>
  /** Unpacked; packed again when `headers` say gzip. */
  readonly body: string
}

type Keys = { readonly projectKey: string; readonly personalKey: string }

const KEPT = ['authorization', 'content-encoding', 'content-type', 'user-agent']

export type Recorder = {
  readonly url: string
  /** Records of the requests answered so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[]
}

/** A proxy before `product` that keeps what passes. Closed after the test. */
export async function startRecorder(t: Test, product: World['product']): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const url = await startProxy(t, product.url, (exchange) => {
    requests.push(recordOf(exchange, product))
    return 'pass'
  })
  return { url, requests }
}

function recordOf({ method, path, headers, body }: Exchange, keys: Keys): RecordedRequest {
  const isPacked = headers['content-encoding'] === 'gzip'
  const kept = KEPT.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, withoutKeys(value, keys)]] : []
  })
  return {
    method,
    path: withoutKeys(path, keys),
    headers: Object.fromEntries(kept),
    body: withoutKeys((isPacked ? gunzipSync(body) : body).toString('utf8'), keys),
  }
}

function withoutKeys(text: string, { projectKey, personalKey }: Keys): string {
  return text.replaceAll(projectKey, '{project_key}').replaceAll(personalKey, '{personal_key}')
}

function withKeys(text: string, { projectKey, personalKey }: Keys): string {
  return text.replaceAll('{project_key}', projectKey).replaceAll('{personal_key}', personalKey)
}

export function readRecording(path: string): Recording {
  return JSON.parse(readFileSync(path, 'utf8')) as Recording
}

export function writeRecording(path: string, recording: Recording): void {
  writeFileSync(path, `${JSON.stringify(recording, null, 2)}\n`)
}

/** Answers of the server to each, one after the other as they were recorded. */
export async function replay(
  t: Test,
  { product }: World,
  requests: readonly RecordedRequest[],
): Promise<readonly Reply[]> {
  const client = createHttpClient(product.url)
  t.teardown(() => client.close())
  const replies: Reply[] = []
  for (const { method, path, headers, body } of requests) {
    const text = withKeys(body, product)
    const sent = headers['content-encoding'] === 'gzip' ? gzipSync(text) : text
    const filled = Object.entries(headers).map(([name, value]) => [name, withKeys(value, product)])
    const call = {
      verb: method,
      path: withKeys(path, product),
      headers: Object.fromEntries(filled),
      ...(body === '' ? {} : { body: sent }),
    }
    replies.push(await callUntilTaken(client, call))
  }
  return replies
}

/** Kinds of requests, whatever their number: a library's way to cut batches may vary. */
export function kindsOf(requests: readonly RecordedRequest[]): readonly string[] {
  const kinds = requests.map(({ method, path, headers }) => {
    const sent = KEPT.filter((name) => headers[name] !== undefined)
    return `${method} ${path} with ${sent.join(', ')}`
  })
  return [...new Set(kinds)].sort()
}
