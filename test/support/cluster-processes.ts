/**
 * A cluster as operators run it: NATS, Redis, Postgres, workers and gateways as processes, each
 * connection through a proxy that the test may cut. Everything ends with the test.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createGrpcWorkerLink } from '../../gateway/workers/grpc-worker-link.ts'
import type { GetStatusResponse__Output } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { systemClock } from '../../src/core/clock.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { type TestDatabase, testDatabase } from './servers/database.ts'
import { freePort } from './servers/free-port.ts'
import { freeze } from './servers/freeze.ts'
import { type NatsServer, startNats } from './servers/nats-server.ts'
import { type ProductProcess, type Settings, startProcess, testFolder } from './servers/product.ts'
import { type RedisServer, startRedis } from './servers/redis-server.ts'
import { startTcpProxy, type TcpProxy } from './servers/tcp-proxy.ts'
import { until } from './until.ts'

export type ClusterOptions = {
  readonly workers: number
  readonly gateways: number
  /** For every process of the product. */
  readonly settings?: Settings
  readonly redisArgs?: readonly string[]
  /** Off: what is dialled directly, for measurements. */
  readonly proxied?: boolean
  /** Postgres as production has it. Off unless asked for. */
  readonly fsync?: boolean
}

export type Status = GetStatusResponse__Output

/** One process of the product; started again it is another member with the same address. */
export type ClusterMember = {
  readonly name: string
  readonly role: 'worker' | 'gateway'
  readonly pid: number
  /** Neither ended nor frozen. */
  readonly isUp: boolean
  /** host:port under which members dial a worker; empty for a gateway. */
  readonly address: string
  /** Where a worker itself listens, whatever its proxy does. */
  readonly grpcAddress: string
  /** Of a gateway. */
  readonly url: string
  readonly adminPort: number
  readonly links: MemberLinks
  /** Lines of standard output, of every start so far. */
  readonly lines: ProductProcess['lines']
  /** Ends it with SIGKILL, frozen or not. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** SIGTERM; resolves with its exit code, or the signal that ended it. */
  term(): Promise<number | string>
  /** Starts it (again), and waits until it is ready. */
  start(more?: Settings): Promise<void>
  /** Resolves when it has ended by itself or was ended. @throws when it goes on for a minute. */
  ended(): Promise<number | string>
}

/** What is between a process and the others; a proxy that is not there was not asked for. */
export type MemberLinks = {
  readonly nats: TcpProxy
  readonly redis: TcpProxy
  /** Of a worker. */
  readonly postgres: TcpProxy
  /** In front of a worker's gRPC: all members dial it. */
  readonly grpc: TcpProxy
}

export type Cluster = {
  readonly nats: NatsServer
  readonly redis: RedisServer
  readonly database: TestDatabase
  readonly workers: readonly ClusterMember[]
  readonly gateways: readonly ClusterMember[]
  readonly projectKey: string
  readonly personalKey: string
  /** Another process, not started yet. */
  add(role: 'worker' | 'gateway', more?: Settings): Promise<ClusterMember>
  /** As one worker that is up sees the cluster. @throws when it does not answer. */
  status(asked?: ClusterMember): Promise<Status>
  /** Polls the status until it is so. */
  waitFor(what: string, holds: (status: Status) => boolean, withinMs?: number): Promise<void>
  /** One call of an operator to a worker that is up. */
  admin(method: string, request: object, asked?: ClusterMember): Promise<object>
  /** `sluice ...` as an operator calls it, to a worker that is up. */
  sluice(args: readonly string[], asked?: ClusterMember): Promise<CommandResult>
}

export type CommandResult = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const ADMIN_TIMEOUT_MS = 5_000
const SHARDS = 256

