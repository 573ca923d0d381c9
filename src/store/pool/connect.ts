import postgres from 'postgres'
import type { Log } from '../../core/log.ts'
import { GuardedSocket } from '../guarded-socket.ts'
import { type ParsedUrl, parseConnectionUrl, unixEndpoint } from './connection-url.ts'
import { dial } from './dial.ts'

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
  /** For statements that look rows up by key, arrays of any length: see `LOOKUP_SETTINGS`. */
  readonly lookupsOnly?: boolean
}

/**
 * Plans for one length of an array would cost more than a small statement, so there is one plan for
 * all lengths; and because that one may be made while the tables are empty and kept while they
 * grow, it must not scan a table. With scans allowed, 100 k new distinct ids cost ten times as
 * much.
 */
const LOOKUP_SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }

/** Also bounds how long a statement waits for a new connection to a server that does not answer. */
const CONNECT_TIMEOUT_S = 3
const STATEMENT_TIMEOUT_MS = 15_000
const LOCK_TIMEOUT_MS = 5_000
/** A frozen worker holds the rows of its transaction for so long; its successor waits for them. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 4_000
/** The driver's own pauses grow to 20 s, long after the server is back. */
const RECONNECT_DELAY_MAX_S = 1
/** From so many bytes on, the driver writes at once. */
const DRIVER_WRITE_BYTES = 1_024

type Pool = {
  /** How many connections it has had open at a time, at most. */
  openMax: number
  /** Those that are open, and some that were. */
  sockets: readonly GuardedSocket[]
}
const pools = new WeakMap<Sql, Pool>()

/**
 * The driver has queues of connections that are open and of those that may take one more statement.
 * It keeps a place for each one that it takes out, until the queue is empty, and looks through all
 * of them with each statement: a pool in steady use would slow down for as long as it lives. Call
 * this twice a second. It hands every connection a statement that must be described first, to which
 * none can be added, so that both queues are empty for a moment. Never rejects: a database that
 * does not answer has no busy pool.
 */
export async function emptyQueues(sql: Sql): Promise<void> {
  const openMax = pools.get(sql)?.openMax ?? 0
  // The queue of a single connection is empty whenever that is taken.
  if (openMax < 2) return
  const take = () => sql.unsafe('select $1::integer', [0])
  await Promise.allSettled(Array.from({ length: openMax }, take))
}

/**
 * Ends a pool at once, whatever its server does: all that waits rejects, its outcome unknown. Never
 * `sql.end({ timeout: 0 })`: see `GuardedSocket.abandon`.
 */
export async function destroySql(sql: Sql): Promise<void> {
  for (const socket of pools.get(sql)?.sockets ?? []) socket.abandon('the pool is destroyed')
  await sql.end({ timeout: 0 })
}

/**
 * Opens a pool; nothing is dialled before the first statement. When a connection is lost, what it
 * carried rejects with the server's last words or 08006, transactions end as if rolled back, and
 * the next statement opens another. Use `sql.begin`, not `sql.reserve`: see `guarded-socket.ts`.
 * @throws {TypeError} when the URL cannot be read; see `parseConnectionUrl` for what it may hold.
 */
export function createSql(target: Connection | string, options: SqlOptions): Sql {
  const { user, database, password, endpoints, tls, session } =
    typeof target === 'string' ? parseConnectionUrl(target) : parsedOf(target)
  const { connectionsMax } = options
  let dials = 0
  const pool: Pool = { openMax: 0, sockets: [] }
  const socket = () => {
    const endpoint = endpoints[dials % endpoints.length] ?? fail()
    dials += 1
    pool.openMax = Math.min(dials, connectionsMax)
    const dialled = new GuardedSocket(() => dial(endpoint, tls, CONNECT_TIMEOUT_S * 1_000))
    pool.sockets = [...pool.sockets.filter(({ destroyed }) => !destroyed), dialled]
    return dialled
  }
  // Not in the driver's types: https://github.com/porsager/postgres#connecting-over-ssh
  // A `begin` that is the last that the driver sends ahead on its connection is not seen as the start
  // of a transaction: statements of others would run in it. What waits is bounded elsewhere.
  const guarded: object = { socket, max_pipeline: Number.MAX_SAFE_INTEGER }
  const sql: Sql = postgres({
    // The first is for messages of errors; the socket knows them all.
    host: describeHost(endpoints),
    port: 0,
    user,
    database,
    pass: password,
    ssl: false,
    max: connectionsMax,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: (attempt: number) =>
      (0.5 + Math.random() / 2) *
      Math.min(0.05 * 2 ** Math.min(attempt, 10), RECONNECT_DELAY_MAX_S),
    types: { bigint: postgres.BigInt },
    connection: {
      ...sessionSettings(options),
      ...session,
      // Blanks mean nothing to the server. They make the first message so long that the driver
      // writes it at once: its own timer for that may be one that the last connection has left.
      options: `${session['options'] ?? ''}${' '.repeat(DRIVER_WRITE_BYTES)}`,
    },
    // The text may quote a row; code and severity are enough to look it up.
    onnotice: (notice) => {
      options.log.debug('postgres notice', { severity: notice['severity'], code: notice['code'] })
    },
    ...guarded,
  })
  pools.set(sql, pool)
  return sql
}

function sessionSettings(options: SqlOptions) {
  return {
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout:
      options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
    TimeZone: 'UTC',
    ...(options.lookupsOnly === true ? LOOKUP_SETTINGS : {}),
  }
}

function parsedOf({ host, port, user, database, password }: Connection): ParsedUrl {
  const endpoint = host.startsWith('/')
    ? unixEndpoint(host, port)
    : { kind: 'tcp' as const, host, port }
  return {
    endpoints: [endpoint],
    user,
    database,
    password: password ?? '',
    tls: { mode: 'disable', rootCertPath: undefined },
    session: {},
  }
}

function describeHost(endpoints: ParsedUrl['endpoints']): string {
  const [first] = endpoints
  return first?.kind === 'tcp' ? first.host : 'unix-socket'
}

function fail(): never {
  throw new TypeError('no host to connect to')
}
