/**
 * One process of a cluster under test, with a proxy on each of its connections: started, frozen,
 * killed and started again at the same address.
 */
import { join } from 'node:path'
import type { Test } from 'tap'
import { until } from '../until.ts'
import type { TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { freeze } from './freeze.ts'
import type { NatsServer } from './nats-server.ts'
import { type ProductProcess, type Settings, startProcess, testFolder } from './product.ts'
import type { RedisServer } from './redis-server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type MemberRole = 'worker' | 'gateway'

/** One process of the product; started again it is another member with the same address. */
export type ClusterMember = {
  readonly name: string
  readonly role: MemberRole
  readonly pid: number
  /** Neither ended nor frozen. */
  readonly isUp: boolean
  /** host:port under which members dial a worker; empty for a gateway. */
  readonly address: string
  /** Where a worker itself listens, whatever its proxy does. */
  readonly grpcAddress: string
  /** Address of a gateway. */
  readonly url: string
  readonly adminPort: number
  readonly dataDir: string
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
  /** Resolves when it has ended. @throws when it still runs after a minute. */
  ended(): Promise<number | string>
}

/** The proxies between a process and the others. */
export type MemberLinks = {
  readonly nats: TcpProxy
  readonly redis: TcpProxy
  /** Proxy in front of a worker's Postgres. */
  readonly postgres: TcpProxy
  /** In front of a worker's gRPC: all members dial it. */
  readonly grpc: TcpProxy
}

/** The servers that a member dials. */
export type Servers = {
  readonly nats: NatsServer
  readonly redis: RedisServer
  readonly database: TestDatabase
  /** False: members dial the servers and each other directly. */
  readonly isProxied: boolean
}

/** A member that is not started yet; it is killed after the test. */
export async function createMember(
  t: Test,
  servers: Servers,
  member: { readonly name: string; readonly role: MemberRole; readonly settings: Settings },
): Promise<ClusterMember> {
  const grpcPort = member.role === 'worker' ? await freePort() : 0
  const links = await startLinks(t, servers, grpcPort)
  const dialled = dialledOf(servers, links, grpcPort)
  const settings: Record<string, string> = {
    DATA_DIR: join(testFolder(t), member.name),
    NATS_URL: dialled.nats,
    REDIS_URL: dialled.redis,
    ...member.settings,
  }
  if (member.role === 'worker') {
    settings['DATABASE_URL'] ??= dialled.postgres
    settings['GRPC_HOST'] = '127.0.0.1'
    settings['GRPC_PORT'] = String(grpcPort)
    settings['ADVERTISE_ADDRESS'] ??= dialled.grpc
  } else {
    settings['HOST'] = '127.0.0.1'
    // A load balancer finds a restarted gateway at the same port.
    settings['PORT'] = String(await freePort())
  }
  // Nothing listens behind this proxy yet: a dial must be refused.
  await links.grpc.cut()
  const created = new MemberProcess(member, settings, links)
  t.teardown(() => created.kill())
  return created
}

async function startLinks(
  t: Test,
  { nats, redis, database }: Servers,
  grpcPort: number,
): Promise<MemberLinks> {
  const { host, port } = database.connection
  return {
    nats: await startTcpProxy(t, { port: nats.port }),
    redis: await startTcpProxy(t, { port: redis.port }),
    postgres: await startTcpProxy(t, { path: `${host}/.s.PGSQL.${port}` }),
    grpc: await startTcpProxy(t, { port: grpcPort }),
  }
}

/** Addresses as settings name them: those of the proxies, or of the servers themselves. */
function dialledOf(
  { nats, redis, database, isProxied }: Servers,
  links: MemberLinks,
  grpcPort: number,
) {
  if (!isProxied) {
    const grpc = `127.0.0.1:${grpcPort}`
    return { nats: nats.url, redis: redis.url, postgres: database.url, grpc }
  }
  const { user, database: name } = database.connection
  return {
    nats: `nats://127.0.0.1:${links.nats.port}`,
    redis: `redis://127.0.0.1:${links.redis.port}`,
    postgres: `postgres://${user}@127.0.0.1:${links.postgres.port}/${name}`,
    grpc: `127.0.0.1:${links.grpc.port}`,
  }
}

class MemberProcess implements ClusterMember {
  readonly name: string
  readonly role: MemberRole
  readonly links: MemberLinks
  readonly #settings: Settings
  readonly #outputs: ProductProcess['lines'][] = []
  #running: ProductProcess | undefined
  #isUp = false
  #hasEnded = true

  constructor(
    { name, role }: { readonly name: string; readonly role: MemberRole },
    settings: Settings,
    links: MemberLinks,
  ) {
    this.name = name
    this.role = role
    this.links = links
    this.#settings = settings
  }

  get address() {
    return this.#settings['ADVERTISE_ADDRESS'] ?? ''
  }

  get grpcAddress() {
    return this.role === 'worker' ? `127.0.0.1:${this.#settings['GRPC_PORT']}` : ''
  }

  get pid() {
    return this.#running?.pid ?? 0
  }

  get isUp() {
    return this.#isUp
  }

  get url() {
    return `http://127.0.0.1:${this.#settings['PORT']}`
  }

  get dataDir() {
    return this.#settings['DATA_DIR'] ?? ''
  }

  get adminPort() {
    return this.#current().ports.admin
  }

  get lines() {
    return this.#outputs.flat()
  }

  async start(more: Settings = {}) {
    if (this.role === 'worker') await this.links.grpc.restore()
    try {
      this.#running = await startProcess(this.role, { ...this.#settings, ...more })
    } catch (error) {
      await this.links.grpc.cut()
      throw error
    }
    this.#outputs.push(this.#running.lines)
    this.#isUp = true
    this.#hasEnded = false
    void this.#waitForEnd()
  }

  async kill() {
    this.#isUp = false
    await this.#end('SIGKILL')
  }

  freeze() {
    this.#isUp = false
    freeze(this.#current().pid)
  }

  thaw() {
    this.#current().kill('SIGCONT')
    this.#isUp = !this.#hasEnded
  }

  async term() {
    this.#isUp = false
    return await inTime(`${this.name} ends after SIGTERM`, this.#end('SIGTERM'))
  }

  async ended() {
    return await inTime(`${this.name} ends`, this.#waitForEnd())
  }

  #current(): ProductProcess {
    if (this.#running === undefined) throw new Error(`${this.name} does not run`)
    return this.#running
  }

  async #end(signal: NodeJS.Signals) {
    if (this.#running === undefined) return 0
    this.#running.kill(signal)
    if (signal === 'SIGKILL') this.#running.kill('SIGCONT')
    return await this.#waitForEnd()
  }

  async #waitForEnd() {
    const waited = this.#current()
    const how = await waited.ended
    if (this.#running !== waited) return how
    this.#isUp = false
    this.#hasEnded = true
    // Nothing listens behind this proxy any more: a dial must be refused.
    await this.links.grpc.cut()
    return how
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