/** Starts everything, and waits until every shard has an owner. */
export async function startCluster(t: Test, options: ClusterOptions): Promise<Cluster> {
  const [nats, redis, database] = await Promise.all([
    startNats(t),
    startRedis(t, { args: options.redisArgs ?? [] }),
    testDatabase(t, { fsync: options.fsync === true }),
  ])
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const token = randomBytes(24).toString('base64url')
  const shared: Settings = {
    OPERATOR_TOKEN: token,
    ADMIN_PORT: '0',
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_PROJECT_API_KEY: projectKey,
    BOOTSTRAP_PERSONAL_API_KEY: personalKey,
    ...options.settings,
  }
  const outside = { nats, redis, database, isProxied: options.proxied !== false }
  const members: ClusterMember[] = []
  const count = { worker: 0, gateway: 0 }
  const add = async (role: 'worker' | 'gateway', more: Settings = {}) => {
    count[role] += 1
    const name = `${role.charAt(0)}${count[role]}`
    const member = await createMember(t, outside, { name, role, settings: { ...shared, ...more } })
    members.push(member)
    return member
  }
  for (let index = 0; index < options.workers; index += 1) await add('worker')
  for (let index = 0; index < options.gateways; index += 1) await add('gateway')
  await Promise.all(members.map((member) => member.start()))

  const workers = () => members.filter(({ role }) => role === 'worker')
  const anyWorker = () => {
    const worker = workers().find(({ isUp }) => isUp)
    if (worker === undefined) throw new Error('no worker is up')
    return worker
  }
  const admin = async (method: string, request: object, asked = anyWorker()): Promise<object> => {
    const link = createGrpcWorkerLink(asked.grpcAddress, systemClock)
    try {
      return await link.call(`/sluice.v1.AdminService/${method}`, request, {
        metadata: { authorization: `Bearer ${token}` },
        timeoutMs: method === 'Drain' ? 4 * ADMIN_TIMEOUT_MS : ADMIN_TIMEOUT_MS,
      })
    } finally {
      link.close()
    }
  }
  const status = async (asked?: ClusterMember) => (await admin('GetStatus', {}, asked)) as Status
  const cluster: Cluster = {
    nats,
    redis,
    database,
    get workers() {
      return workers()
    },
    get gateways() {
      return members.filter(({ role }) => role === 'gateway')
    },
    projectKey,
    personalKey,
    add,
    status,
    async waitFor(what, holds, withinMs) {
      let seen: unknown
      const check = async () => {
        const found = await status()
        seen = briefly(found)
        return holds(found)
      }
      const more = withinMs === undefined ? {} : { withinMs }
      await until(what, check, { pollMs: 200, seen: () => seen, ...more })
    },
    admin,
    sluice: (args, asked = anyWorker()) => {
      const [host = '', port = ''] = asked.grpcAddress.split(':')
      const settings = { GRPC_HOST: host, GRPC_PORT: port, OPERATOR_TOKEN: token }
      return runSluice(args, { ...settings, DATA_DIR: testFolder(t) })
    },
  }
  if (options.workers > 0) await settled(cluster)
  return cluster
}

/** Waits until the workers that are up are all there is, and own all shards between them. */
export async function settled(cluster: Cluster, withinMs?: number): Promise<void> {
  const addresses = () => cluster.workers.filter(({ isUp }) => isUp).map(({ address }) => address)
  const what = 'the workers that are up own every shard'
  const holds = (status: Status) => ownsAll(status, addresses())
  await cluster.waitFor(what, holds, withinMs)
}

/** By the database, and by what the members say of themselves. */
export function ownsAll({ members, shards }: Status, addresses: readonly string[]): boolean {
  const workers = members.filter(({ role }) => role === 'worker')
  const listed = workers.map(({ address }) => address).sort()
  const active = new Set(workers.filter(({ state }) => state === 'active').map(({ id }) => id))
  const owned = shards.filter(({ owner, released }) => active.has(owner) && !released)
  const counted = workers.reduce((sum, member) => sum + member.shards, 0)
  return (
    String(listed) === String([...addresses].sort()) &&
    owned.length === SHARDS &&
    counted === SHARDS &&
    workers.every((member) => member.shards > 0 || member.state !== 'active')
  )
}

function briefly({ members, shards, membership, database, problems, spill }: Status): object {
  const lines = members.map(
    ({ id, address, role, state, ...rest }) =>
      `${id.slice(0, 8)} ${address} ${role} ${state} ${rest.shards} ${rest.breaker}`,
  )
  const owned: Record<string, number> = {}
  for (const { owner, released } of shards) {
    const name = `${owner.slice(0, 8)}${released ? ' (released)' : ''}`
    owned[name] = (owned[name] ?? 0) + 1
  }
  return { members: lines, owned, membership, database, problems, spill }
}

type Outside = {
  readonly nats: NatsServer
  readonly redis: RedisServer
  readonly database: TestDatabase
  readonly isProxied: boolean
}

