/** The command `sluice postgres`. */
import type { Command } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { startEmbeddedPostgres } from '../../embedded/embedded-postgres.ts'
import { registerService, type ServiceContext, type StartedService } from './service.ts'

/**
 * `sluice postgres` runs only the Postgres of a data directory. It makes a standalone a cluster on
 * one machine without moving its data: its URL is the DATABASE_URL of the workers.
 */
export function registerPostgres(program: Command): void {
  const description = 'run the Postgres of DATA_DIR alone, for workers of this machine'
  registerService(program, { name: 'postgres', reader: 'postgres', description }, startPostgres)
}

async function startPostgres({ config, log, releasers }: ServiceContext): Promise<StartedService> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, clock: systemClock })
  releasers.push('embedded postgres', () => postgres.stop())
  void postgres.closed.then((error) => {
    if (error === undefined) return
    log.error('embedded postgres cannot be restarted', { error })
    process.exit(1)
  })
  return {
    unready: () => (postgres.pid() === undefined ? ['postgres is not running'] : []),
    facts: { databaseUrl: postgres.url },
  }
}
