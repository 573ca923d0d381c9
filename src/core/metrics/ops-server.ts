import { createServer, type ServerResponse } from 'node:http'
import { AppError } from '../code.ts'
import type { Metrics } from './metrics.ts'

/** Reasons not to serve; empty when ready. */
export type Readiness = () => readonly string[]

export type OpsServer = {
  listen(host: string, port: number): Promise<{ port: number }>
  close(): Promise<void>
}

/**
 * The operator's port: `/livez` (the process runs its event loop), `/readyz` (200 when it can serve
 * now, else 503 with the reasons) and `/metrics` (Prometheus).
 */
export function createOpsServer(deps: { metrics: Metrics; readiness: Readiness }): OpsServer {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(response, 405, { error: 'method not allowed' })
    } else if (path === '/livez') {
      answer(response, 200, { status: 'ok' })
    } else if (path === '/readyz') {
      const reasons = deps.readiness()
      if (reasons.length === 0) answer(response, 200, { status: 'ready' })
      else answer(response, 503, { status: 'not ready', reasons })
    } else if (path === '/metrics') {
      void deps.metrics.text().then(
        ({ contentType, body }) => {
          response.writeHead(200, { 'content-type': contentType }).end(body)
        },
        () => answer(response, 500, { error: 'metrics failed' }),
      )
    } else {
      answer(response, 404, { error: 'not found', paths: ['/livez', '/readyz', '/metrics'] })
    }
  })
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', (cause) => {
          const message = `cannot serve the admin port at ${host}:${port}`
          reject(new AppError('failed_precondition', message, { cause }))
        })
        server.listen(port, host, () => {
          const address = server.address()
          resolve({ port: address !== null && typeof address === 'object' ? address.port : port })
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(body)}\n`)
}
