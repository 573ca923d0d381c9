/**
 * A Postgres of our own under `DATA_DIR`, from the programs of the npm package, supervised:
 *
 *   starting -> running -> (it ended) -> waiting -> starting ...        stop() from any -> stopped
 *
 * Order at start: lock the data directory, so that a Postgres that still runs there has no owner;
 * end that Postgres; make the data folder; start. Order at stop: end the loop, so that it restarts
 * nothing; then Postgres; then the log file; the lock last.
 */

import { join, resolve } from 'node:path'
import { backoffMs } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import { createReleasers } from '../core/releasers.ts'
import { type Connection, createSql } from '../postgres/connect.ts'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { lockDataDir } from './data-dir-lock.ts'
import {
  createDataDir,
  type DataFolder,
  dataMajor,
  POSTGRES_USER,
  prepareDataFolder,
  writeSettings,
} from './data-folder.ts'
import { clearLeftovers } from './leftovers.ts'
import { createLogFile } from './log-file.ts'
import { POSTGRES_PORT, type Postmaster, startPostmaster } from './postmaster.ts'
import { POSTGRES_SETTINGS } from './server-settings.ts'
import { socketFolder } from './socket-folder.ts'

/** Pause before a restart: doubles from the first to the second, and starts over when stable. */
const POSTGRES_RESTART_DELAY_MS = 100
const POSTGRES_RESTART_DELAY_MAX_MS = 5_000
const POSTGRES_STABLE_MS = 30_000
/** Bytes of its log file; one older file of the same size is kept beside it. */
const POSTGRES_LOG_BYTES_MAX = 4_194_304

export type EmbeddedPostgres = {
  readonly connection: Connection
  /** The same as a URL of libpq, for `psql` and `DATABASE_URL`. */
  readonly url: string
  /** The process id of the postmaster; `undefined` while none runs. */
  pid(): number | undefined
  /** Fast shutdown, then a harder one after 10 s. May be called twice. */
  stop(): Promise<void>
  /** Resolves after `stop`, or with the reason why Postgres cannot be restarted any more. */
  readonly closed: Promise<Error | undefined>
}

export type EmbeddedPostgresOptions = {
  readonly dataDir: string
  readonly log: Log
  readonly clock: Clock
}

type Supervised = {
  readonly data: DataFolder
  readonly log: Log
  readonly clock: Clock
  readonly write: (text: string) => void
}

export const DATABASE = 'sluice'

/**
 * Starts Postgres, and creates the database in a new data directory. Resolves when Postgres
 * answers.
 * @throws {AppError} `failed_precondition` when it can never start as things are (in use, another
 * major version, no account), `unavailable` when the start failed. Nothing is left running.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, clock } = options
  const dataDir = resolve(options.dataDir)
  const releasers = createReleasers(log)
  try {
    await createDataDir(dataDir)
    releasers.push('data directory lock', await lockDataDir(dataDir))
    const logFile = createLogFile(
      { path: join(dataDir, 'postgres.log'), bytesMax: POSTGRES_LOG_BYTES_MAX },
      log,
    )
    releasers.push('postgres log', logFile.close)
    const data = await openDataFolder(dataDir, log)
    const supervised = { data, log, clock, write: logFile.write }
    const sockets = await socketFolder(data.folder)
    releasers.push('postgres socket', sockets.remove)
    const supervisor = await supervise(supervised)
    releasers.push('postgres', supervisor.stop)
    const at = { host: sockets.path, port: POSTGRES_PORT, user: POSTGRES_USER }
    await createDatabase(at, log)
    const host = encodeURIComponent(sockets.path)
    return {
      connection: { ...at, database: DATABASE },
      url: `postgresql:///${DATABASE}?host=${host}&port=${POSTGRES_PORT}&user=${POSTGRES_USER}`,
      pid: supervisor.pid,
      stop: releasers.release,
      closed: supervisor.closed,
    }
  } catch (error) {
    await releasers.release()
    throw error
  }
}

/** The caller must have the lock of `dataDir`. */
async function openDataFolder(dataDir: string, log: Log): Promise<DataFolder> {
  const folder = join(dataDir, 'postgres')
  const account = await chooseAccount(folder)
  const data = { folder, account, binaries: await findBinaries(account, dataDir, log) }
  await prepareDataFolder(data, {})
  return data
}

