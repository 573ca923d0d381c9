/**
 * Locks a data directory for one Sluice. The lock file names its owner by process id, start time
 * and boot. A process id that was given to another process after a crash, or in a restarted
 * container, is then no owner. A hard link creates the file complete, and fails when the file
 * exists. Processes of another process-id namespace cannot be seen, so two containers must not
 * share a data directory.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../core/code.ts'

type Owner = { readonly pid: number; readonly identity: string }

const ATTEMPTS_MAX = 5

/**
 * @returns a function that releases the lock; it may be called twice.
 * @throws {AppError} `failed_precondition` while another process has it.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'postgres.lock')
  const identity = await identify(process.pid)
  const mine = JSON.stringify({ pid: process.pid, identity: identity ?? '', nonce: randomUUID() })
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (await acquire(path, mine)) return () => release(path, mine)
    const held = await readFile(path, 'utf8').catch(() => undefined) // Just given back: again.
    if (held === undefined) continue
    const owner = parseOwner(held)
    if (owner !== undefined && (await isAlive(owner))) {
      throw new AppError(
        'failed_precondition',
        `${dataDir} is in use by another Sluice, process ${owner.pid}: stop it, ` +
          'or give this one its own DATA_DIR (or a DATABASE_URL)',
      )
    }
    await removeStale(path, held)
  }
  throw new AppError('failed_precondition', `cannot lock ${path}: other starts interfere`)
}

async function acquire(path: string, content: string): Promise<boolean> {
  const staging = `${path}.${randomUUID()}`
  try {
    await writeFile(staging, content, { mode: 0o600 })
    await link(staging, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new AppError('failed_precondition', `cannot lock ${path}`, { cause: error })
  } finally {
    await rm(staging, { force: true })
  }
}

async function release(path: string, content: string): Promise<void> {
  const held = await readFile(path, 'utf8').catch(() => undefined) // Removed by hand: nothing to do.
  if (held === content) await rm(path, { force: true })
}

/**
 * Removes the file of a dead owner, and puts it back if another start has replaced it meanwhile.
 */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, path)
  } catch {
    // Another start took it first. The caller checks again.
  } finally {
    await rm(aside, { force: true })
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (!('pid' in value) || !('identity' in value)) return undefined
    const { pid, identity } = value
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
    return { pid, identity: String(identity) }
  } catch {
    return undefined // Not ours or cut short by a power cut: nobody holds it.
  }
}

async function isAlive(owner: Owner): Promise<boolean> {
  if (process.platform === 'linux') return (await identify(owner.pid)) === owner.identity
  try {
    return process.kill(owner.pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Boot and start time of a process on Linux; `undefined` when there is no such process. */
async function identify(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may have any characters. The fields after it start with the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    const startTicks = fields[19]
    if (state === 'Z' || state === 'X') return undefined
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()}/${startTicks}`
  } catch {
    return undefined
  }
}
