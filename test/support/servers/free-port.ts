/** Finds free TCP ports that no other test of the run takes. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Below those that the system gives to the near end of connections: a server that is away for a
 * moment would find its port taken by one, and a client that dials it then may even meet itself.
 */
const FIRST = 15_000
const COUNT = 17_000
const ATTEMPTS_MAX = 50
/** Claims of all runs on this machine: a file with the port's name makes the port one's own. */
const CLAIMS = `/tmp/sluice-test-ports-${process.getuid?.() ?? 0}`

/** Ports handed out in this process, which may not be listened on yet. */
const given = new Set<number>()

/** A port of 127.0.0.1 that is free and claimed by no other test file; a new one each time. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (given.has(port) || !claim(port)) continue
    if (given.size === 0) process.once('exit', release)
    given.add(port)
    try {
      await tryListen(port)
      return port
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw error // Others are taken: another one is tried.
    }
  }
}

/** Claims a port; false when a living process has claimed it. */
function claim(port: number): boolean {
  const path = join(CLAIMS, String(port))
  mkdirSync(CLAIMS, { recursive: true })
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // The claim of a killed process is removed; the next attempt may take it.
    if (!isAlive(holderOf(path))) rmSync(path, { force: true })
    return false
  }
}

/** Id of the holder; 0 once released. A file that is still empty is about to be its maker's. */
function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) || process.pid
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

function release(): void {
  for (const port of given) rmSync(join(CLAIMS, String(port)), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    if (pid === 0) return false
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function tryListen(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()))
  })
}
