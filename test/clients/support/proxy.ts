import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A request with the server's whole answer to it. */
export type Exchange = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Answers of the server, whether or not the client gets to see them. */
  readonly status: number
}

/** `lose`: the client's connection is cut in place of the answer. */
export type Fate = 'pass' | 'lose'

/** Longer than any test: what is lost is lost by `decide` alone. */
const KEPT_MS = 600_000

/**
 * A proxy before the server at `target`, closed after the test. `decide` is asked once the server has
 * answered: what happens then is the network's doing. A server that cannot be reached is passed on as
 * a connection that breaks. Answers the proxy's own URL.
 */
export async function startProxy(
  t: Test,
  target: string,
  decide: (exchange: Exchange) => Fate,
): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    pass(target, request)
      .then(({ exchange, shown, text }) => {
        if (decide(exchange) === 'lose') request.socket.destroy()
        else response.writeHead(exchange.status, shown).end(text)
      })
      .catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

async function pass(target: string, request: IncomingMessage) {
  const { method = 'GET', url: path = '/', headers } = request
  const body = await bytesOf(request)
  const { 'transfer-encoding': _c, 'content-length': _l, connection: _k, ...kept } = headers
  const length = body.length === 0 ? {} : { 'content-length': body.length }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // A connection of its own: one that was kept may be closed by the server just now.
    const options = { method, headers: { ...kept, ...length }, agent: false }
    const onward = httpRequest(`${target}${path}`, options)
    onward.once('error', reject).once('response', resolve).end(body)
  })
  const text = await bytesOf(answer)
  const exchange: Exchange = { method, path, headers, body, status: answer.statusCode ?? 0 }
  const { connection: _end, 'keep-alive': _wait, ...shown } = answer.headers
  return { exchange, shown, text }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}
