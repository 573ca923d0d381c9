import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import type { Test } from 'tap'
import type { Member } from '../../../cluster/members/view.ts'
import { NotOwnerError } from '../../../cluster/shards/not-owner.ts'
import type { Shards } from '../../../cluster/shards/shards-port.ts'
import { createGrpcWorkerLink } from '../../../gateway/workers/grpc-worker-link.ts'
import { createPolicy } from '../../../src/access/policy.ts'
import { createAuthenticator } from '../../../src/access/principal.ts'
import { createThrottle, type Throttle } from '../../../src/access/throttle.ts'
import {
  type ChangeFeed,
  type ChangeOrigin,
  createChangeFeed,
  type ProjectChange,
} from '../../../src/core/change-feed.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { type Epoch, type ProjectId, type ShardId, shardId } from '../../../src/core/ids.ts'
import { SHARD_COUNT } from '../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createKeyRing } from '../../../src/core/secrets/key-ring.ts'
import { createFeatureFlagHandlers } from '../../../src/manage/flags/feature-flags-handlers.ts'
import { createManagement, type Management } from '../../../src/manage/management.ts'
import { createProjectHandlers } from '../../../src/manage/projects/projects-handlers.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import {
  type CacheGeneration,
  createCacheGeneration,
} from '../../../src/project/cache-generation.ts'
import { createDecideService } from '../../../src/project/decide.ts'
import type { Projects } from '../../../src/project/projects.ts'
import type { Snapshots } from '../../../src/project/snapshots.ts'
import { createQueryLimiter } from '../../../src/query/query-limiter.ts'
import { createClusterHandlers } from '../../../src/rpc/cluster/cluster-handlers.ts'
import { withForwarding } from '../../../src/rpc/cluster/forward.ts'
import { createPeerChanges } from '../../../src/rpc/cluster/peer-changes.ts'
import { createPeers, type Peers } from '../../../src/rpc/cluster/peers.ts'
import { createPropagation, type Propagation } from '../../../src/rpc/cluster/propagation.ts'
import { createWatchProjects } from '../../../src/rpc/cluster/watch-handler.ts'
import { createDecideBatch } from '../../../src/rpc/hot/decide-handlers.ts'
import { createDirectoryHandlers } from '../../../src/rpc/hot/directory-handlers.ts'
import { toUnary } from '../../../src/rpc/server/adapter.ts'
import { createMemberAuth, sameToken } from '../../../src/rpc/server/member-auth.ts'
import { createRpcServer } from '../../../src/rpc/server/server.ts'
import { findKey, touchKey } from '../../../src/store/people/key-store.ts'
import {
  insertContinuity,
  loadGroups,
  loadPersons,
} from '../../../src/store/projects/decide-store.ts'
import { readRevisions } from '../../../src/store/projects/project-state-store.ts'
import type { Handler } from '../../../src/wire/call.ts'
import { watchProjects } from '../../../src/wire/project-watch.ts'
import { fileDescriptors } from '../../../src/wire/proto/file-descriptors.ts'
import { methods, serviceDefinition } from '../../../src/wire/proto/proto.ts'
import { createWorkerCore } from '../../../src/worker/worker-core.ts'
import { createTestMembers, memberOf } from '../cluster/members.ts'
import { claimShards } from './claim-shards.ts'
import { testHealth } from './test-health.ts'

export const CLUSTER_TOKEN = 'token-of-the-cluster'

/** Shards that the test assigns: claimed in the database, and lost without notice. */
function createTestShards(sql: Sql, self: string, ownerOf: () => Member | undefined) {
  const held = new Map<ShardId, Epoch>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const hold = async (shard: ShardId): Promise<Epoch> => {
    const epoch = held.get(shard)
    if (epoch === undefined) throw new NotOwnerError(shard, ownerOf())
    return epoch
  }
  const shards: Shards = {
    epochOf: (shard) => held.get(shard),
    hold,
    async run(shard, change) {
      const epoch = await hold(shard)
      try {
        return await change(epoch)
      } catch (error) {
        if (error instanceof AppError && error.code === 'fenced') {
          held.delete(shard)
          changed()
        }
        throw error
      }
    },
    ownerOf: (shard) => (held.has(shard) ? memberOf(self) : ownerOf()),
    held: () => held,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async release(wanted) {
      for (const shard of wanted) held.delete(shard)
      changed()
      return wanted
    },
    async ready() {},
    async drain() {},
    async close() {},
  }
  const claim = async () => {
    const all = Array.from({ length: SHARD_COUNT }, (_, shard) => shardId(shard))
    for (const [shard, epoch] of await claimShards(sql, self, all)) held.set(shard, epoch)
    changed()
  }
  return { ...shards, claim }
}

