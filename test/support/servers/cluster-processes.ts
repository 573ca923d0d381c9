/**
 * A cluster as operators run it: NATS, Redis, Postgres, workers and gateways as processes, each
 * connection through a proxy that the test may cut. Everything ends with the test.
 */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { allStarted } from '../all-started.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import {
  type ClusterMember,
  createMember,
  type MemberRole,
  type Servers,
} from './member-process.ts'
import { type NatsServer, startNats } from './nats-server.ts'
import { createOperatorCalls, type OperatorCalls, type Status } from './operator-calls.ts'
import { type Settings, served } from './product.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

export type ClusterOptions = {
  readonly workers: number
  readonly gateways: number
  /** For every process of the product. */
  readonly settings?: Settings
  readonly redisArgs?: readonly string[]
  /** False: members dial the servers and each other directly, for measurements. On by default. */
  readonly proxied?: boolean
  /** Postgres writes through to the disk, as in production. Off by default. */
  readonly fsync?: boolean
}

export type Cluster = OperatorCalls & {
  readonly nats: NatsServer
  readonly redis: RedisServer
  readonly database: TestDatabase
  readonly workers: readonly ClusterMember[]
  readonly gateways: readonly ClusterMember[]
  readonly projectKey: string
  readonly personalKey: string
  /** Another process, not started yet. */
  add(role: MemberRole, more?: Settings): Promise<ClusterMember>
}

const SHARDS = 256

/** Starts everything, and waits until every shard has an owner and every gateway hears of a worker. */
export async function startCluster(t: Test, options: ClusterOptions): Promise<Cluster> {
  const [nats, redis, database] = await allStarted([
    startNats(t),
    startRedis(t, { args: options.redisArgs ?? [] }),
    testDatabase(t, { fsync: options.fsync === true }),
  ])
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const token = randomBytes(24).toString('base64url')
  const settings: Settings = {
    OPERATOR_TOKEN: token,
    ADMIN_PORT: '0',
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_PROJECT_API_KEY: projectKey,
    BOOTSTRAP_PERSONAL_API_KEY: personalKey,
    ...options.settings,
  }
  const members: ClusterMember[] = []
  const servers = { nats, redis, database, isProxied: options.proxied !== false }
  const add = addTo(members, t, servers, settings)
  for (let index = 0; index < options.workers; index += 1) await add('worker')
  for (let index = 0; index < options.gateways; index += 1) await add('gateway')
  await Promise.all(members.map((member) => member.start()))
  const cluster: Cluster = {
    nats,
    redis,
    database,
    get workers() {
      return members.filter(({ role }) => role === 'worker')
    },
    get gateways() {
      return members.filter(({ role }) => role === 'gateway')
    },
    projectKey,
    personalKey,
    add,
    ...createOperatorCalls(t, token, members),
  }
  if (options.workers === 0) return cluster
  await Promise.all([settled(cluster), ...cluster.gateways.map((each) => served(each.adminPort))])
  return cluster
}

/** Names them w1, w2, g1 ... in the order in which they are added. */
function addTo(
  members: ClusterMember[],
  t: Test,
  servers: Servers,
  shared: Settings,
): Cluster['add'] {
  const count = { worker: 0, gateway: 0 }
  return async (role, more = {}) => {
    count[role] += 1
    const name = `${role.charAt(0)}${count[role]}`
    const settings = { ...shared, ...more }
    const member = await createMember(t, servers, { name, role, settings })
    members.push(member)
    return member
  }
}

/** Waits until all running workers, and no others, own all shards between them. */
export async function settled(cluster: Cluster, withinMs?: number): Promise<void> {
  const addresses = () => cluster.workers.filter(({ isUp }) => isUp).map(({ address }) => address)
  const what = 'the workers that are up own every shard'
  const holds = (status: Status) => ownsAll(status, addresses())
  await cluster.waitFor(what, holds, withinMs)
}

/** By the database, and by what the members report of themselves. */
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
