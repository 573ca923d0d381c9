/**
 * The ports of the server of a data folder: a running standalone writes them there, and commands
 * find it without being given its ports.
 */
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Environment, environment } from '../core/config/config.ts'
import { objectOf } from '../core/json.ts'
import type { Log } from '../core/log.ts'

const FILE = 'server.json'
const PORTS = ['PORT', 'GRPC_PORT', 'ADMIN_PORT'] as const
const HOSTS = ['HOST', 'GRPC_HOST'] as const

export type ServerPlace = Readonly<Record<(typeof PORTS)[number], number>> &
  Readonly<Record<(typeof HOSTS)[number], string>>

/** @returns a function that removes the file. Never rejects: commands then need the ports. */
export async function noteServer(
  log: Log,
  dataDir: string,
  place: ServerPlace,
): Promise<() => Promise<void>> {
  const path = join(dataDir, FILE)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 })
    // Written under another name first, so that no command reads half of it.
    const whole = `${path}.${process.pid}`
    await writeFile(whole, `${JSON.stringify({ pid: process.pid, ...place })}\n`)
    await rename(whole, path)
  } catch (error) {
    log.warn('commands cannot find this server without its ports', { path, error })
  }
  return async () => {
    if (readServer(dataDir)?.pid === process.pid) await rm(path, { force: true })
  }
}

/**
 * The environment with the places of the server that runs on the data folder, where it names none.
 * A file that a killed server has left counts for nothing.
 */
export function withServerOf(dataDir: string, env: Environment = environment()): Environment {
  const server = readServer(dataDir)
  if (server === undefined || !isRunning(server.pid)) return env
  const found = Object.entries(server.settings).filter(([key]) => (env[key]?.trim() ?? '') === '')
  return { ...env, ...Object.fromEntries(found) }
}

type Noted = { readonly pid: number; readonly settings: Readonly<Record<string, string>> }

function readServer(dataDir: string): Noted | undefined {
  try {
    const { pid, ...places } = objectOf(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')))
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
    const known = [...PORTS, ...HOSTS].map((key) => [key, String(places[key] ?? '')] as const)
    return { pid, settings: Object.fromEntries(known.filter(([, value]) => value !== '')) }
  } catch {
    return undefined // None, of another user, or half of one: the settings count.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
