/** Opens pools of connections to Postgres. Every statement of the product runs on one of them. */

import { readFile } from 'node:fs/promises'
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { Db, Sql } from '../core/sql.ts'
import { yieldProcessorOf } from '../core/yield-processor.ts'
import { type ParsedUrl, parseConnectionUrl, unixEndpoint } from './connection-url.ts'
import { dial, NO_TLS } from './dial.ts'
import { failureCode } from './failures.ts'
import { Session, type SessionSettings } from './session.ts'
import { SessionPool } from './session-pool.ts'
import { createDb, type Run } from './statement.ts'
import { runTransaction } from './transaction.ts'

export type { Sql } from '../core/sql.ts'

/** Location of a database that is not given by a URL. */
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
  /** The server looks this often whether who asked is still there, and ends the statement else. */
  readonly endsWithCallers?: boolean
  /** For statements that look up rows by keys, in arrays of any length: see `LOOKUP_SETTINGS`. */
  readonly lookupsOnly?: boolean
  /** The server's processes of these connections have a low priority: see `YieldingBackends`. */
  readonly yieldsProcessors?: boolean
  /**
   * Called at the beginning of each transaction. False keeps each of its statements in the process
   * of its connection, without parallel workers.
   */
  readonly mayBeParallel?: () => boolean
}

const NOT_PARALLEL = '; set local max_parallel_workers_per_gather = 0'

/**
 * Plans for one length of an array would cost more than a small statement, so there is one plan for
 * all lengths; and because that one may be made while the tables are empty and kept while they
 * grow, it must not scan a table. With scans allowed, 100 k new distinct ids cost ten times as
 * much. A bitmap of one row costs more than to go there.
 */
const LOOKUP_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
}

/**
 * Compiling a statement takes Postgres longer than almost every statement of ours takes to run
 * (ADR 119). The database URL may say otherwise.
 */
const JIT = 'off'

/** Time-out of the dial, and then of the server's welcome: a statement waits for both. */
const CONNECT_TIMEOUT_S = 3
const CHECK_MS = 250
const STATEMENT_TIMEOUT_MS = 15_000
const LOCK_TIMEOUT_MS = 5_000
/** A frozen worker holds the rows of its transaction for so long; its successor waits for them. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 4_000

/**
 * Opens a pool, which dials at the first statement. When a connection is lost, its statements
 * reject with the server's last message or 08006, transactions are rolled back, and the next
 * statement opens another. `bigint` columns are `bigint`: epochs and counters do not fit into a
 * number.
 * @throws {TypeError} when the URL cannot be read; see `parseConnectionUrl` for what it may hold.
 */
export function createSql(target: Connection | string, options: SqlOptions): Sql {
  const { endpoints, tls, session, ...names } =
    typeof target === 'string' ? parseConnectionUrl(target) : parsedOf(target)
  const settings: SessionSettings = {
    ...names,
    // Used in messages of errors; the sockets know all hosts.
    host: describeHost(endpoints),
    connectTimeoutS: CONNECT_TIMEOUT_S,
    parameters: { ...sessionSettings(options), ...session },
    // The text may quote a row; code and severity are enough to look it up.
    onNotice: ({ severity, code }) => options.log.debug('postgres notice', { severity, code }),
  }
  const yielding =
    options.yieldsProcessors === true
      ? createYieldingBackends({ clock: systemClock, log: options.log }, names)
      : undefined
  let dials = 0
  const pool = new SessionPool<Session>({
    clock: systemClock,
    random: Math.random,
    sessionsMax: options.connectionsMax,
    open: async (onSettled) => {
      const endpoint = endpoints[dials % endpoints.length] ?? fail()
      dials += 1
      const socket = await dial(endpoint, tls, CONNECT_TIMEOUT_S * 1_000)
      const session = new Session(socket, settings, onSettled)
      if (endpoint.kind === 'unix') await yielding?.lower(session)
      return session
    },
  })
  const end = ({ timeout }: { timeout?: number } = {}) =>
    pool.end(timeout === undefined ? undefined : timeout * 1_000)
  const withSignal = (signal: AbortSignal): Sql => {
    const reserve: Reserve = (work) => pool.reserve((each) => untilAbort(each, signal, work))
    const run: Run = (statement) => reserve((each) => each.query(statement))
    return sqlOf(run, reserve, { end, withSignal, modeEnd })
  }
  const modeEnd = () => (options.mayBeParallel?.() === false ? NOT_PARALLEL : '')
  return sqlOf(
    (statement) => pool.run(statement),
    (work) => pool.reserve(work),
    { end, withSignal, modeEnd },
  )
}

