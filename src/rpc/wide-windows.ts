import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { GRPC_WINDOW_BYTES } from '../core/limits.ts'

/**
 * Widens the receive windows of a gRPC server before it binds: with HTTP/2's 64 kB for all streams
 * of a connection, a micro-batch of 250 kB waits four times for its sender to hear that it may go
 * on. grpc-js 1.14 has the setting for clients only, so its HTTP/2 servers are reached through
 * fields it does not document; where they are missing the windows stay as they are. See ADR 11.
 * @returns whether the fields were found.
 */
export function widenWindows(server: Server): boolean {
  const options: unknown = Reflect.get(server, 'commonServerOptions')
  const servers: unknown = Reflect.get(server, 'http2Servers')
  if (typeof options !== 'object' || options === null || !(servers instanceof Map)) return false
  Reflect.set(options, 'settings', { initialWindowSize: GRPC_WINDOW_BYTES })
  const put = servers.set.bind(servers)
  servers.set = (key: unknown, value: unknown) => {
    if (isHttp2Server(key)) key.on('session', widen)
    return put(key, value)
  }
  return true
}

function widen(session: ServerHttp2Session): void {
  session.setLocalWindowSize(GRPC_WINDOW_BYTES)
}

function isHttp2Server(value: unknown): value is Http2Server {
  return typeof value === 'object' && value !== null && 'on' in value
}
