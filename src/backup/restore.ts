/** Restores a backup into an empty database. */
import { assert } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import { applyNext, migrate } from '../postgres/migrate.ts'
import { type Migration, readMigrations } from '../postgres/migration-files.ts'
import {
  type CatalogTable,
  hasSchema,
  readApplied,
  readSequences,
  readTables,
} from './backup-catalog.ts'
import {
  type BackupHeader,
  type BackupMigration,
  type BackupSequence,
  refused,
} from './backup-format.ts'
import { type BackupContents, type BackupSource, readBackup } from './backup-reader.ts'
import { createRowLoader, type RowLoader } from './restore-rows.ts'

export type RestoreSummary = BackupContents & {
  /** The migrations that were applied after the restore: those that are younger than the backup. */
  readonly migrated: readonly string[]
}

/** Sessions of Sluice that may exist during a restore: those of this command. */
const OWN_SESSIONS = 'sluice cli'
/** The only tables into which migrations insert rows. */
const FILLED_BY_MIGRATIONS = new Set(['shard_epochs'])

/**
 * Restores a backup into an empty database, all of it or nothing. One transaction under the
 * migrator's lock restores the schema of the backup, its rows and its sequences. Later migrations
 * follow. The transaction is rolled back when the backup differs from the one that was verified.
 * @param contents the answer of `verifyBackup` for the same source.
 * @param options.dir folder of the migrations.
 * @throws {AppError} `failed_precondition` when the backup is damaged or newer than this Sluice, or
 * the database is in use or not empty; `PostgresError` when the database fails. Nothing is restored
 * then, unless a later migration fails: the next start applies it.
 */
export async function restoreBackup(
  sql: Sql,
  source: BackupSource,
  contents: BackupContents,
  { dir, log }: { readonly dir: string; readonly log: Log },
): Promise<RestoreSummary> {
  const schema = schemaOf(contents.header, await readMigrations(dir))
  await sql.begin(async (tx) => {
    await setUp(tx)
    await checkUnused(tx)
    if (await hasSchema(tx)) await checkSchema(tx, schema)
    while ((await applyNext(tx, schema)) !== undefined) {
      // Each migration is one step. The lock of the first is held to the end of the transaction.
    }
    const tables = await readTables(tx)
    await checkEmpty(tx, tables)
    const names = tables.map(({ quoted }) => quoted).join(', ')
    // Cascades to tables that are in no backup and refer to these.
    await tx.unsafe(`truncate ${names} cascade`)
    await load(tx, source, tables)
    await keepInPostgres(tx, tables)
    // Without statistics of its tables the planner would guess at the first queries.
    await tx.unsafe(`analyze ${names}`)
  })
  const { applied } = await migrate(sql, { dir, log })
  return { ...contents, migrated: applied }
}

/** The migrations that made the schema of the backup. */
function schemaOf(header: BackupHeader, files: readonly Migration[]): readonly Migration[] {
  for (const [index, { name, checksum }] of header.migrations.entries()) {
    const file = files[index]
    if (file === undefined) {
      throw refused(
        `the backup is of a newer schema (${name}, unknown here): ` +
          `restore it with Sluice ${header.sluice} or later`,
      )
    }
    if (file.checksum !== checksum) {
      throw refused(`migration ${file.name} is not the one that the backup was made after`)
    }
  }
  return files.slice(0, header.migrations.length)
}

async function setUp(tx: Db): Promise<void> {
  await tx`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true)`
}

/** A worker has parts of the database in memory, and writes what follows from them. */
async function checkUnused(tx: Db): Promise<void> {
  const others = await tx<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'sluice %'
      and application_name <> ${OWN_SESSIONS} and pid <> pg_backend_pid()
    order by 1`
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ')
    throw refused(`the database is in use (${names}): stop every worker first`)
  }
}

/** An existing schema must be one that the migrations of the backup lead to. */
async function checkSchema(tx: Db, schema: readonly BackupMigration[]): Promise<void> {
  const applied = await readApplied(tx)
  const isPast = applied.every(({ checksum }, index) => schema[index]?.checksum === checksum)
  if (isPast) return
  // Also checked below, where the error would name the schema as the cause.
  await checkEmpty(tx, await readTables(tx))
  throw refused(
    'the schema of the database is newer than that of the backup: restore into a database ' +
      'without tables',
  )
}

async function checkEmpty(tx: Db, tables: readonly CatalogTable[]): Promise<void> {
  for (const { name, quoted } of tables) {
    if (FILLED_BY_MIGRATIONS.has(name)) continue
    const rows = await tx.unsafe(`select from ${quoted} limit 1`)
    if (rows.length > 0) {
      throw refused(
        `the database is not empty (${name} has rows): restore into a new one ` +
          '(another DATA_DIR or DATABASE_URL)',
      )
    }
  }
}

async function load(tx: Db, source: BackupSource, tables: readonly CatalogTable[]): Promise<void> {
  let loader: RowLoader | undefined
  for await (const parts of readBackup(source)) {
    for (const part of parts) {
      switch (part.kind) {
        case 'header':
          break
        case 'table':
          await loader?.flush()
          loader = createRowLoader(tx, part.table, tables)
          break
        case 'row':
          assert(loader !== undefined, 'the reader lets no row come before a table')
          await loader.add(part.line)
          break
        case 'sequence':
          await loader?.flush()
          await setSequence(tx, part.sequence)
          break
        default:
          part satisfies never
      }
    }
  }
  await loader?.flush()
}

/** A backup has all events, also those that only ClickHouse held: now Postgres has them. */
async function keepInPostgres(tx: Db, tables: readonly CatalogTable[]): Promise<void> {
  const keeper = tables.find(({ name }) => name === 'event_keeper')
  if (keeper?.columns.some(({ name }) => name === 'keeps') !== true) return
  await tx`
    update event_keeper set keeps = 'both', is_full = false, reads = 'postgres'
    where keeps = 'clickhouse'`
}

async function setSequence(tx: Db, { sequence, last, called }: BackupSequence): Promise<void> {
  const target = (await readSequences(tx)).find(({ name }) => name === sequence)
  if (target === undefined) throw refused(`the backup has a sequence ${sequence} of its own`)
  await tx`select setval(${target.quoted}::text::regclass, ${last}::text::bigint, ${called})`
}
