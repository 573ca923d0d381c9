import { Socket } from 'node:net'
import postgres from 'postgres'
import type { Log } from '../core/log.ts'

/** A pool whose `bigint` columns are `bigint`: epochs and counters do not fit into a number. */
export type Sql = postgres.Sql<{ bigint: bigint }>

/** Where a database is, when it is not told by a URL. */
export type Connection = {
  /** Name or address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password?: string
}

export type SqlOptions = {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  readonly log: Log
  /** Connections of the pool, opened when needed. */
  readonly connectionsMax: number
  /** A statement, a wait for a lock and an idle transaction are cut by the server after this. */
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  readonly idleInTransactionTimeoutMs?: number
}

/** Also bounds how long a statement waits for a new connection to a server that does not answer. */
const CONNECT_TIMEOUT_S = 3
const STATEMENT_TIMEOUT_MS = 15_000
const LOCK_TIMEOUT_MS = 5_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000
/** The driver's own pauses grow to 20 s, long after the server is back. */
const RECONNECT_DELAY_MAX_S = 1

/**
 * Opens a pool; nothing is dialled before the first statement. TLS follows `sslmode` of the URL.
 * A URL may name a Unix socket as libpq has it: `postgresql:///sluice?host=/folder&user=sluice`.
 * @throws {TypeError} when the URL cannot be read.
 */
export function createSql(target: Connection | string, options: SqlOptions): Sql {
  const settings = {
    ...baseSettings(options),
    types: { bigint: postgres.BigInt },
  }
  const connection = typeof target === 'string' ? socketOf(target) : target
  if (connection !== undefined) {
    const { host, port, user, database, password } = connection
    const place = { host, port, user, database, ...(password === undefined ? {} : { password }) }
    return postgres({ ...settings, ...place, ...undelayedSocket(host, port) })
  }
  const url = String(target)
  const { hostname, port } = new URL(url.includes(',') ? 'postgres://several' : url)
  // With several hosts the driver picks one per attempt, and must dial itself.
  const socket = url.includes(',') ? {} : undelayedSocket(hostname, Number(port || POSTGRES_PORT))
  return postgres(url, { ...settings, ...socket })
}

const POSTGRES_PORT = 5432

function baseSettings(options: SqlOptions) {
  const { applicationName, log, connectionsMax } = options
  return {
    max: connectionsMax,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: (attempt: number) =>
      (0.5 + Math.random() / 2) *
      Math.min(0.05 * 2 ** Math.min(attempt, 10), RECONNECT_DELAY_MAX_S),
    connection: {
      application_name: applicationName,
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout:
        options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
      TimeZone: 'UTC',
    },
    // The text may quote a row; code and severity are enough to look it up.
    onnotice: (notice: postgres.Notice) => {
      log.debug('postgres notice', { severity: notice['severity'], code: notice['code'] })
    },
  }
}

/**
 * A TCP socket without Nagle's delay. The driver writes a large statement in two pieces, and the
 * second would wait 40 ms for the server's delayed acknowledgement of the first. The driver has no
 * setting for it, but takes a socket. It puts its listeners on that socket in the microtask after
 * it has got it: so we dial in a microtask, and no failure can come before they listen. Unix sockets have no
 * such delay; there the driver dials.
 */
function undelayedSocket(host: string, port: number): object {
  if (host.includes('/') || host === '') return {}
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const dial = (): Promise<Socket> => {
    // `host` is where the driver looks for the name that TLS checks.
    const socket = Object.assign(new Socket().setNoDelay(true), { host: bare, port })
    queueMicrotask(() => socket.connect({ host: bare, port }))
    return Promise.resolve(socket)
  }
  return { socket: dial }
}

/** Reads a URL whose `host` parameter is a folder; `undefined` for any other. */
function socketOf(url: string): Connection | undefined {
  if (!url.includes('host=')) return undefined
  const { pathname, searchParams, username, password } = new URL(url)
  const host = searchParams.get('host')
  if (host === null || !host.startsWith('/')) return undefined
  const user = searchParams.get('user') ?? decodeURIComponent(username)
  const secret = searchParams.get('password') ?? decodeURIComponent(password)
  return {
    host,
    port: Number(searchParams.get('port') ?? POSTGRES_PORT),
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
    ...(secret === '' ? {} : { password: secret }),
  }
}
