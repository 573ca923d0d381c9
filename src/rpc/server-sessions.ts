import { constants, type Http2Server, type ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { GRPC_WINDOW_BYTES } from '../core/limits/limits.ts'

/** The HTTP/2 connections of a gRPC server. */
export type ServerSessions = {
  /** Ends all of them, and what still runs on them. */
  cut(): void
}

/**
 * Does two things for a gRPC server, before it binds, that grpc-js 1.14 does not:
 *
 * - It widens the receive windows. With HTTP/2's 64 kB for all streams of a connection, a
 *   micro-batch of 250 kB waits four times for its sender to hear that it may go on; the library
 *   has the setting for clients only. See ADR 11.
 * - It keeps the connections, to be cut. The library's `forceShutdown` leaves them open where
 *   channelz is off.
 *
 * The library's HTTP/2 servers are reached through fields it does not document.
 * @returns `undefined` where they are missing: windows and connections stay as they are.
 */
export function holdSessions(server: Server): ServerSessions | undefined {
  const options: unknown = Reflect.get(server, 'commonServerOptions')
  const servers: unknown = Reflect.get(server, 'http2Servers')
  if (typeof options !== 'object' || options === null || !(servers instanceof Map)) return undefined
  Reflect.set(options, 'settings', { initialWindowSize: GRPC_WINDOW_BYTES })
  const open = new Set<ServerHttp2Session>()
  const put = servers.set.bind(servers)
  servers.set = (key: unknown, value: unknown) => {
    if (isHttp2Server(key)) key.on('session', (session) => hold(session, open))
    return put(key, value)
  }
  return {
    cut() {
      for (const session of open) session.destroy(undefined, constants.NGHTTP2_CANCEL)
    },
  }
}

function hold(session: ServerHttp2Session, open: Set<ServerHttp2Session>): void {
  session.setLocalWindowSize(GRPC_WINDOW_BYTES)
  open.add(session)
  session.on('close', () => open.delete(session))
}

function isHttp2Server(value: unknown): value is Http2Server {
  return typeof value === 'object' && value !== null && 'on' in value
}
