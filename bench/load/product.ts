import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert } from '../../src/core/code.ts'
import { silentLog } from '../../src/core/log.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { createReleasers } from '../../src/core/releasers.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded-postgres.ts'
import type { BenchProject } from './management-api.ts'
import { type ProcessGroup, treeGroup } from './process-usage.ts'

export type Topology = 'standalone' | 'split'

export type ProductOptions = {
  readonly topology: Topology
  readonly projects: number
  /** Added to every process's environment, over what the bench sets. */
  readonly environment: Readonly<Record<string, string>>
  /** Gives the start up; what was started is ended. */
  readonly signal: AbortSignal
}

/** The product, started for one measurement on free loopback ports. */
export type Product = {
  readonly url: string
  readonly projects: readonly BenchProject[]
  readonly databaseUrl: string
  readonly groups: readonly ProcessGroup[]
  stop(): Promise<void>
}

const READY_MS_MAX = 60_000
/** The product drains within 25 s of SIGTERM. */
const STOP_MS_MAX = 30_000
const LOG_TAIL_CHARS = 2_000

type Settings = Record<string, string>
type Running = { name: string; child: ChildProcess; logFile: string; adminPort: number }

/**
 * Starts Postgres and the product's processes. They see only the settings named here, never those
 * of the shell, so that a figure can be repeated elsewhere. Everything is gone after `stop`.
 * @throws {AppError} `unavailable` with the end of its log when a process does not get ready.
 */
export async function startProduct(clock: Clock, options: ProductOptions): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  // Postgres does not run as root and must reach its own folder in here.
  chmodSync(folder, 0o711)
  const releasers = createReleasers(silentLog)
  releasers.push('folder', () => rmSync(folder, { recursive: true, force: true }))
  try {
    const dataDir = join(folder, 'postgres')
    const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, clock })
    releasers.push('postgres', () => postgres.stop())
    const bootstrap = bootstrapProject()
    const [httpPort, grpcPort] = [await freePort(), await freePort()]
    const shared: Settings = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(httpPort),
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(grpcPort),
      OPERATOR_TOKEN: randomBytes(32).toString('base64url'),
    }
    const store: Settings = { ...bootstrap.settings, DATABASE_URL: postgres.url }
    const running: Running[] = []
    const launch = async (name: string, command: string, more: Settings) => {
      const settings = { ...shared, ...more, ...options.environment }
      const started = await startProcess(folder, name, command, settings)
      running.push(started)
      releasers.push(name, () => endProcess(clock, started))
      await untilReady(clock, started, options.signal)
    }
    if (options.topology === 'standalone') {
      await launch('sluice', 'start', store)
    } else {
      await launch('worker', 'worker', store)
      await launch('gateway', 'gateway', { WORKER_ADDRESSES: `127.0.0.1:${grpcPort}` })
    }
    const more = await createProjects(options.projects - 1, { ...shared, ...options.environment })
    return {
      url: `http://127.0.0.1:${httpPort}`,
      projects: [bootstrap.project, ...more],
      databaseUrl: postgres.url,
      groups: [
        ...running.map(({ name, child }) => treeGroup(name, () => child.pid)),
        treeGroup('postgres', () => postgres.pid()),
      ],
      stop: () => releasers.release(),
    }
  } catch (error) {
    await releasers.release()
    throw error
  }
}

function bootstrapProject(): { settings: Settings; project: BenchProject } {
  const apiKey = `phc_${randomBytes(32).toString('base64url')}`
  const personalApiKey = `phx_${randomBytes(32).toString('base64url')}`
  return {
    settings: {
      BOOTSTRAP_EMAIL: 'bench@example.com',
      BOOTSTRAP_PROJECT_API_KEY: apiKey,
      BOOTSTRAP_PERSONAL_API_KEY: personalApiKey,
    },
    project: { apiKey, projectId: 1, personalApiKey },
  }
}

async function startProcess(
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
    // A child that never ran has no pid, which `untilReady` reports.
  })
  closeSync(log)
  return { name, child, logFile, adminPort }
}

async function untilReady(clock: Clock, running: Running, signal: AbortSignal): Promise<void> {
  const giveUpAt = clock.monotonic() + READY_MS_MAX
  while (clock.monotonic() < giveUpAt) {
    if (hasEnded(running.child)) break
    if (await isReady(running.adminPort)) return
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

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function endProcess(clock: Clock, { child }: Running): Promise<void> {
  child.kill('SIGTERM')
  const giveUpAt = clock.monotonic() + STOP_MS_MAX
  while (!hasEnded(child) && clock.monotonic() < giveUpAt) await clock.sleep(50)
  if (!hasEnded(child)) child.kill('SIGKILL')
}

/** Further projects, each of its own organisation, made the way an operator makes them. */
async function createProjects(count: number, settings: Settings): Promise<BenchProject[]> {
  if (count <= 0) return []
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      op: 'create_user',
      email: `bench-${index + 2}@example.com`,
      first_name: 'Bench',
      organization_name: `Bench ${index + 2}`,
    }),
  )
  const answers = await runAdmin(`${lines.join('\n')}\n`, settings)
  return answers.map((answer) => {
    const parsed: Record<string, unknown> = JSON.parse(answer)
    const { project_api_key: apiKey, project_id: projectId, personal_api_key: key } = parsed
    if (typeof apiKey !== 'string' || typeof projectId !== 'number' || typeof key !== 'string') {
      throw new AppError('internal', `sluice admin answered ${answer}`)
    }
    return { apiKey, projectId, personalApiKey: key }
  })
}

function runAdmin(input: string, settings: Settings): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(packageRoot, 'bin', 'sluice'), 'admin'], {
      env: settings,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
      if (code === 0) resolve(lines)
      else reject(new AppError('internal', `sluice admin ended with ${code}`))
    })
    child.stdin.end(input)
  })
}

function freePort(): Promise<number> {
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
