/**
 * Ends what a killed Sluice has left: a postmaster that still runs, sessions whose postmaster is
 * dead, and a `postmaster.pid` whose number another program may have by now, which Postgres would
 * take for its own. Every process of a postmaster is known by its working directory, the data
 * folder. Linux only: on other systems Postgres's own checks decide.
 */
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { POSTGRES_STOP_FAST_MS, POSTGRES_STOP_IMMEDIATE_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'

export type LeftoverDeps = { readonly clock: Clock; readonly log: Log }

const POLL_MS = 10

/**
 * Ends every Postgres process of `folder` and removes a stale `postmaster.pid`. The caller must
 * have the lock of the data directory, so that no process has an owner.
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

/** A living postmaster gets a fast shutdown first, which saves the next start a recovery. */
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
      // It ended between the look and the signal.
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
      // It has ended meanwhile, or is another user's and therefore not one of ours.
    }
  }
  return found
}
