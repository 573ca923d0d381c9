/** `sluice migrate`: applies the migrations that the database lacks. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageRoot } from '../../core/package-root.ts'
import { migrate, pendingMigrations } from '../../postgres/migrate.ts'
import { commandConfig, commandLog, print, withDatabase } from '../command.ts'

type Options = { readonly check?: boolean; readonly json?: boolean }

/** `sluice migrate [--check] [--json]`. With `--check`, exit status 1 when something is pending. */
export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database schema to this version (workers also do so at start)')
    .option('--check', 'change nothing; exit with 1 when migrations are pending')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const config = commandConfig()
      const log = commandLog(config.logLevel)
      const dir = join(packageRoot, 'migrations')
      await withDatabase(config, log, options.check === true ? 'read' : 'write', async (sql) => {
        if (options.check === true) {
          const pending = await pendingMigrations(sql, { dir })
          report(options, 'pending', pending)
          if (pending.length > 0) process.exitCode = 1
        } else {
          const { applied } = await migrate(sql, { dir, log })
          report(options, 'applied', applied)
        }
      })
    })
}

function report({ json }: Options, what: 'pending' | 'applied', names: readonly string[]): void {
  if (json === true) print(JSON.stringify({ [what]: names }))
  else
    print(
      names.length === 0 ? `nothing ${what}` : names.map((name) => `${what} ${name}`).join('\n'),
    )
}
