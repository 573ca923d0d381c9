/** Starts the product with its stores for one measurement. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { silentLog } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { createReleasers } from '../../../src/core/releasers.ts'
import { startEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import type { BenchProject } from '../workload/management-api.ts'
import { type ProcessGroup, treeGroup } from './process-usage.ts'
import {
  endProcess,
  freePort,
  hasEnded,
  type Running,
  type Settings,
  startProcess,
  startServer,
  untilReady,
} from './processes.ts'

/** `split`: workers and gateways as processes of their own, with NATS and Redis. */
export type Topology = 'standalone' | 'split'

export type ProductOptions = {
  readonly topology: Topology
  /** For `split`. The gateways share one port. */
  readonly workers?: number
  readonly gateways?: number
  readonly projects: number
  /** ClickHouse that holds the events. */
  readonly columns?: ColumnsOptions | undefined
  /** Added to every process's environment, over what the bench sets. */
  readonly environment: Readonly<Record<string, string>>
  /** Aborts the start and ends the processes that were started. */
  readonly signal: AbortSignal
}

export type ColumnsOptions = {
  /** URL of an empty database. */
  readonly url: string
  /** Writes events into the Postgres of a standalone product; the command moves them afterwards. */
  readonly fill?: (databaseUrl: string) => Promise<void>
}

/** The product, started for one measurement on free loopback ports. */
export type Product = {
  readonly url: string
  /** Port of the first worker. */
  readonly grpcPort: number
  readonly projects: readonly BenchProject[]
  readonly databaseUrl: string
  readonly groups: readonly ProcessGroup[]
  /** Names of processes that were started and have ended since. */
  ended(): readonly string[]
  stop(): Promise<void>
}

/**
 * Starts Postgres and the product's processes. They get only the settings named here and none of
 * the shell's, so that figures can be reproduced on other machines. `stop` removes everything.
 * @throws {AppError} `unavailable` with the end of its log when a process does not become ready.
 */
export async function startProduct(clock: Clock, options: ProductOptions): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  // Postgres does not run as root, and must reach its own folder in here.
  chmodSync(folder, 0o711)
  const releasers = createReleasers(silentLog)
  releasers.push('folder', () => rmSync(folder, { recursive: true, force: true }))
  try {
    const dataDir = join(folder, 'postgres')
    const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, clock })
    releasers.push('postgres', () => postgres.stop())
    const bootstrap = bootstrapProject()
    const httpPort = await freePort()
    const grpcPort = await freePort()
    const shared = sharedSettings(httpPort, grpcPort)
    const { columns } = options
    const events: Settings = columns === undefined ? {} : { EVENTS_URL: columns.url }
    const store = { ...bootstrap.settings, DATABASE_URL: postgres.url, ...events }
    const running: Running[] = []
    const watch = async (started: Running) => {
      running.push(started)
      releasers.push(started.name, () => endProcess(clock, started))
      await untilReady(clock, started, options.signal)
    }
    const launch = async (name: string, command: string, more: Settings) => {
      const settings = { ...shared, ...more, ...options.environment }
      await watch(await startProcess(folder, name, command, settings))
    }
    if (columns?.fill !== undefined) {
      const { EVENTS_URL: _, ...inPostgres }: Settings = {
        ...shared,
        ...store,
        ...options.environment,
      }
      const first = await startProcess(folder, 'sluice', 'start', inPostgres)
      await fillAndEnd(clock, first, () => columns.fill?.(postgres.url), options.signal)
    }
    if (options.topology === 'standalone') {
      await launch('sluice', 'start', store)
    } else {
      Object.assign(shared, await startServers(folder, watch))
      for (let index = 1; index <= (options.workers ?? 1); index++) {
        const port = index === 1 ? grpcPort : await freePort()
        await launch(`worker-${index}`, 'worker', { ...store, GRPC_PORT: String(port) })
      }
      for (let index = 1; index <= (options.gateways ?? 1); index++) {
        await launch(`gateway-${index}`, 'gateway', {})
      }
    }
    const settings = { ...shared, ...options.environment }
    const more = await createProjects(options.projects - 1, settings)
    if (columns?.fill !== undefined) await runSluice(['events', 'move'], '', settings)
    return {
      url: `http://127.0.0.1:${httpPort}`,
      grpcPort,
      projects: [bootstrap.project, ...more],
      databaseUrl: postgres.url,
      groups: [
        ...running.map(({ name, child }) => treeGroup(name, () => child.pid)),
        treeGroup('postgres', () => postgres.pid()),
      ],
      ended: () => running.filter(({ child }) => hasEnded(child)).map(({ name }) => name),
      stop: () => releasers.release(),
    }
  } catch (error) {
    await releasers.release()
    throw error
  }
}

function sharedSettings(httpPort: number, grpcPort: number): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(httpPort),
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(grpcPort),
    OPERATOR_TOKEN: randomBytes(32).toString('base64url'),
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

/** Starts NATS and Redis. @returns the settings that name them. */
async function startServers(
  folder: string,
  watch: (started: Running) => Promise<void>,
): Promise<Settings> {
  const natsPort = await freePort()
  const redisPort = await freePort()
  const natsArgs = ['-a', '127.0.0.1', '-p', String(natsPort), '-js', '-sd', folder]
  await watch(startServer(folder, 'nats-server', natsArgs, natsPort))
  const redisArgs = ['--bind', '127.0.0.1', '--port', String(redisPort), '--save', '']
  await watch(startServer(folder, 'redis-server', redisArgs, redisPort))
  return { NATS_URL: `nats://127.0.0.1:${natsPort}`, REDIS_URL: `redis://127.0.0.1:${redisPort}` }
}

/** Runs `fill` once a product is ready, and ends the product. */
async function fillAndEnd(
  clock: Clock,
  product: Running,
  fill: () => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    await untilReady(clock, product, signal)
    await fill()
  } finally {
    await endProcess(clock, product)
  }
}

/** Creates further projects, each in its own organization, as an operator creates them. */
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
  const answers = await runSluice(['admin'], `${lines.join('\n')}\n`, settings)
  return answers.map((answer) => {
    const parsed: Record<string, unknown> = JSON.parse(answer)
    const { project_api_key: apiKey, project_id: projectId, personal_api_key: key } = parsed
    if (typeof apiKey !== 'string' || typeof projectId !== 'number' || typeof key !== 'string') {
      throw new AppError('internal', `sluice admin answered ${answer}`)
    }
    return { apiKey, projectId, personalApiKey: key }
  })
}

function runSluice(args: readonly string[], input: string, settings: Settings): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(packageRoot, 'bin', 'sluice'), ...args], {
      env: settings,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean)
      if (code === 0) resolve(lines)
      else reject(new AppError('internal', `sluice ${args.join(' ')} ended with ${code}`))
    })
    child.stdin.end(input)
  })
}