async function createMember(
  t: Test,
  { nats, redis, database, isProxied }: Outside,
  member: { readonly name: string; readonly role: 'worker' | 'gateway'; settings: Settings },
): Promise<ClusterMember> {
  const { name, role } = member
  const isWorker = role === 'worker'
  const grpcPort = isWorker ? await freePort() : 0
  const { host, port } = database.connection
  const links: MemberLinks = {
    nats: await startTcpProxy(t, { port: nats.port }),
    redis: await startTcpProxy(t, { port: redis.port }),
    postgres: await startTcpProxy(t, { path: `${host}/.s.PGSQL.${port}` }),
    grpc: await startTcpProxy(t, { port: grpcPort }),
  }
  const address = isWorker ? `127.0.0.1:${isProxied ? links.grpc.port : grpcPort}` : ''
  const settings: Record<string, string> = {
    DATA_DIR: join(testFolder(t), name),
    NATS_URL: isProxied ? `nats://127.0.0.1:${links.nats.port}` : nats.url,
    REDIS_URL: isProxied ? `redis://127.0.0.1:${links.redis.port}` : redis.url,
    ...member.settings,
  }
  if (isWorker) {
    const { user, database: name } = database.connection
    const proxied = `postgres://${user}@127.0.0.1:${links.postgres.port}/${name}`
    settings['DATABASE_URL'] ??= isProxied ? proxied : database.url
    settings['GRPC_HOST'] = '127.0.0.1'
    settings['GRPC_PORT'] = String(grpcPort)
    settings['ADVERTISE_ADDRESS'] ??= address
  } else {
    settings['HOST'] = '127.0.0.1'
    // It comes back where its balancer looks for it.
    settings['PORT'] = String(await freePort())
  }
  let running: ProductProcess | undefined
  let isUp = false
  let hasEnded = true
  const outputs: ProductProcess['lines'][] = []
  const current = () => {
    if (running === undefined) throw new Error(`${name} does not run`)
    return running
  }
  const ended = async () => {
    const waited = current()
    const how = await waited.ended
    if (running !== waited) return how
    isUp = false
    hasEnded = true
    // Nobody listens there any more: who dials is refused, as without a proxy.
    await links.grpc.cut()
    return how
  }
  const end = async (signal: NodeJS.Signals) => {
    if (running === undefined) return 0
    running.kill(signal)
    if (signal === 'SIGKILL') running.kill('SIGCONT')
    return await ended()
  }
  await links.grpc.cut()
  t.teardown(() => end('SIGKILL'))
  return {
    name,
    role,
    address: settings['ADVERTISE_ADDRESS'] ?? '',
    grpcAddress: isWorker ? `127.0.0.1:${grpcPort}` : '',
    links,
    get pid() {
      return running?.pid ?? 0
    },
    get isUp() {
      return isUp
    },
    get url() {
      return `http://127.0.0.1:${settings['PORT']}`
    },
    get adminPort() {
      return current().ports.admin
    },
    get lines() {
      return outputs.flat()
    },
    kill: async () => {
      isUp = false
      await end('SIGKILL')
    },
    freeze: () => {
      isUp = false
      freeze(current().pid)
    },
    thaw: () => {
      current().kill('SIGCONT')
      isUp = !hasEnded
    },
    term: async () => {
      isUp = false
      return await inTime(`${name} ends after SIGTERM`, end('SIGTERM'))
    },
    start: async (more = {}) => {
      if (isWorker) await links.grpc.restore()
      const started = await startProcess(role, { ...settings, ...more }).catch(async (error) => {
        await links.grpc.cut()
        throw error
      })
      running = started
      outputs.push(started.lines)
      isUp = true
      hasEnded = false
      void ended()
    },
    ended: () => inTime(`${name} ends`, ended()),
  }
}

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  await until(what, () => isDone)
  return await done
}

function runSluice(args: readonly string[], settings: Settings): Promise<CommandResult> {
  const clean = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...settings }
  const assignments = Object.entries(clean).map(([key, value]) => `${key}=${value}`)
  const program = [process.execPath, join(packageRoot, 'bin', 'sluice'), ...args]
  return new Promise((resolve, reject) => {
    const child = spawn('env', ['-i', ...assignments, ...program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...output }))
  })
}
