/** Runs the engine of the column store for tests. `npm run test:columns` installs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { moduleArgs } from '../module-url.ts'
import { diskFolder } from '../servers/folders.ts'

const PACKAGES = join(packageRoot, 'node_modules', '.cache', 'sluice', 'columns')
/** Each statement that runs holds a thread, and one more is needed to end it. */
const THREADS = '16'

export type Engine = {
  readonly url: string
  readonly pid: number
  /** SIGKILL, at any moment. */
  kill(): Promise<void>
  /** Starts it again on the same address and data. */
  start(): Promise<void>
}

export type EngineOptions = {
  readonly password?: string
  /** Folder of its data, which is kept. @default one of its own, which is removed */
  readonly folder?: string
}

/** An engine whose data are on a disk; it ends with `t`. */
export async function startEngine(
  t: Pick<Test, 'teardown'>,
  options: EngineOptions = {},
): Promise<Engine> {
  const { folder } = options
  const data = folder ?? (await mkdtemp(join(diskFolder(), 'sluice-columns-')))
  let running = await spawnEngine(data, 0, options)
  const { port } = running
  const kill = async () => {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  t.teardown(async () => {
    await kill()
    if (folder === undefined) await rm(data, { recursive: true, force: true })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid ?? 0
    },
    kill,
    start: async () => {
      running = await spawnEngine(data, port, options)
    },
  }
}

async function spawnEngine(data: string, port: number, { password = '' }: EngineOptions) {
  const args = [...moduleArgs('./engine-child.ts', import.meta.url), PACKAGES, data, String(port)]
  const env = { ...process.env, UV_THREADPOOL_SIZE: THREADS, ENGINE_PASSWORD: password }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the engine ended with ${code} before it answered`)
  })
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  ended.catch(() => {}) // It ends later, when it is told to.
  return { child, port: (JSON.parse(String(line)) as { port: number }).port }
}
