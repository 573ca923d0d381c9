/** Starts, awaits and ends the processes of a measurement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError, assert } from '../../../src/core/code.ts'
import { packageRoot } from '../../../src/core/package-root.ts'

const READY_MS_MAX = 60_000
/** The product drains within 25 s of SIGTERM. */
const STOP_MS_MAX = 30_000
const LOG_TAIL_CHARS = 2_000

export type Settings = Record<string, string>

/** A process started for a measurement, with its output in a file. */
export type Running = {
  readonly name: string
  readonly child: ChildProcess
  readonly logFile: string
  readonly isReady: () => Promise<boolean>
}

/** A role of the product. */
export async function startProcess(
  folder: string,
  name: string,
  command: string,
  settings: Settings,
): Promise<Running> {
  const adminPort = await freePort()
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'sluice'), command], {
    cwd: folder,
    env: { DATA_DIR: join(folder, name), ADMIN_PORT: String(adminPort), ...settings },
    stdio: ['ignore', log, log],
  })
  child.on('error', () => {
    // A child that never ran has no pid. `untilReady` reports that.
  })
  closeSync(log)
  return { name, child, logFile, isReady: () => isReady(adminPort) }
}

export async function untilReady(
  clock: Clock,
  running: Running,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = clock.monotonic() + READY_MS_MAX
  while (clock.monotonic() < giveUpAt) {
    if (hasEnded(running.child)) break
    if (await running.isReady()) return
    await clock.sleep(50, signal)
  }
  const tail = readFileSync(running.logFile, 'utf8').slice(-LOG_TAIL_CHARS)
  throw new AppError('unavailable', `${running.name} did not get ready:\n${tail}`)
}

async function isReady(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false // Not listening yet: asked again until the deadline.
  }
}

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

export async function endProcess(clock: Clock, { child }: Running): Promise<void> {
  child.kill('SIGTERM')
  const giveUpAt = clock.monotonic() + STOP_MS_MAX
  while (!hasEnded(child) && clock.monotonic() < giveUpAt) await clock.sleep(50)
  if (!hasEnded(child)) child.kill('SIGKILL')
}

/** Starts a third-party server, which is ready once its port takes connections. */
export function startServer(
  folder: string,
  program: string,
  args: readonly string[],
  port: number,
): Running {
  const logFile = join(folder, `${program}.log`)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(program, [...args], {
    cwd: folder,
    // Debian installs servers in folders that are not in the PATH of ordinary users.
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` },
    stdio: ['ignore', log, log],
  })
  child.on('error', () => {
    // A child that never ran has no pid. `untilReady` reports that.
  })
  closeSync(log)
  return { name: program, child, logFile, isReady: () => takesConnections(port) }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (taken: boolean) => {
      socket.destroy()
      resolve(taken)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      assert(address !== null && typeof address === 'object', 'a TCP server has a port')
      server.close(() => resolve(address.port))
    })
  })
}
