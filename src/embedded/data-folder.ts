/** Creates and checks the data folder of the embedded Postgres. */
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../core/code.ts'
import type { Account } from './account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { runAs } from './run.ts'

/**
 * The superuser of the embedded database. The socket's folder has mode 0700, so only our user can
 * connect.
 */
export const POSTGRES_USER = 'sluice'

export type DataFolder = {
  readonly folder: string
  readonly account: Account | undefined
  readonly binaries: PostgresBinaries
}

/** Tests skip the fsync of folders that they delete. */
export type InitOptions = { readonly initdbArgs?: readonly string[] }

/**
 * The value of `-D`. The account may not be able to enter root's folders from the top, such as
 * `/root`, but a process can always read the working directory that it was started in.
 */
export function dataFolderArgument(account: Account | undefined, folder: string): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/**
 * Creates the data folder on first use. The folder is built beside its place and renamed when it is
 * complete and on disk, so that a crash leaves no half-made one.
 * @throws {AppError} `failed_precondition` when it cannot be created, belongs to another major
 * version of Postgres, or is something else.
 */
export async function prepareDataFolder(data: DataFolder, options: InitOptions): Promise<void> {
  const { folder, binaries } = data
  const major = await dataMajor(folder)
  if (major === binaries.major) return
  if (major !== undefined) {
    throw new AppError(
      'failed_precondition',
      `${folder} was written by Postgres ${major}, this Sluice brings Postgres ${binaries.major}: ` +
        `dump it with the Sluice that wrote it (pg_dump of Postgres ${major}), move the folder ` +
        'away, start, and restore the dump with psql',
    )
  }
  const present = await readdir(folder).catch(() => []) // Missing, as on every first start.
  if (present.length > 0) {
    const detail = `${folder} has no PG_VERSION and is not empty: move it away or set DATA_DIR`
    throw new AppError('failed_precondition', detail)
  }
  await createDataFolder(data, options)
}

/** Major version of the data in `folder`, `undefined` when there is none. */
export async function dataMajor(folder: string): Promise<number | undefined> {
  try {
    const text = await readFile(join(folder, 'PG_VERSION'), 'utf8')
    return Number.parseInt(text, 10)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new AppError('failed_precondition', `cannot read ${folder}`, { cause })
  }
}

async function createDataFolder(data: DataFolder, options: InitOptions): Promise<void> {
  const { folder, account, binaries } = data
  const staging = `${folder}.new`
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { mode: 0o700 })
  if (account !== undefined) await chown(staging, account.uid, account.gid)
  const args = [
    '-D',
    dataFolderArgument(account, staging),
    `--username=${POSTGRES_USER}`,
    // Sorted by code point and lower-cased by Unicode, equally on every machine.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...(options.initdbArgs ?? []),
  ]
  const result = await runAs(account, binaries.initdb, args, staging)
  if (result.kind === 'failed') {
    await rm(staging, { recursive: true, force: true })
    throw new AppError(
      'failed_precondition',
      `initdb failed: ${result.output}${hintFor(result.output)}`,
    )
  }
  await rename(staging, folder)
  await syncFolder(dirname(folder))
}

function hintFor(output: string): string {
  if (!output.includes('user does not exist')) return ''
  return ' (initdb wants an entry in /etc/passwd: add one for this user id, or set DATABASE_URL)'
}

/** Makes a rename in `folder` survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Rewrites `postgresql.conf`, so that the settings are those of the running version. Settings that
 * an operator makes with ALTER SYSTEM are in `postgresql.auto.conf`, which takes precedence.
 */
export async function writeSettings(
  { folder, account }: DataFolder,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = ['# Written by Sluice at each start. Change settings with ALTER SYSTEM.']
  for (const [name, value] of Object.entries(settings)) {
    lines.push(`${name} = '${value.replaceAll("'", "''")}'`)
  }
  const path = join(folder, 'postgresql.conf')
  const staging = `${path}.new`
  await writeFile(staging, `${lines.join('\n')}\n`, { mode: 0o600 })
  await chmod(staging, 0o600)
  if (account !== undefined) await chown(staging, account.uid, account.gid)
  await rename(staging, path)
}

/** `DATA_DIR` with its parents. Private folders in it set their own modes. */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 })
  } catch (cause) {
    throw new AppError('failed_precondition', `cannot create DATA_DIR ${dataDir}`, { cause })
  }
}