export type RpcWorker = Awaited<ReturnType<typeof startRpcWorker>>

/** One worker's calls to and from others, over real sockets and one database. */
export async function startRpcWorker(
  t: Test,
  { sql, id, ownerOf }: { sql: Sql; id: string; ownerOf: () => Member | undefined },
) {
  const members = createTestMembers([id])
  const shards = createTestShards(sql, id, ownerOf)
  const { hub, told, peers, peerFeed } = createPeerParts(id, members)
  const cacheGeneration = createCacheGeneration(id)
  /** `counted`: calls against the rate limits. */
  const state = { confirmed: true, compared: 0, counted: 0 }
  const { revisions, trust, projects, snapshots, close } = createWorkerCore({
    sql,
    readRevisions(asked) {
      state.compared++
      return readRevisions(sql, asked)
    },
    health: testHealth(clock, async () => await sql`select 1`),
    shards,
    confirmed: () => state.confirmed,
    peerFeed,
    hub,
    sink: { submit: async () => ({ kind: 'spilled' }) },
    plugins: undefined,
    clock,
    log,
  })
  const { authenticator, management } = createTestManagement(sql, hub, state)
  const calls: RpcCall[] = []
  const unary = createUnary(id, peers, calls)
  const propagation = createPropagation({ self: id, members, hub, shards, clock })
  const parts = {
    id,
    sql,
    hub,
    shards,
    cacheGeneration,
    projects,
    snapshots,
    management,
    propagation,
  }
  const server = createRpcServer({
    services: Object.entries(servicesOf(parts, unary)).map(([name, implementation]) => ({
      name,
      definition: serviceDefinition(name),
      implementation,
    })),
    files: fileDescriptors,
    reflects: true,
    onClosing() {},
    callGuard: { isMember: sameToken(CLUSTER_TOKEN), guards: new Map() },
    clock,
    log,
  })
  const { port } = await server.listen('127.0.0.1', 0)
  const member = memberOf(id, { address: `127.0.0.1:${port}` })
  const link = createGrpcWorkerLink(member.address, clock)
  const stop = async () => {
    link.close()
    await peerFeed.close()
    peers.close()
    await server.close(100)
    await authenticator.settled()
    await close()
  }
  let stopped: Promise<void> | undefined
  const stopOnce = () => (stopped ??= stop())
  t.teardown(stopOnce)
  const call = (path: string, request: object, key: string = CLUSTER_TOKEN) =>
    link.call(path, request, {
      metadata: { authorization: `Bearer ${key}` },
      timeoutMs: 10_000,
    })
  return {
    id,
    member,
    members,
    shards,
    hub,
    told,
    cacheGeneration,
    peers,
    peerFeed,
    trust,
    state,
    projects,
    revisions,
    snapshots,
    calls,
    call,
    stop: stopOnce,
  }
}

/** News of this worker, kept in `told`, and its streams and calls to the others. */
function createPeerParts(id: string, members: ReturnType<typeof createTestMembers>) {
  const hub = createChangeFeed(log)
  const told: (readonly [ProjectChange, ChangeOrigin])[] = []
  hub.subscribe((change, origin) => told.push([change, origin]))
  const peers = createPeers({
    connect: (address) =>
      createGrpcWorkerLink(address, clock, { memberToken: () => CLUSTER_TOKEN }),
    memberToken: () => CLUSTER_TOKEN,
    self: id,
    members,
  })
  const peerFeed = createPeerChanges({
    self: id,
    members,
    watch: (address, signal, onMessage) => watchProjects(address, CLUSTER_TOKEN, signal, onMessage),
    hub,
    clock,
    log,
  })
  return { hub, told, peers, peerFeed }
}