type Reserve = <T>(work: (session: Session) => Promise<T>) => Promise<T>

type Rest = Pick<Sql, 'end' | 'withSignal'> & {
  /** Behind the mode of each transaction. */
  readonly modeEnd: () => string
}

function sqlOf(run: Run, reserve: Reserve, { modeEnd, ...rest }: Rest): Sql {
  const begin = <T>(
    ...args: [(tx: Db) => PromiseLike<T>] | [string, (tx: Db) => PromiseLike<T>]
  ): Promise<T> => {
    const [mode, work] = args.length === 1 ? ['', args[0]] : args
    return reserve((each) => runTransaction(each, mode + modeEnd(), work))
  }
  return Object.assign(createDb(run), { begin, ...rest })
}

/** Runs alone on its connection, which the caller's abort destroys. */
async function untilAbort<T>(
  session: Session,
  signal: AbortSignal,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw leftBy(signal)
  const end = () => session.destroy('its caller has left')
  signal.addEventListener('abort', end, { once: true })
  try {
    return await work(session)
  } catch (error) {
    throw signal.aborted ? leftBy(signal) : error
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function leftBy({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason
  return new AppError('cancelled', 'the caller has left', { cause: reason })
}

function sessionSettings(options: SqlOptions) {
  return {
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout:
      options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
    TimeZone: 'UTC',
    jit: JIT,
    ...(options.lookupsOnly === true ? LOOKUP_SETTINGS : {}),
    ...(options.endsWithCallers === true ? { client_connection_check_interval: CHECK_MS } : {}),
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
    tls: NO_TLS,
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

/**
 * Lowers the priority of the server's processes that answer questions below those that store
 * events. Only if the server is reached by its Unix socket, and its process has the same id on this
 * machine: a container may share only the socket.
 */
type YieldingBackends = {
  /** Lowers the priority of the process behind a session, soon. Never rejects. */
  lower(session: Session): Promise<void>
}

type Owner = { readonly user: string; readonly database: string }

function createYieldingBackends(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  owner: Owner,
): YieldingBackends {
  let isLogged = false
  const logOnce = (error: unknown) => {
    if (!isLogged) log.info('queries keep the usual priority at the database', { error })
    isLogged = true
  }
  return {
    async lower(session) {
      try {
        const pid = await backendPid(session)
        if (!(await isBackend(pid, owner))) return
        // Not awaited: the system may ask for pauses.
        yieldProcessorOf(pid, clock).catch(logOnce)
      } catch (error) {
        // The session says so itself, or its process has ended just now.
        if (session.lost === undefined && failureCode(error) !== 'ENOENT') logOnce(error)
      }
    },
  }
}

async function backendPid(session: Session): Promise<number> {
  const [row] = await session.query<readonly { readonly pid: number }[]>({
    build: (driver) => driver<{ pid: number }[]>`select pg_backend_pid() as pid`,
  })
  return row?.pid ?? 0
}

/** Checks the title of the process: `postgres: user database [local] idle`. */
async function isBackend(pid: number, { user, database }: Owner): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8')
  return title.startsWith('postgres: ') && title.includes(`${user} ${database} [local]`)
}
