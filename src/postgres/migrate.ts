/**
 * Migrates the schema to the version of this Sluice. Every worker does so at start. Each file is
 * one transaction with its row in `schema_migrations`: a crash leaves whole migrations only. An
 * advisory lock per transaction lets one process work while the others wait; the next holder checks
 * again what is left.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { Sql } from './connect.ts'
import type { Db } from './db.ts'
import { type Migration, readMigrations } from './migration-files.ts'

type Applied = {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly compatible: boolean
}

/** Waits this long for another process's migrations, and a statement for a lock on a table. */
const MIGRATOR_WAIT_MS = 300_000
const TABLE_LOCK_WAIT_MS = 15_000

/**
 * Applies pending migrations, in order.
 * @returns names of the migrations applied by this call.
 * @throws {AppError} `failed_precondition` when files and database contradict each other;
 * `PostgresError` when a statement fails: its file leaves no change, and a retry begins with it.
 */
export async function migrate(
  sql: Sql,
  { dir, log }: { readonly dir: string; readonly log: Log },
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(dir)
  const applied: string[] = []
  try {
    for (;;) {
      const done = await sql.begin((tx) => applyNext(tx, migrations))
      if (done === undefined) return { applied }
      applied.push(done)
    }
  } finally {
    // Migrations before one that fails stay.
    const last = applied.at(-1)
    if (last !== undefined) log.info('migrations applied', { count: applied.length, last })
  }
}

/** Runs one step under the lock; `undefined` when none is left. */
export async function applyNext(
  tx: Db,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  // An index on a large table takes its time; a wait for a lock holds up everyone behind it.
  await tx`select set_config('statement_timeout', '0', true),
    set_config('lock_timeout', ${String(MIGRATOR_WAIT_MS)}, true)`
  await tx`select pg_advisory_xact_lock(${migratorLockId()}::bigint)`
  await tx`select set_config('lock_timeout', ${String(TABLE_LOCK_WAIT_MS)}, true)`
  await tx`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      compatible boolean not null,
      applied_at timestamptz not null default now()
    )`
  const [next] = pendingOf(migrations, await readApplied(tx))
  if (next === undefined) return undefined
  const { version, name, checksum, compatible, text } = next
  await tx.unsafe(text)
  await tx`
    insert into schema_migrations (version, name, checksum, compatible)
    values (${version}, ${name}, ${checksum}, ${compatible})`
  return name
}

/**
 * Names of the migrations that `migrate` would apply. Changes nothing and takes no lock.
 * @throws {AppError} `failed_precondition` when files and database contradict each other.
 */
export async function pendingMigrations(
  sql: Sql,
  { dir }: { readonly dir: string },
): Promise<readonly string[]> {
  const migrations = await readMigrations(dir)
  const [found] = await sql<{ present: boolean }[]>`
    select to_regclass('schema_migrations') is not null as present`
  const applied = found?.present === true ? await readApplied(sql) : []
  return pendingOf(migrations, applied).map((migration) => migration.name)
}

async function readApplied(sql: Db): Promise<readonly Applied[]> {
  return await sql<Applied[]>`
    select version, name, checksum, compatible from schema_migrations order by version`
}

/** Migrations that are left to apply, after checking that the others match the applied ones. */
function pendingOf(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): readonly Migration[] {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[row.version - 1]
    if (row.version !== index + 1) {
      throw refuse(`migration ${index + 1} is missing from schema_migrations, ${row.name} is there`)
    }
    if (migration === undefined && !row.compatible) {
      throw refuse(
        `the database is newer than this Sluice: ${row.name} is unknown here and breaking. ` +
          'Run the version of Sluice that brought it, or a later one',
      )
    }
    if (migration !== undefined && migration.checksum !== row.checksum) {
      throw refuse(
        `migration ${migration.name} is not the one that was applied as ${row.name}: ` +
          'restore its file and put the change into a new migration',
      )
    }
  }
  return migrations.slice(applied.length)
}

function refuse(detail: string): AppError {
  return new AppError('failed_precondition', detail)
}

/** A constant: the first eight bytes of a hash, as the signed number that Postgres takes. */
function migratorLockId(): string {
  return createHash('sha256').update('sluice migrations').digest().readBigInt64BE().toString()
}