/** Checks of management calls; `state.counted` counts those against the rate limits. */
function createTestManagement(sql: Sql, hub: ChangeFeed, state: { counted: number }) {
  const authenticator = createAuthenticator({
    findSession: async () => undefined,
    touchSession: async () => {},
    findKey: (digest) => findKey(sql, digest),
    touchKey: (keyId) => touchKey(sql, keyId),
    clock,
    log,
  })
  hub.subscribe((change) => {
    if (change.kind === 'keys') authenticator.forget()
  })
  const limits = createThrottle({ clock })
  const throttle: Throttle = {
    take(...call) {
      const giveBack = limits.take(...call)
      state.counted++
      return () => {
        state.counted--
        giveBack()
      }
    },
  }
  const policy = createPolicy(methods())
  return {
    authenticator,
    management: createManagement({
      db: sql,
      clock,
      authenticator,
      policy,
      throttle,
    }),
  }
}

type RpcCall = { readonly path: string; readonly hops: string | undefined }
type Unary = (
  service: string,
  handlers: Readonly<Record<string, unknown>>,
) => UntypedServiceImplementation

/** Serves handlers with forwarding, and notes each call in `calls`. */
function createUnary(id: string, peers: Peers, calls: RpcCall[]): Unary {
  return (service, handlers) => {
    const made: UntypedServiceImplementation = {}
    for (const [method, handler] of Object.entries(handlers)) {
      const path = `/${service}/${method}`
      const forwarding = withForwarding(path, handler as Handler<object, object>, {
        self: id,
        callerOf: peers.callerOf,
        clock,
      })
      const counted: Handler<object, object> = (request, context) => {
        calls.push({ path, hops: context.metadata.get('x-sluice-hops') })
        return forwarding(request, context)
      }
      made[method] = toUnary(counted, { clock, log })
    }
    return made
  }
}

function createTestDecide(sql: Sql) {
  return createDecideService({
    store: {
      persons: (wanted) => loadPersons(sql, wanted, () => true),
      groups: (wanted) => loadGroups(sql, wanted, () => true),
      keepContinuity: (project, rows) => insertContinuity(sql, project, rows),
    },
    health: testHealth(clock, async () => await sql`select 1`),
    clock,
  })
}

type ServiceParts = {
  readonly id: string
  readonly sql: Sql
  readonly hub: ChangeFeed
  readonly shards: Shards
  readonly cacheGeneration: CacheGeneration
  readonly projects: Projects
  readonly snapshots: Snapshots
  readonly management: Management
  readonly propagation: Propagation
}

function servicesOf(
  { id, sql, hub, shards, cacheGeneration, projects, snapshots, ...parts }: ServiceParts,
  unary: Unary,
): Readonly<Record<string, UntypedServiceImplementation>> {
  const { management, propagation } = parts
  const memberAuth = createMemberAuth(sameToken(CLUSTER_TOKEN))
  const decide = createTestDecide(sql)
  const { mutate: mutateProject, remove: removeProject } = projects
  const activate = async (project: ProjectId) => {
    const snapshot = await snapshots.of(project)
    return { state: () => snapshot }
  }
  return {
    'sluice.v1.DirectoryService': {
      WatchProjects: createWatchProjects({
        memberAuth,
        self: id,
        hub,
        shards,
        cacheGeneration,
        clock,
        log,
      }),
      ...unary(
        'sluice.v1.DirectoryService',
        createDirectoryHandlers({
          memberAuth,
          db: sql,
          health: testHealth(clock, async () => {}),
          self: id,
          confirm: (...confirmed) => propagation.confirm(...confirmed),
        }),
      ),
    },
    'sluice.v1.ClusterService': unary(
      'sluice.v1.ClusterService',
      createClusterHandlers({
        memberAuth,
        self: memberOf(id),
        shards,
        drain: async () => 3,
        describe: async () => ({ id, shards: shards.held().size, answered: true }),
      }),
    ),
    'sluice.v1.DecideService': unary('sluice.v1.DecideService', {
      DecideBatch: createDecideBatch({ memberAuth, snapshots, service: decide, log }),
    }),
    'sluice.v1.FeatureFlagService': unary(
      'sluice.v1.FeatureFlagService',
      createFeatureFlagHandlers({
        management,
        db: sql,
        mutateProject,
        activate,
        decide,
        scanSql: sql,
        queryLimiter: createQueryLimiter(clock),
        clock,
        secrets: createKeyRing([]),
        propagation,
      }),
    ),
    'sluice.v1.ProjectService': unary(
      'sluice.v1.ProjectService',
      createProjectHandlers({
        management,
        sql,
        mutateProject,
        removeProject,
        feed: hub,
        clock,
        settings: { retentionWaitHours: 24 },
      }),
    ),
  }
}
