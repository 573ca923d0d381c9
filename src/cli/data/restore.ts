/** `sluice restore`: fills an empty database from a backup. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { type BackupContents, verifyBackup } from '../../backup/backup-reader.ts'
import { type RestoreSummary, restoreBackup } from '../../backup/restore.ts'
import { systemClock } from '../../core/clock.ts'
import { packageRoot } from '../../core/package-root.ts'
import { toUnavailable } from '../../postgres/failures.ts'
import { listSecretKeys } from '../../store/secrets/secret-keys-store.ts'
import { commandConfig, commandLog, print, withDatabase } from '../command.ts'
import { interruptible, UsageError } from '../command-end.ts'
import { compressedFile } from './backup-file.ts'

const HELP = `
All workers must be stopped. The database (of DATABASE_URL, else of DATA_DIR) must be empty: a new
DATA_DIR, or a database without tables. The command checks the whole file first, then restores all
of it or nothing. Mails and jobs that were waiting when the backup was made are sent and run once
workers start. A backup does not hold the operator token, nor
the keys that its secrets are sealed with: the command names those that workers will need.`

type Options = { readonly check?: boolean; readonly json?: boolean }

/** `sluice restore FILE [--check] [--json]`. */
export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('fill an empty database from a backup')
    .argument('<file>', 'file that sluice backup wrote')
    .option('--check', 'only check the file; touch no database')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((file: string, options: Options) =>
      interruptible((signal) => restore(file, options, signal)),
    )
}

async function restore(file: string, options: Options, signal: AbortSignal): Promise<void> {
  if (file === '-') throw new UsageError('a restore reads its file twice: name one')
  const source = compressedFile(file, signal)
  const startedAt = systemClock.monotonic()
  // Checked first, so that no Postgres is started and no data directory made for nothing.
  const contents = await verifyBackup(source)
  if (options.check === true) {
    report(contents, options)
    return
  }
  const config = commandConfig()
  const log = commandLog(config.logLevel)
  const dir = join(packageRoot, 'migrations')
  const summary = await withDatabase(config, log, 'write', async (sql) => {
    try {
      const restored = await restoreBackup(sql, source, contents, { dir, log })
      return { ...restored, secretKeys: await listSecretKeys(sql) }
    } catch (error) {
      throw toUnavailable(error) ?? error
    }
  })
  report(summary, options, (systemClock.monotonic() - startedAt) / 1_000)
}

function report(
  contents: BackupContents & Partial<RestoreSummary> & { readonly secretKeys?: readonly string[] },
  { json }: Options,
  seconds?: number,
): void {
  const { header, tables, rows, migrated, secretKeys } = contents
  const schema = header.migrations.at(-1)?.name ?? null
  if (json === true) {
    const { sluice, createdAt } = header
    print(
      JSON.stringify({
        sluice,
        created_at: createdAt,
        schema,
        tables,
        rows,
        migrated,
        secret_keys: secretKeys,
        seconds,
      }),
    )
    return
  }
  const what = `${rows} rows of ${tables} tables as of ${header.createdAt}, by Sluice ${header.sluice}`
  if (seconds === undefined) print(`whole: ${what}`)
  else print(`restored ${what}, ${seconds.toFixed(1)} s`)
  for (const name of migrated ?? []) print(`applied ${name}`)
  for (const key of secretKeys ?? []) {
    print(`secrets are sealed under the key ${key}: set SECRETS_KEY, or bring DATA_DIR/secrets.key`)
  }
}
