/** What commands share: settings, log, output and the database. */
import { systemClock } from '../core/clock.ts'
import { type Config, environment, type Role, readConfig } from '../core/config/config.ts'
import { createLog, type Log, type LogLevel } from '../core/log.ts'
import { createReleasers } from '../core/releasers.ts'
import { startEmbeddedPostgres } from '../store/embedded/embedded-postgres.ts'
import { createSql, type Sql } from '../store/pool/connect.ts'
import { UsageError } from './command-end.ts'

/**
 * Settings for a command.
 * @throws {UsageError} with every problem on a line of its own.
 */
export function commandConfig(role: Role = 'standalone'): Config {
  const result = readConfig(role, environment())
  if (result.ok) return result.value
  throw new UsageError(`settings:\n${result.error.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Log of a command whose standard output is its answer: lines go to standard error. */
export function commandLog(level: LogLevel): Log {
  return createLog({ level }, { write: (line) => process.stderr.write(line) })
}

/** One JSON line or readable text on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/**
 * Runs `work` on the database of the settings: the one of DATABASE_URL, or the embedded one, which
 * is started for it and therefore must not be in use.
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const releasers = createReleasers(log)
  try {
    let target = config.databaseUrl
    if (target === undefined) {
      const embedded = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log,
        clock: systemClock,
      })
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
