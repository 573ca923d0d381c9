/** Settings, log, output and database that all commands share. */
import { systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import {
  allowsColors,
  type Config,
  type Environment,
  environment,
  type Role,
  readConfig,
} from '../core/config/config.ts'
import { createLog, type Log, type LogLevel } from '../core/log.ts'
import { textLines } from '../core/logging/log-text.ts'
import { createReleasers } from '../core/releasers.ts'
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { findRunningPostgres, hasDatabase, type RunningPostgres } from '../embedded/running.ts'
import { type Connection, createSql, type Sql } from '../postgres/connect.ts'
import { UsageError } from './command-end.ts'
import { withServerOf } from './running-server.ts'

/**
 * Settings for a command.
 * @throws {UsageError} with every problem on a line of its own.
 */
export function commandConfig(role: Role = 'standalone', env: Environment = environment()): Config {
  const result = readConfig(role, env)
  if (result.ok) return result.value
  throw new UsageError(`settings:\n${result.error.map((problem) => `  ${problem}`).join('\n')}`)
}

/**
 * Settings of a command that calls a server: ports default to those of the server that runs on the
 * data folder.
 * @throws {UsageError} as `commandConfig`.
 */
export function serverConfig(): Config {
  return commandConfig('standalone', withServerOf(commandConfig().dataDir))
}

/** Log of a command whose standard output is its answer: lines go to standard error. */
export function commandLog(level: LogLevel): Log {
  return outputLog(level, process.stderr)
}

/** JSON lines, or on a terminal lines that people read. */
export function outputLog(level: LogLevel, output: NodeJS.WriteStream): Log {
  const plain = { write: (line: string) => output.write(line) }
  return createLog({ level }, output.isTTY ? textLines(output, allowsColors()) : plain)
}

/** One JSON line or readable text on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/**
 * Runs `work` on the database of the settings: the one of DATABASE_URL, or the embedded one, which
 * is started for it.
 * @param use `write` needs an embedded database for itself alone. `read` works beside a running
 * Sluice, and creates no database, because DATA_DIR may be mistyped.
 * @throws {AppError} `failed_precondition` when there is nothing to read.
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  use: 'read' | 'write',
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = config
  const releasers = createReleasers(log)
  try {
    const running =
      use === 'read' && databaseUrl === undefined ? await runningDatabase(dataDir) : undefined
    if (running !== undefined) releasers.push('postgres socket', running.release)
    let target: string | Connection | undefined = databaseUrl ?? running?.connection
    if (target === undefined) {
      const embedded = await startEmbeddedPostgres({ dataDir, log, clock: systemClock })
      releasers.push('embedded postgres', embedded.stop)
      target = embedded.url
    }
    const sql = createSql(target, { applicationName: 'sluice cli', connectionsMax: 2, log })
    releasers.push('connections', () => sql.end({ timeout: 1 }))
    return await work(sql)
  } finally {
    await releasers.release()
  }
}

/** The Postgres of another process; undefined when none runs. */
async function runningDatabase(dataDir: string): Promise<RunningPostgres | undefined> {
  if (await hasDatabase(dataDir)) return await findRunningPostgres(dataDir)
  const message = `no database in ${dataDir} (DATA_DIR): name its folder, or set DATABASE_URL`
  throw new AppError('failed_precondition', message)
}
