/**
 * What a killed Sluice leaves: a postmaster that still runs, or sessions whose postmaster is dead,
 * and a `postmaster.pid` whose number may by now be another program's, which Postgres would take
 * for itself. All are told by the working directory, which is the data folder for every process of
 * a postmaster. Linux only: elsewhere Postgres' own checks decide.
 */
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { POSTGRES_STOP_FAST_MS, POSTGRES_STOP_IMMEDIATE_MS } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'

export type LeftoverDeps = { readonly clock: Clock; readonly log: Log }

const POLL_MS = 10

/**
 * Ends every Postgres process of `folder` and removes a stale `postmaster.pid`. The caller holds
 * the lock of the data directory, so they are nobody's.
 * @throws {AppError} `unavailable` when a process survives SIGKILL (disk hung). Safe to retry.
 */
export async function clearLeftovers(folder: string, deps: LeftoverDeps): Promise<void> {
  if (process.platform !== 'linux') return
  const left = await processesIn(folder)
  const pidFile = join(folder, 'postmaster.pid')
  if (left.length > 0) {
    deps.log.warn('ending processes that an earlier Postgres left behind', { pids: left })
    const text = await readFile(pidFile, 'utf8').catch(() => '') // None: no postmaster to ask.
    const postmaster = Number.parseInt(text, 10)
    await endAll(folder, left.includes(postmaster) ? postmaster : undefined, deps)
  }
  await rm(pidFile, { force: true })
}

/** A living postmaster is asked first: a fast shutdown spares the next start a recovery. */
async function endAll(
  folder: string,
  postmaster: number | undefined,
  { clock }: LeftoverDeps,
): Promise<void> {
  if (postmaster !== undefined) {
    signal([postmaster], 'SIGINT')
    if (await areGone(folder, POSTGRES_STOP_FAST_MS, clock)) return
  }
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    signal(await processesIn(folder), name)
    if (await areGone(folder, POSTGRES_STOP_IMMEDIATE_MS, clock)) return
  }
  throw new AppError('unavailable', `Postgres processes of ${folder} do not end`)
}

async function areGone(folder: string, withinMs: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonic() + withinMs
  while ((await processesIn(folder)).length > 0) {
    if (clock.monotonic() >= deadline) return false
    await clock.sleep(POLL_MS)
  }
  return true
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // Gone between the look and the signal, which is what was wanted.
    }
  }
}

/** Ids of the Postgres processes whose working directory is `folder`. */
export async function processesIn(folder: string): Promise<number[]> {
  const wanted = await stat(folder, { bigint: true })
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const cwd = await stat(`/proc/${name}/cwd`, { bigint: true })
      if (cwd.ino !== wanted.ino || cwd.dev !== wanted.dev) continue
      const program = await readlink(`/proc/${name}/exe`) // "… (deleted)" after an upgrade.
      if (basename(program).startsWith('postgres')) found.push(Number(name))
    } catch {
      // Ended meanwhile, or another user's: then it cannot be one of ours.
    }
  }
  return found
}
