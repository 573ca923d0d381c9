/** Starts one postmaster and follows it to its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { within } from '../core/deadline.ts'
import { POSTGRES_STOP_FAST_MS, POSTGRES_STOP_IMMEDIATE_MS } from '../core/limits/limits.ts'
import { type DataFolder, dataFolderArgument } from './data-folder.ts'
import { POSTGRES_ENV } from './run.ts'

/** Embedded Postgres: readiness covers replaying `max_wal_size` after a crash. */
const POSTGRES_READY_MS = 300_000

/** Part of the socket's name. Nothing listens on this port. */
export const POSTGRES_PORT = 5432

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** One running postmaster, from ready to its end. */
export type Postmaster = {
  readonly pid: number
  /** Resolves when it has ended, for whatever reason. Never rejects. */
  readonly exited: Promise<Exit>
  /** The newest lines of its log. */
  lastLines(): readonly string[]
  /** Fast shutdown, then immediate, then SIGKILL. Resolves when it has ended. */
  stop(): Promise<void>
}

export type PostmasterDeps = { readonly clock: Clock; readonly write: (text: string) => void }

const LAST_LINES_MAX = 20
const READY_LINE = 'database system is ready to accept connections'

/**
 * Starts Postgres on a Unix socket in its data folder and nowhere else. An abort of `signal` ends
 * it. It runs in its own session, so that Ctrl-C on a terminal reaches us alone, and Postgres stays
 * until the accepted events are written.
 * @throws {AppError} `unavailable` with its last lines when it ends or does not become ready. Safe
 * to retry.
 */
export async function startPostmaster(
  data: DataFolder,
  deps: PostmasterDeps,
  signal: AbortSignal,
): Promise<Postmaster> {
  const { folder, account, binaries } = data
  const args = ['-D', dataFolderArgument(account, folder)]
  // On the command line, where no file can override them.
  for (const setting of [
    'listen_addresses=',
    'unix_socket_directories=.',
    `port=${POSTGRES_PORT}`,
    'log_destination=stderr',
    'logging_collector=off',
  ]) {
    args.push('-c', setting)
  }
  const child = spawn(binaries.postgres, args, {
    ...account,
    cwd: folder,
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = exitOf(child)
  const lines = followLines(child, deps.write)
  const stop = () => endChild(child, exited, deps.clock)
  const outcome = await readyOrNot(lines.ready, exited, deps.clock, signal)
  if (outcome === 'ready' && child.pid !== undefined) {
    return { pid: child.pid, exited, lastLines: lines.last, stop }
  }
  await stop()
  await exitsWithin(lines.ended, 200, deps.clock) // Its last words may still be in the pipe.
  const said = lines.last().join('\n')
  throw new AppError('unavailable', `Postgres did not start (${outcome}):\n${said}`)
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    // Also emitted for a signal that could not be sent. The process may then be alive.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null })
    })
  })
}

type Lines = {
  readonly ready: Promise<void>
  readonly ended: Promise<void>
  readonly last: () => readonly string[]
}

function followLines(child: ChildProcess, write: (text: string) => void): Lines {
  const last: string[] = []
  let partial = ''
  let onReady: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    onReady = resolve
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  child.on('error', (error) => last.push(error.message))
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    write(text)
    const lines = (partial + text).split('\n')
    partial = (lines.pop() ?? '').slice(0, 4_096) // One line cannot grow without bound.
    for (const line of lines) {
      if (line.includes(READY_LINE)) onReady()
      last.push(line)
    }
    last.splice(0, Math.max(0, last.length - LAST_LINES_MAX))
  })
  return { ready, ended, last: () => [...last] }
}

async function readyOrNot(
  ready: Promise<void>,
  exited: Promise<Exit>,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const settled = new AbortController()
  const timer = clock.sleep(POSTGRES_READY_MS, AbortSignal.any([signal, settled.signal]))
  try {
    return await Promise.race([
      ready.then(() => 'ready'),
      exited.then(({ code, signal: by }) => `ended with ${by ?? `status ${code}`}`),
      timer.then(
        () => 'not ready in time',
        () => 'stopped',
      ),
    ])
  } finally {
    settled.abort()
  }
}

async function endChild(child: ChildProcess, exited: Promise<Exit>, clock: Clock): Promise<void> {
  if (child.pid === undefined) return
  child.kill('SIGINT')
  if (await exitsWithin(exited, POSTGRES_STOP_FAST_MS, clock)) return
  child.kill('SIGQUIT')
  if (await exitsWithin(exited, POSTGRES_STOP_IMMEDIATE_MS, clock)) return
  child.kill('SIGKILL')
  await exited
}

function exitsWithin(ended: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const exited = ended.then(() => true)
  return within(clock, { ms, keepsAlive: true }, exited, () => false)
}
