/** An HTTP server whose answers the test gives, for tests of the load generator. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** Received request: enough to check those of a load generator. */
export type SeenRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export type FakeAnswer = {
  status: number
  body: string
  headers?: Record<string, string>
  /** Breaks the connection instead of answering. */
  destroy?: boolean
  /** Never answers. */
  hang?: boolean
}

export type FakeHttpServer = {
  readonly port: number
  readonly url: string
  readonly seen: SeenRequest[]
  close(): Promise<void>
}

/** Loopback server whose answers a test decides, request by request. */
export async function startFakeHttpServer(
  answer: (request: SeenRequest, index: number) => FakeAnswer,
): Promise<FakeHttpServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const record = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      }
      reply(response, answer(record, seen.push(record) - 1))
    })
  })
  const port = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function reply(response: ServerResponse, answer: FakeAnswer): void {
  if (answer.hang === true) return
  if (answer.destroy === true) {
    response.socket?.destroy()
    return
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
  response.end(answer.body)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else resolve(address.port)
    })
  })
}
