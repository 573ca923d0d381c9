/** Composition of a worker, from top to bottom; each resource has its releaser. */
import { join } from 'node:path'
import { createShards } from '../cluster/handoff.ts'
import type { MemberStore } from '../cluster/members/member-store.ts'
import { NotOwnerError } from '../cluster/shards/not-owner.ts'
import { shardOf } from '../cluster/shards/shard.ts'
import type { ShardStore } from '../cluster/shards/shard-store.ts'
import type { Shards } from '../cluster/shards/shards-port.ts'
import { type BootstrapOptions, type Bootstrapped, bootstrap } from './access/bootstrap.ts'
import { createMailbox } from './actor/mailbox.ts'
import type { Clock } from './core/clock.ts'
import type { Failpoints } from './core/failpoint.ts'
import { projectId } from './core/ids.ts'
import { ASKED_EVENTS_MAX, MAILBOX_MAX } from './core/limits/limits.ts'
import type { Log } from './core/log.ts'
import type { MessageLog } from './core/message-log.ts'
import type { Metrics } from './core/metrics/metrics.ts'
import { packageRoot } from './core/package-root.ts'
import { createNewsHub, type NewsHub } from './core/project-news.ts'
import { createReleasers } from './core/releasers.ts'
import type { MailSettings } from './mail/smtp-mailer.ts'
import { type CacheGeneration, createCacheGeneration } from './project/cache-generation.ts'
import { followNews } from './project/follow-news.ts'
import { createIngestRoute } from './project/ingest-route.ts'
import { createPersonForgetter, type ForgetfulCache } from './project/person-forgetter.ts'
import { createProjects, type Projects } from './project/projects.ts'
import { createSnapshots, type Snapshots } from './project/snapshots.ts'
import { createTrust } from './project/trust.ts'
import { type AskedEvents, createAskedEvents } from './query/list/asked-events.ts'
import { createPeerNews } from './rpc/cluster/peer-news.ts'
import { createPeers, type Peers } from './rpc/cluster/peers.ts'
import { addQueryCounts } from './store/ingest/definitions-sql.ts'
import { ensurePartitions } from './store/ingest/partitions.ts'
import { type Connection, createSql, type Sql } from './store/pool/connect.ts'
import { migrate } from './store/pool/migrate.ts'
import { loadProjectState, readRevisions } from './store/projects/project-state-store.ts'
import {
  changeFenced,
  createShardStore,
  removeFenced,
  SHARD_SQL_OPTIONS,
} from './store/projects/shard-store.ts'
import type { Caller } from './wire/caller.ts'
import { watchProjects } from './wire/project-watch.ts'
import { outboxOf, startLoops } from './worker/worker-loops.ts'
import { type PluginSettings, startPlugins, type WorkerPlugins } from './worker/worker-plugins.ts'
import { startWriter, type WorkerWriter } from './worker/worker-writer.ts'

export type WorkerDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly members: MemberStore
  /** Connections to other workers. */
  readonly connect: (address: string) => Caller
  readonly memberToken: () => string
  /** Events wait there while the database does not take them; `undefined` without NATS. */
  readonly messages: MessageLog | undefined
  /** Decide caches that are told of changed persons; `undefined` when there is none. */
  readonly cache: ForgetfulCache | undefined
  readonly failpoints: Failpoints
}

export type WorkerOptions = {
  readonly database: Connection | string
  /** Id of this member: a restart is another one. */
  readonly memberId: string
  readonly bootstrap: BootstrapOptions
  /** First of the `event_counts.slot`s of this worker: others with the same wait for each other. */
  readonly countSlot: number
  /** Undefined where no mail is sent. */
  readonly mail: MailSettings | undefined
  readonly plugins: PluginSettings
}

/** A worker without its listener; `worker-services.ts` makes calls of it. */
export type Worker = {
  readonly memberId: string
  readonly sql: Sql
  /** For what decide and the directory look up by key. */
  readonly lookups: Sql
  readonly hub: NewsHub
  readonly projects: Projects
  readonly snapshots: Snapshots
  readonly ingest: WorkerWriter
  readonly plugins: WorkerPlugins['runtime']
  readonly route: ReturnType<typeof createIngestRoute>
  readonly shards: Shards
  readonly shardRows: ShardStore['list']
  readonly peers: Peers
  readonly cacheGeneration: CacheGeneration
  /** Told of lists that ask for an event by its name. */
  readonly askedEvents: AskedEvents
  /** What the first start made; `undefined` on every other. */
  readonly bootstrapped: Bootstrapped | undefined
  /** What stands in the way of serving. */
  unready(): readonly string[]
  /** Flushes what was accepted, gives the shards back, closes the connections. */
  close(deadlineMs: number): Promise<void>
}

const POOL_CONNECTIONS = 8
const LOOKUP_CONNECTIONS = 4
/** A worker that could not start has no events that wait. */
const PLUGINS_CLOSE_MS = 1_000

/**
 * Migrates, makes what the first start needs, and starts the writer. Shards are claimed once this
 * member is in the view.
 * @throws {AppError} when the database cannot be used; nothing is left open.
 */
