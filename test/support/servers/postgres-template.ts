/**
 * A data folder of Postgres that is made once and then copied: initdb has run, and its database
 * `sluice` has the schema of `migrations/`.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { chooseAccount } from '../../../src/embedded/account.ts'
import { findBinaries, type PostgresBinaries } from '../../../src/embedded/binaries.ts'
import {
  type DataFolder,
  POSTGRES_USER,
  prepareDataFolder,
  writeSettings,
} from '../../../src/embedded/data-folder.ts'
import { DATABASE } from '../../../src/embedded/embedded-postgres.ts'
import { POSTGRES_PORT, startPostmaster } from '../../../src/embedded/postmaster.ts'
import { socketFolder } from '../../../src/embedded/socket-folder.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { readMigrations } from '../../../src/postgres/migration-files.ts'
import { until } from '../until.ts'
import { sharedFolder } from './folders.ts'
import { makeOtherFolder, settingsFor } from './other-postgres.ts'

/** Several of these run at a time on a small machine. */
export const SMALL = { shared_buffers: '32MB', max_wal_size: '256MB', min_wal_size: '8MB' }
/** For data that need not survive a power cut. */
export const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' }

const PREFIX = 'sluice-test-pg-'
const INITDB_ARGS = ['--no-sync', '--wal-segsize=1']
const MIGRATIONS = join(packageRoot, 'migrations')

/**
 * Puts a ready data folder into `dataDir` for the product to find, which spares a start initdb and
 * the migrations.
 */
export async function seedDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await copyOfTemplate(dataDir)
}

/** A copy of its own as `postgres` in the folder `home`, of the other version where one is asked. */
export async function copyOfTemplate(home: string, other?: PostgresBinaries): Promise<DataFolder> {
  const template = await findTemplate(other)
  const folder = join(home, 'postgres')
  await promisify(execFile)('cp', ['-a', template.folder, folder])
  return { ...template, folder }
}

/**
 * Makes it under another name and renames it, so that files that start together share one: others wait
 * for the first. One that was killed meanwhile is not waited for without end.
 */
async function findTemplate(other?: PostgresBinaries): Promise<DataFolder> {
  const uid = process.getuid?.() ?? 0
  const account = await chooseAccount('/nonexistent')
  const binaries = other ?? (await findBinaries(account, sharedFolder(), log))
  const schema = await schemaName()
  const place = join(sharedFolder(), `${PREFIX}template-${binaries.major}-${schema}-${uid}`)
  const data = { account, binaries, folder: join(place, 'postgres') }
  if (await isOurs(place, uid)) return data
  if (!(await isFirst(`${place}.claim`))) {
    await until('another file has made it', () => isOurs(place, uid)).catch(() => undefined)
    if (await isOurs(place, uid)) return data
  }
  const staging = await mkdtemp(`${place}.`)
  await chmod(staging, other === undefined ? 0o700 : 0o711)
  const staged = { ...data, folder: join(staging, 'postgres') }
  if (other === undefined) await prepareDataFolder(staged, { initdbArgs: INITDB_ARGS })
  else await makeOtherFolder(staged, INITDB_ARGS)
  await addDatabase(staged, settingsFor(other))
  await rename(staging, place).catch(async (error: unknown) => {
    await rm(staging, { recursive: true, force: true })
    if (!(await isOurs(place, uid))) throw error // Another file of this run was not faster.
  })
  return data
}

/** Whether nobody has claimed it in this run. Without a run each file makes its own. */
async function isFirst(claim: string): Promise<boolean> {
  if (process.env['SLUICE_TEST_SHARED'] === undefined) return true
  return await mkdir(claim).then(
    () => true,
    () => false,
  )
}

/** A folder outside a run is kept: one of another schema is another one. */
async function schemaName(): Promise<string> {
  const migrations = await readMigrations(MIGRATIONS)
  const hash = createHash('sha256')
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`)
  return hash.digest('hex').slice(0, 12)
}

async function isOurs(folder: string, uid: number): Promise<boolean> {
  const entry = await stat(folder).catch(() => undefined) // Missing: not ours yet.
  return entry !== undefined && entry.uid === uid && (entry.mode & 0o022) === 0
}

async function addDatabase(
  data: DataFolder,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await writeSettings(data, { ...settings, ...SMALL, ...NOT_DURABLE })
  const sockets = await socketFolder(data.folder)
  const { signal } = new AbortController()
  const postmaster = await startPostmaster(data, { clock, write: () => {} }, signal)
  const run = async (database: string, work: (sql: Sql) => Promise<unknown>) => {
    const at = { host: sockets.path, port: POSTGRES_PORT, user: POSTGRES_USER, database }
    const sql = createSql(at, { applicationName: 'test', connectionsMax: 1, log })
    try {
      await work(sql)
    } finally {
      await sql.end()
    }
  }
  try {
    await run('postgres', (sql) => sql`create database ${sql(DATABASE)}`)
    await run(DATABASE, (sql) => migrate(sql, { dir: MIGRATIONS, log }))
  } finally {
    await postmaster.stop()
    await sockets.remove()
  }
}
