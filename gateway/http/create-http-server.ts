import type { HttpServer, HttpServerDeps, HttpServerOptions } from './http-server.ts'
import { createNodeServer } from './node-server.ts'
import { loadUws } from './uws-binary.ts'
import { createUwsServer } from './uws-server.ts'

/** Creates the requested server. Where uWebSockets.js cannot load: node:http, with a warning. */
export function createHttpServer(
  deps: HttpServerDeps,
  options: HttpServerOptions,
  wanted: HttpServer['kind'],
  load: typeof loadUws = loadUws,
): HttpServer {
  if (wanted === 'node') return createNodeServer(deps, options)
  const uws = load()
  if (uws.ok) return createUwsServer(uws.value, deps, options)
  // The figure is in docs/BENCHMARKS.md, "Parts".
  deps.log.warn(
    'uWebSockets.js cannot be used; node:http serves instead, about a fifth fewer captures a second',
    { reason: uws.error },
  )
  return createNodeServer(deps, options)
}