export async function startWorker(deps: WorkerDeps, options: WorkerOptions): Promise<Worker> {
  const { clock, log, members, failpoints } = deps
  const { memberId } = options
  const releasers = createReleasers(log)
  try {
    const { sql, lookups } = openPools(deps, options)
    releasers.push('connections', () => sql.end({ timeout: 2 }))
    releasers.push('decide connections', () => lookups.end({ timeout: 2 }))
    await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
    await ensurePartitions(sql, clock.now())
    const bootstrapped = await bootstrap(sql, options.bootstrap)

    const hub = createNewsHub(log)
    const peers = createPeers({ ...deps, self: memberId })
    releasers.push('connections to workers', () => peers.close())
    const open = () => createSql(options.database, { ...SHARD_SQL_OPTIONS, log })
    const store = createShardStore({ clock, open })
    releasers.push('shard connections', () => store.close())
    const random = Math.random
    const shards = createShards({ ...deps, store, self: memberId, peers, random, failpoints })
    releasers.push('shards', () => shards.close())
    const news = createPeerNews({
      ...deps,
      self: memberId,
      hub,
      watch: (address, signal, onMessage) =>
        watchProjects(address, deps.memberToken(), signal, onMessage),
    })
    releasers.push('news of workers', () => news.close())
    const trust = createTrust({
      epochOf: (project) => shards.epochOf(shardOf(project)),
      confirmed: () => members.confirmed(),
      news,
    })
    const cacheGeneration = createCacheGeneration(memberId)
    const forgetter = createPersonForgetter({ cache: deps.cache, generation: cacheGeneration, log })
    const ingest = startWriter(
      { ...deps, ...forgetter, onPersonsUnknown: cacheGeneration.raise },
      options,
      async (projectId, revision) => hub.publish({ kind: 'revision', projectId, revision }),
    )
    releasers.push('writer connections', () => ingest.release())
    const { sink } = ingest
    const plugins = await startPlugins(
      { ...deps, ...options, sql, news: hub, sink },
      options.plugins,
    )
    releasers.push('plugins', () => plugins.close(PLUGINS_CLOSE_MS))
    const projects = createProjects({
      load: (project) => loadProjectState(sql, project),
      commit: (project, change) =>
        shards.run(shardOf(project), (epoch) =>
          changeFenced(sql, { shard: shardOf(project), epoch, project }, change),
        ),
      remove: (project, before) =>
        shards.run(shardOf(project), (epoch) =>
          removeFenced(sql, { shard: shardOf(project), epoch, project }, before),
        ),
      hold: (project) => shards.hold(shardOf(project)),
      notOwner: (project) => notOwner(shards, shardOf(project)),
      trust,
      storeAway: () => snapshots.away(),
      createMailbox: () => createMailbox({ turnsMax: MAILBOX_MAX }),
      sink,
      plugins: plugins.runtime,
      news: hub,
      clock,
      log,
    })
    releasers.push('actors', () => projects.close())
    const snapshots = createSnapshots({
      projects,
      readRevisions: (asked) => readRevisions(lookups, asked),
      trust,
      clock,
      log,
    })
    releasers.push('news of projects', followNews({ hub, projects, log }))
    const askedEvents = createAskedEvents((counts) => addQueryCounts(sql, counts), {
      entriesMax: ASKED_EVENTS_MAX,
    })
    releasers.push('counts of events asked for', () => askedEvents.flush())
    const outbox = outboxOf(deps, sql, options)
    const route = createIngestRoute({ projects, sink, clock, log })
    plugins.start({
      route,
      anonymizesIps: async (project) => (await snapshots.of(projectId(project))).anonymizeIps,
    })
    const stopLoops = startLoops(deps, { sql, lookups, projects, askedEvents, outbox })
    releasers.push('loops', stopLoops)
    return {
      memberId,
      sql,
      lookups,
      hub,
      projects,
      snapshots,
      ingest,
      plugins: plugins.runtime,
      route,
      shards,
      shardRows: store.list,
      peers,
      cacheGeneration,
      askedEvents,
      bootstrapped,
      unready: () => ingest.unready(),
      async close(deadlineMs) {
        // First what waits for plugins, then what waits for the store.
        await plugins.close(deadlineMs / 2)
        await ingest.close(deadlineMs / 2)
        await releasers.release()
      },
    }
  } catch (error) {
    await releasers.release()
    throw error
  }
}

function openPools({ log }: WorkerDeps, { database }: WorkerOptions) {
  const sql = createSql(database, {
    applicationName: 'sluice worker',
    connectionsMax: POOL_CONNECTIONS,
    log,
  })
  const lookups = createSql(database, {
    applicationName: 'sluice decide',
    connectionsMax: LOOKUP_CONNECTIONS,
    lookupsOnly: true,
    log,
  })
  return { sql, lookups }
}

/** Somebody else has claimed the shard since: whom the rows name, unless that is still this one. */
function notOwner(shards: Shards, shard: ReturnType<typeof shardOf>): NotOwnerError {
  return new NotOwnerError(shard, shards.ownerOf(shard))
}
