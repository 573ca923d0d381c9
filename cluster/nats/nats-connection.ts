/** The connection to NATS of one process: made once, then kept for the life of the process. */
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
import type { SecuritySettings } from '../../src/core/config/tls-settings.ts'
import { within } from '../../src/core/deadline.ts'
import { NATS_RECONNECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { Outages, type OutageWords } from '../../src/core/logging/outages.ts'
import { natsFailure, unavailable } from './nats-errors.ts'
import { loginOptions, loginSetting } from './nats-login.ts'
import { parseServers, type ServerList } from './server-list.ts'

/** Time for the first connection to NATS; then the process reports the error and ends. */
export const NATS_CONNECT_MS = 3_000
/** Each of several servers gets at least this long to answer. */
const NATS_DIAL_MS_MIN = 500
/** A server that has not answered two pings is left. */
export const NATS_PING_MS = 1_000
const NATS_PINGS_OUT_MAX = 2

/**
 * One connection to NATS. When it is lost, it is made again without end. Publishers check
 * `connected()` first: the client buffers without a bound while it cannot send.
 */
export type NatsLink = {
  readonly connection: NatsConnection
  /** False from the moment at which the connection is lost or the server stops answering pings. */
  connected(): boolean
  /** Calls `listener` when `connected()` has changed. @returns the unsubscriber. */
  subscribe(listener: (connected: boolean) => void): () => void
  close(): Promise<void>
}

export type NatsLinkOptions = {
  /** NATS_URL: URLs separated by commas. */
  readonly urls: string
  /** Shown by the server in its list of connections. */
  readonly name: string
  /** Files of credentials and of encryption. */
  readonly security?: SecuritySettings['nats']
  readonly clock: Clock
  readonly log: Log
}

const WORDS: OutageWords = {
  level: 'warn',
  away: 'connection to NATS is lost',
  back: 'connected to NATS again',
}

const NO_FILES: SecuritySettings['nats'] = {
  cert: undefined,
  key: undefined,
  ca: undefined,
  creds: undefined,
  nkey: undefined,
}

const VERSION_MIN = { major: 2, minor: 9 } as const

/**
 * Connects once and checks the server. After that the link connects again whenever it is lost.
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
  return keepLink(connection, options)
}

async function firstConnection(
  servers: ServerList,
  options: NatsLinkOptions,
): Promise<NatsConnection> {
  const { clock, security = NO_FILES } = options
  const connecting = connect(clientOptions(servers, options))
  const deadline = { ms: NATS_CONNECT_MS, keepsAlive: true }
  try {
    const connection = await within(clock, deadline, connecting, () => undefined)
    if (connection !== undefined) return connection
  } catch (cause) {
    if (natsFailure(cause) === 'refused_credentials') {
      const detail = `NATS at ${names(servers)} refuses the credentials of ${loginSetting(security)}`
      throw new AppError('unauthenticated', detail, { cause })
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('unavailable', `cannot connect to NATS at ${names(servers)}: ${reason}`, {
      cause,
    })
  }
  void connecting.then(
    (late) => late.close(),
    () => {
      // The caller has the failure below.
    },
  )
  const detail = `NATS at ${names(servers)} did not answer within ${NATS_CONNECT_MS} ms`
  throw new AppError('unavailable', detail)
}

function clientOptions(
  list: ServerList,
  { name, security = NO_FILES }: NatsLinkOptions,
): ConnectionOptions {
  const share = Math.floor(NATS_CONNECT_MS / list.servers.length)
  return {
    name,
    servers: [...list.servers],
    ...loginOptions(list, security),
    // Each server gets a share of the time, so that one that hangs does not hide the next.
    timeout: Math.max(share, NATS_DIAL_MS_MIN),
    maxReconnectAttempts: -1,
    reconnectTimeWait: NATS_RECONNECT_MS,
    reconnectJitter: NATS_RECONNECT_MS,
    reconnectJitterTLS: NATS_RECONNECT_MS,
    pingInterval: NATS_PING_MS,
    maxPingOut: NATS_PINGS_OUT_MAX,
    // Otherwise the second refusal ends the client, even while an operator changes the credentials.
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

function keepLink(
  connection: NatsConnection,
  { clock, log }: Pick<NatsLinkOptions, 'clock' | 'log'>,
): NatsLink {
  const outages = new Outages({ clock, log }, WORDS)
  const listeners = new Set<(connected: boolean) => void>()
  const logged = new Set<string>()
  let connected = true
  let closing = false
  let dialled: unknown

  const change = (next: boolean, server: unknown) => {
    if (connected === next) return
    connected = next
    if (!closing) {
      if (next) outages.back({ server })
      else outages.away({ server })
    }
    for (const listener of [...listeners]) listener(next)
  }

  const receive = ({ type, data }: Status) => {
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
    if (type === Events.Error && !logged.has(String(data))) {
      // A refused subject is refused again every second: it is logged once.
      logged.add(String(data))
      log.warn('NATS reports a problem', { reason: data })
    }
  }

  const listen = async () => {
    for await (const status of connection.status()) receive(status)
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
 * Ends a socket that the client leaves open, in two cases. The client waits until a stale
 * connection has taken its last bytes, which an unreachable server never does: it would wait until
 * the kernel gives up, after a quarter of an hour. And each attempt to connect forgets the socket
 * of a server that accepts and then sends nothing.
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
