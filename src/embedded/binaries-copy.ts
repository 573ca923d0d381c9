/** Copies Postgres's programs to a folder that its account can read. */
import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'
import type { Account } from './account.ts'
import { runAs } from './run.ts'

export type CopyRequest = {
  readonly folder: string
  readonly account: Account | undefined
  readonly dataDir: string
  readonly log: Log
}

type Entry = { readonly path: string; readonly kind: 'file' | 'folder' | 'link' }

/**
 * Copies the programs once to a folder that the account can read. The name of the copy has a
 * fingerprint of its files. A copy that no longer matches, because a cleaner of temporary files was
 * at work, is replaced. No other account can have made or changed it: the folder must be ours, and
 * it is renamed into place when it is complete.
 * @returns the folder of the copy.
 */
export async function copyBinaries(request: CopyRequest): Promise<string> {
  const { folder, account, dataDir, log } = request
  const wanted = await fingerprint(folder)
  const inDataDir = await canEnter(account, dataDir)
  const parent = inDataDir ? dataDir : tmpdir()
  const copy = join(parent, `${inDataDir ? '' : 'sluice-'}postgres-programs-${wanted}`)
  if (await isOurs(copy)) {
    if ((await fingerprint(copy)) === wanted) return copy
    await rm(copy, { recursive: true, force: true })
  }
  log.info('copying the programs of Postgres to where its account can read them', { folder: copy })
  const staging = await mkdtemp(`${copy}.`)
  try {
    await copyTree(folder, staging)
    await rename(staging, copy)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another start may have been faster. Anything else at that place must not be run.
    if ((await isOurs(copy)) && (await fingerprint(copy)) === wanted) return copy
    throw new AppError('failed_precondition', `cannot copy the programs of Postgres to ${copy}`, {
      cause: error,
    })
  }
  return copy
}

async function canEnter(account: Account | undefined, folder: string): Promise<boolean> {
  const result = await runAs(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder], '/')
  return result.kind === 'ran'
}

/** True for a folder, and not a link to one, that nobody else can have filled or can change. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    const { uid, mode } = await lstat(folder)
    const isFolder = (mode & 0o170000) === 0o040000
    return isFolder && uid === process.getuid?.() && (mode & 0o022) === 0
  } catch {
    return false // Not there yet.
  }
}

/** Names and sizes of all copied files, which a copy with missing files cannot match. */
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const { path, kind } of await entries(folder, '')) {
    if (kind !== 'file') continue // Links are restored by their list, folders come with files.
    hash.update(`${path} ${(await lstat(join(folder, path))).size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Files, folders and links below, parents first, in a stable order, without static libraries. */
async function entries(root: string, below: string): Promise<Entry[]> {
  const found: Entry[] = []
  const listed = await readdir(join(root, below), { withFileTypes: true })
  for (const entry of listed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(below, entry.name)
    if (entry.isSymbolicLink()) found.push({ path, kind: 'link' })
    else if (entry.isDirectory()) {
      found.push({ path, kind: 'folder' })
      found.push(...(await entries(root, path)))
    } else if (entry.isFile() && !basename(path).endsWith('.a')) found.push({ path, kind: 'file' })
  }
  return found
}

/** Readable by all and writable by us, whatever umask the packages were installed with. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755)
  for (const { path, kind } of await entries(from, '')) {
    const source = join(from, path)
    const target = join(to, path)
    if (kind === 'link') await symlink(await readlink(source), target)
    else if (kind === 'folder') {
      await mkdir(target)
      await chmod(target, 0o755)
    } else {
      await copyFile(source, target)
      const executable = ((await lstat(source)).mode & 0o100) !== 0
      await chmod(target, executable ? 0o755 : 0o644)
    }
  }
}
