import { Socket } from 'node:net'
import {
  type ConnectionOptions,
  connect,
  DebugEvents,
  Events,
  type NatsConnection,
  type Status,
} from 'nats'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import {
  NATS_CONNECT_MS,
  NATS_DIAL_MS_MIN,
  NATS_PING_MS,
  NATS_PINGS_OUT_MAX,
  NATS_RECONNECT_MS,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { natsFailure, unavailable } from './nats-errors.ts'
import { parseServers, type ServerList } from './server-list.ts'

/**
 * One connection to NATS, kept for the life of the process: `connected` and away take turns for as
 * long as it takes. Whoever publishes asks `connected()` first: the client would keep what it
 * cannot send, without a bound.
 */
export type NatsLink = {
  readonly connection: NatsConnection
  /** False from the moment at which the connection is lost or the server stops answering pings. */
  connected(): boolean
  /** Told when `connected()` has changed. The answer unsubscribes. */
  subscribe(listener: (connected: boolean) => void): () => void
  close(): Promise<void>
}

export type NatsLinkOptions = {
  /** As in NATS_URL: several with commas. */
  readonly urls: string
  /** Shown by the server in its list of connections. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
}

const VERSION_MIN = { major: 2, minor: 9 } as const

/**
 * Connects once and checks the server; after that the link connects again for ever.
 * @throws {AppError} within some 3 s, naming the servers but no credentials: `unavailable` when none
 * answers, `unauthenticated` when it refuses the credentials, `failed_precondition` when it is too
 * old or without JetStream.
 */
export async function connectNats(options: NatsLinkOptions): Promise<NatsLink> {
  const servers = parseServers(options.urls)
  const connection = await firstConnection(servers, options)
  try {
    checkVersion(connection, servers)
    await checkJetStream(connection, servers)
  } catch (error) {
    await connection.close()
    throw error
  }
  return keepLink(connection, options.log)
}

async function firstConnection(
  servers: ServerList,
  { name, clock }: NatsLinkOptions,
): Promise<NatsConnection> {
  const connecting = connect(clientOptions(servers, name))
  const tooLate = new AbortController()
  const deadline = clock.sleep(NATS_CONNECT_MS, tooLate.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    const connection = await Promise.race([connecting, deadline])
    if (connection !== undefined) return connection
  } catch (cause) {
    if (natsFailure(cause) === 'refused_credentials') {
      const detail = `NATS at ${names(servers)} refuses the credentials of NATS_URL`
      throw new AppError('unauthenticated', detail, { cause })
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('unavailable', `cannot connect to NATS at ${names(servers)}: ${reason}`, {
      cause,
    })
  } finally {
    tooLate.abort()
  }
  void connecting.then(
    (late) => late.close(),
    () => {
      // Nobody waits for it any more.
    },
  )
  const detail = `NATS at ${names(servers)} did not answer within ${NATS_CONNECT_MS} ms`
  throw new AppError('unavailable', detail)
}

function clientOptions(list: ServerList, name: string): ConnectionOptions {
  const share = Math.floor(NATS_CONNECT_MS / list.servers.length)
  return {
    name,
    servers: [...list.servers],
    ...(list.tls ? { tls: {} } : {}),
    ...(list.user === undefined ? {} : { user: list.user }),
    ...(list.pass === undefined ? {} : { pass: list.pass }),
    ...(list.token === undefined ? {} : { token: list.token }),
    // Each server gets its share, so that one that hangs does not hide the next.
    timeout: Math.max(share, NATS_DIAL_MS_MIN),
    maxReconnectAttempts: -1,
    reconnectTimeWait: NATS_RECONNECT_MS,
    reconnectJitter: NATS_RECONNECT_MS,
    reconnectJitterTLS: NATS_RECONNECT_MS,
    pingInterval: NATS_PING_MS,
    maxPingOut: NATS_PINGS_OUT_MAX,
    // Else the second refusal ends the client, also while an operator rotates the credentials.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  }
}

function checkVersion({ info }: NatsConnection, servers: ServerList): void {
  const version = info?.version ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const { major: majorMin, minor: minorMin } = VERSION_MIN
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  const wanted = `${majorMin}.${minorMin} or newer is needed`
  const detail = `NATS at ${names(servers)} is version ${version || 'unknown'}; ${wanted}`
  throw new AppError('failed_precondition', detail)
}

async function checkJetStream(connection: NatsConnection, servers: ServerList): Promise<void> {
  try {
    await connection.jetstreamManager({ timeout: NATS_CONNECT_MS, checkAPI: true })
  } catch (cause) {
    const failure = natsFailure(cause)
    if (failure === 'no_responders' || failure === 'not_enabled') {
      const detail = `NATS at ${names(servers)} has JetStream switched off: start it with -js`
      throw new AppError('failed_precondition', detail, { cause })
    }
    throw unavailable(`JetStream of ${names(servers)}`, cause)
  }
}

function keepLink(connection: NatsConnection, log: Log): NatsLink {
  const listeners = new Set<(connected: boolean) => void>()
  const complaints = new Set<string>()
  let connected = true
  let closing = false
  let dialled: unknown

  const change = (next: boolean, server: unknown) => {
    if (connected === next) return
    connected = next
    if (!closing) {
      if (next) log.info('connected to NATS again', { server })
      else log.warn('connection to NATS is lost', { server })
    }
    for (const listener of [...listeners]) listener(next)
  }

  const hear = ({ type, data }: Status) => {
    if (type === DebugEvents.StaleConnection) {
      change(false, connection.getServer())
      cutSocket(transportOf(connection))
    }
    if (type === DebugEvents.Reconnecting) {
      const transport = transportOf(connection)
      if (transport !== dialled) cutSocket(dialled)
      dialled = transport
    }
    if (type === Events.Disconnect) change(false, data)
    if (type === Events.Reconnect) change(true, data)
    if (type === Events.LDM) log.info('NATS server is about to shut down', { server: data })
    if (type === Events.Error && !complaints.has(String(data))) {
      // A refused subject is refused again each second; the first time says it all.
      complaints.add(String(data))
      log.warn('NATS complains', { reason: data })
    }
  }

  const listen = async () => {
    for await (const status of connection.status()) hear(status)
  }
  void listen()
  void connection.closed().then((error) => {
    if (!closing) log.error('NATS client has ended', { error })
    change(false, connection.getServer())
  })

  return {
    connection,
    connected: () => connected,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closing = true
      await connection.close()
    },
  }
}

/**
 * The client lets sockets be in two cases, each of which needs the end that this gives them. It
 * waits until a stale connection has taken its last bytes, which a server that is cut off never
 * does: it would go on only when the kernel gives up, a quarter of an hour later. And it forgets a
 * socket whose server accepts and says nothing, one with each attempt.
 */
function cutSocket(transport: unknown): void {
  const socket = part(transport, 'socket')
  if (socket instanceof Socket) socket.destroy()
}

function transportOf(connection: NatsConnection): unknown {
  return part(part(connection, 'protocol'), 'transport')
}

function part(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined
}

function names({ servers }: ServerList): string {
  return servers.join(', ')
}