/** Separate from initdb, so that the next start makes up for a crash between the two. */
async function createDatabase(at: Omit<Connection, 'database'>, log: Log): Promise<void> {
  const sql = createSql(
    { ...at, database: 'postgres' },
    { applicationName: 'sluice setup', connectionsMax: 1, log },
  )
  try {
    const found = await sql`select 1 from pg_database where datname = ${DATABASE}`
    if (found.length === 0) await sql`create database ${sql(DATABASE)}`
  } finally {
    await sql.end({ timeout: 1 })
  }
}

type Supervisor = {
  pid(): number | undefined
  stop(): Promise<void>
  readonly closed: Promise<Error | undefined>
}

async function supervise(supervised: Supervised): Promise<Supervisor> {
  const stopping = new AbortController()
  const pauses = createPauses()
  let postmaster: Postmaster | undefined = await launch(supervised, stopping.signal)
  const onExit = () => signalAtExit(postmaster)
  process.on('exit', onExit)

  const run = async (): Promise<Error | undefined> => {
    try {
      while (postmaster !== undefined) {
        const startedAt = supervised.clock.monotonic()
        const { code, signal } = await postmaster.exited
        const lines = postmaster.lastLines()
        postmaster = undefined
        if (stopping.signal.aborted) return undefined
        if (supervised.clock.monotonic() - startedAt >= POSTGRES_STABLE_MS) pauses.reset()
        supervised.log.warn('postgres ended, starting it again', { code, signal, lines })
        postmaster = await relaunch(supervised, stopping.signal, pauses)
        // It became ready when the abort came, so `stop` has not seen this one.
        if (stopping.signal.aborted) await postmaster?.stop()
      }
      return undefined
    } catch (error) {
      supervised.log.error('postgres cannot be started again', { error })
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      process.off('exit', onExit)
    }
  }
  const closed = run()
  return {
    pid: () => postmaster?.pid,
    closed,
    stop: async () => {
      stopping.abort()
      await postmaster?.stop()
      await closed
      // Sessions live a moment longer than a killed postmaster, and longer in a long statement.
      await clearLeftovers(supervised.data.folder, supervised)
    },
  }
}

/** The last resort for an exit that released nothing: Postgres then shuts down on its own. */
function signalAtExit(postmaster: Postmaster | undefined): void {
  if (postmaster === undefined) return
  try {
    process.kill(postmaster.pid, 'SIGINT')
  } catch {
    // It has ended already.
  }
}

async function launch(supervised: Supervised, signal: AbortSignal): Promise<Postmaster> {
  const { data, clock, log, write } = supervised
  await clearLeftovers(data.folder, { clock, log })
  await writeSettings(data, POSTGRES_SETTINGS)
  return await startPostmaster(data, { clock, write }, signal)
}

/**
 * Tries until Postgres runs: a full disk may get room again, and captures are spilled meanwhile.
 * @returns `undefined` when `signal` has aborted.
 * @throws {AppError} `failed_precondition` when the data folder is gone.
 */
async function relaunch(
  supervised: Supervised,
  signal: AbortSignal,
  pauses: Pauses,
): Promise<Postmaster | undefined> {
  const { data, clock, log } = supervised
  while (!signal.aborted) {
    await clock.sleep(pauses.next(), signal).catch(() => {
      // Aborted: checked below.
    })
    if (signal.aborted) return undefined
    if ((await dataMajor(data.folder)) === undefined) {
      throw new AppError('failed_precondition', `the data folder ${data.folder} is gone`)
    }
    try {
      const postmaster = await launch(supervised, signal)
      log.info('postgres runs again', { pid: postmaster.pid })
      return postmaster
    } catch (error) {
      if (!signal.aborted) log.warn('postgres did not start, trying again', { error })
    }
  }
  return undefined
}

type Pauses = { next(): number; reset(): void }

/** Pauses in milliseconds that double between two bounds. `reset` is called after a stable run. */
function createPauses(): Pauses {
  const backoff = { firstMs: POSTGRES_RESTART_DELAY_MS, maxMs: POSTGRES_RESTART_DELAY_MAX_MS }
  let failures = 0
  return {
    next: () => backoffMs(backoff, ++failures),
    reset: () => {
      failures = 0
    },
  }
}
