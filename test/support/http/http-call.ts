/** One HTTP call of a test, with its answer. */
import { Agent, request as httpRequest } from 'node:http'
import { until } from '../until.ts'

export type Call = {
  readonly verb: string
  /** Path and query, sent as they are. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

export type Reply = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly body: unknown
}

export type HttpClient = {
  /** @throws when no whole answer comes. */
  call(call: Call): Promise<Reply>
  close(): void
}

const TIMEOUT_MS = 20_000

/** Calls on one connection, kept open: plain HTTP, which leaves paths and headers as they are. */
export function createHttpClient(url: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(url)
  return {
    call: ({ verb, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length: Record<string, number> =
          body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
        const options = { agent, hostname, port, method: verb, path, timeout: TIMEOUT_MS }
        const request = httpRequest({ ...options, headers: { ...headers, ...length } })
        request.once('timeout', () => request.destroy(new Error(`${verb} ${path} is not answered`)))
        request.once('error', reject)
        request.once('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            const { statusCode: status = 0 } = response
            resolve({ status, headers: flat(response.headers), text, body: parsed(text) })
          })
        })
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * Calls again while the answer is 503, as clients do: a process of a busy machine may be late. For
 * calls that may be made twice.
 */
export async function callUntilTaken(client: HttpClient, call: Call): Promise<Reply> {
  let reply = await client.call(call)
  await until('another answer than 503', async () => {
    if (reply.status === 503) reply = await client.call(call)
    return reply.status !== 503
  })
  return reply
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the text is what there is.
  }
}
