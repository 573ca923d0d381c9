/**
 * The HTTP/2 connections of a gRPC server. Does before it binds what grpc-js 1.14 does not:
 *
 * - It watches the requests of calls (`open-calls.ts`) and the number of connections, and closes a
 *   stranger's connection that is idle or above the bound.
 * - It widens the receive windows of connections on which a member has called. With HTTP/2's
 *   64 kB for all streams of a connection, a micro-batch of 250 kB waits four times for an
 *   update of the window; the library has the setting for clients only. See ADR 11.
 * - It keeps the connections, to be cut. The library's `forceShutdown` leaves them open where
 *   channelz is off.
 *
 * The library's HTTP/2 servers are reached through fields it does not document.
 */
import {
  constants,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { TLSSocket } from 'node:tls'
import type { Server } from '@grpc/grpc-js'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import { GRPC_SWEEP_MS, GRPC_WINDOW_BYTES } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { MEMBER_METADATA } from '../../wire/call.ts'
import { createOpenCalls, isCompressed, type OpenCalls } from './open-calls.ts'
import type { OnRefused } from './refused.ts'

/** Receive window of a stranger's stream. A connection that a member has called on has a wide one. */
export const STRANGER_WINDOW_BYTES = 65_536
/** Calls that are open on one connection. */
export const STRANGER_CONNECTION_STREAMS_MAX = 100
export const MEMBER_CONNECTION_STREAMS_MAX = 10_000
/** Connections of strangers, of all and of one address; past it the oldest one is closed. */
const STRANGER_CONNECTIONS_MAX = 1_000
export const ADDRESS_CONNECTIONS_MAX = 200
/** Connections of all callers; past it new ones are refused. */
const CONNECTIONS_MAX = 4_000
/** Time from a connection to the other side's first frame, TLS handshake included. */
export const CONNECTION_FIRST_FRAME_MS = 10_000
/** A stranger's connection without a call is closed after this long. */
export const CONNECTION_IDLE_MS = 300_000
assert(STRANGER_CONNECTIONS_MAX < CONNECTIONS_MAX, 'strangers leave room for members')

/** The HTTP/2 connections of a gRPC server. */
export type ServerSessions = {
  /** Ends all of them, with the calls that still run on them. */
  cut(): void
  /** Looks after them no more. */
  close(): void
}

export type ServerSessionsDeps = {
  /** Whether a call with these headers is a member's. */
  readonly isMember: (authorization: unknown, memberToken: unknown) => boolean
  /** Whether members must have shown a certificate; others need none. */
  readonly certifies: boolean
  readonly clock: Clock
  readonly log: Log
  readonly onRefused?: OnRefused
}

/** @returns undefined where the fields are missing: the server must not be served then. */
export function holdSessions(server: Server, deps: ServerSessionsDeps): ServerSessions | undefined {
  const options: unknown = Reflect.get(server, 'commonServerOptions')
  const servers: unknown = Reflect.get(server, 'http2Servers')
  if (typeof options !== 'object' || options === null || !(servers instanceof Map)) return undefined
  const sessions = new WatchedSessions(deps)
  Reflect.set(options, 'settings', {
    initialWindowSize: STRANGER_WINDOW_BYTES,
    maxConcurrentStreams: STRANGER_CONNECTION_STREAMS_MAX,
  })
  // A caller without a valid certificate is a stranger and no member.
  if (deps.certifies) Reflect.set(options, 'rejectUnauthorized', false)
  Reflect.set(options, 'handshakeTimeout', CONNECTION_FIRST_FRAME_MS)
  const put = servers.set.bind(servers)
  servers.set = (key: unknown, value: unknown) => {
    if (isHttp2Server(key)) sessions.watch(key)
    return put(key, value)
  }
  return sessions
}

/** A connection of a caller who has not shown the cluster's token on it. */
type Connection = {
  readonly session: ServerHttp2Session
  readonly address: string
  /** Monotonic: when it was made, or its last call ended. */
  idleSince: number
  openCalls: number
  hasSpoken: boolean
}

class WatchedSessions implements ServerSessions {
  readonly #deps: ServerSessionsDeps
  readonly #calls: OpenCalls
  readonly #open = new Set<ServerHttp2Session>()
  /** Sessions of strangers, oldest first; sessions of members are not here. */
  readonly #strangers = new Map<ServerHttp2Session, Connection>()
  #cancelSweep: () => void

  constructor(deps: ServerSessionsDeps) {
    this.#deps = deps
    this.#calls = createOpenCalls(deps)
    this.#cancelSweep = this.#sweepLater()
  }

  watch(server: Http2Server): void {
    // Counts connections in their TLS handshake too, which nothing else does.
    server.maxConnections = CONNECTIONS_MAX
    server.on('session', (session: ServerHttp2Session) => this.#hold(session))
    server.prependListener('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      this.#receive(stream, headers)
    })
  }

  cut(): void {
    for (const session of this.#open) session.destroy(undefined, constants.NGHTTP2_CANCEL)
  }

  close(): void {
    this.#cancelSweep()
  }

  #hold(session: ServerHttp2Session): void {
    const address = session.socket.remoteAddress ?? ''
    const connection = { session, address, openCalls: 0, hasSpoken: false }
    this.#open.add(session)
    this.#strangers.set(session, { ...connection, idleSince: this.#deps.clock.monotonic() })
    session.on('remoteSettings', () => {
      const known = this.#strangers.get(session)
      if (known !== undefined) known.hasSpoken = true
    })
    session.on('close', () => {
      this.#open.delete(session)
      this.#strangers.delete(session)
    })
    this.#makeRoomFor(session, address)
  }

  /** The new connection stays, so that idle connections keep nobody out. */
  #makeRoomFor(newcomer: ServerHttp2Session, address: string): void {
    const others = [...this.#strangers.values()].filter(({ session }) => session !== newcomer)
    const ofAddress = others.filter((each) => each.address === address)
    const isCrowdOfOne = ofAddress.length >= ADDRESS_CONNECTIONS_MAX
    if (!isCrowdOfOne && others.length < STRANGER_CONNECTIONS_MAX) return
    const crowd = isCrowdOfOne ? ofAddress : others
    const gone = crowd.find(({ openCalls }) => openCalls === 0) ?? crowd[0]
    gone?.session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
  }

  #receive(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { session } = stream
    const isMember =
      this.#isCertified(session) &&
      this.#deps.isMember(headers.authorization, headers[MEMBER_METADATA])
    if (session !== undefined) {
      const connection = this.#strangers.get(session as ServerHttp2Session)
      if (connection !== undefined && isMember) this.#welcome(connection)
      else if (connection !== undefined) this.#count(connection, stream)
    }
    const path = headers[':path'] ?? ''
    const encoding = headers['grpc-encoding']
    this.#calls.open(stream, { path, encoding, isMember })
    // grpc-js sees these headers next, and would begin to inflate the data behind them.
    if (isCompressed(encoding)) headers['grpc-encoding'] = 'none that is supported'
  }

  #isCertified(session: Http2Session | undefined): boolean {
    if (!this.#deps.certifies) return true
    return session?.socket instanceof TLSSocket && session.socket.authorized
  }

  #count(connection: Connection, stream: ServerHttp2Stream): void {
    connection.openCalls++
    stream.on('close', () => {
      connection.openCalls--
      connection.idleSince = this.#deps.clock.monotonic()
    })
  }

  /** A member's connection from here on. */
  #welcome({ session }: Connection): void {
    this.#strangers.delete(session)
    session.setLocalWindowSize(GRPC_WINDOW_BYTES)
    session.settings({
      initialWindowSize: GRPC_WINDOW_BYTES,
      maxConcurrentStreams: MEMBER_CONNECTION_STREAMS_MAX,
    })
  }

  #sweepLater(): () => void {
    return this.#deps.clock.after(GRPC_SWEEP_MS, () => {
      this.#calls.sweep()
      this.#closeIdle()
      this.#cancelSweep = this.#sweepLater()
    })
  }

  #closeIdle(): void {
    const now = this.#deps.clock.monotonic()
    for (const { session, openCalls, hasSpoken, idleSince } of this.#strangers.values()) {
      const idleMax = hasSpoken ? CONNECTION_IDLE_MS : CONNECTION_FIRST_FRAME_MS
      if (openCalls > 0 || now - idleSince <= idleMax) continue
      // First in peace: a caller that is about to call opens another connection.
      if (hasSpoken && !session.closed) session.close()
      else session.destroy()
    }
  }
}

function isHttp2Server(value: unknown): value is Http2Server {
  return typeof value === 'object' && value !== null && 'on' in value
}
