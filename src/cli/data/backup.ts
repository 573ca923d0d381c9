/** `sluice backup`: writes everything in the database to one file. */
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { type BackupSummary, writeBackup } from '../../backup/backup.ts'
import { ColumnError } from '../../clickhouse/column-error.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Config } from '../../core/config/config.ts'
import { packageVersion } from '../../core/package-root.ts'
import type { Sql } from '../../postgres/connect.ts'
import { toUnavailable } from '../../postgres/failures.ts'
import { commandConfig, commandLog, print, withDatabase } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { type Write, writeCompressedFile, writeCompressedOutput } from './backup-file.ts'

const HELP = `
The command reads the database of DATABASE_URL, else the one of DATA_DIR, whether or not Sluice
runs. The file holds everything in the database at one moment, and only its owner may read it. It
replaces an older file once it is complete. sluice restore reads it. Events that only ClickHouse
holds are in it too: EVENTS_URL says where.`

const STANDARD_OUTPUT = '-'

/** `sluice backup FILE|- [--json]`. With `-` the report goes to standard error. */
export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('write everything in the database to one file')
    .argument('<file>', 'file to write, or - for standard output')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((file: string, options: { json?: boolean }) =>
      interruptible((signal) => backUp(file, options.json === true, signal)),
    )
}

async function backUp(file: string, json: boolean, signal: AbortSignal): Promise<void> {
  const config = commandConfig()
  const log = commandLog(config.logLevel)
  const startedAt = systemClock.monotonic()
  const produce = (write: Write) =>
    withDatabase(config, log, 'read', (sql) =>
      reading(
        writeBackup(sql, {
          version: packageVersion(),
          openColumns: columnsOf(sql, config),
          write: async (text) => {
            signal.throwIfAborted()
            await write(text)
          },
        }),
      ),
    )
  const toOutput = file === STANDARD_OUTPUT
  const summary = toOutput
    ? await writeCompressedOutput(produce)
    : await writeCompressedFile(file, produce)
  const seconds = (systemClock.monotonic() - startedAt) / 1_000
  const bytes = toOutput ? undefined : (await stat(file)).size
  const text = json ? asJson(summary, seconds, bytes) : asText(summary, seconds, bytes)
  if (toOutput) process.stderr.write(`${text}\n`)
  else print(text)
}

/** Reader of events that only ClickHouse holds; its client is loaded only when needed. */
function columnsOf(sql: Sql, { eventsUrl }: Config) {
  if (eventsUrl === undefined) return undefined
  return async () => {
    const { openOwnReplica } = await import('../../replication/replication.ts')
    return await openOwnReplica(sql, eventsUrl)
  }
}

function asJson({ header, tables, rows }: BackupSummary, seconds: number, bytes?: number): string {
  const { createdAt, migrations } = header
  const schema = migrations.at(-1)?.name ?? null
  return JSON.stringify({ created_at: createdAt, schema, tables, rows, bytes, seconds })
}

function asText({ header, tables, rows }: BackupSummary, seconds: number, bytes?: number): string {
  const size = bytes === undefined ? '' : `, ${bytes} bytes`
  return `${rows} rows of ${tables} tables as of ${header.createdAt}${size}, ${seconds.toFixed(1)} s`
}

/** Reports an unreachable database in one line, without a stack. */
async function reading<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ColumnError) {
      throw new AppError('unavailable', error.message, { cause: error })
    }
    throw toUnavailable(error) ?? error
  }
}
