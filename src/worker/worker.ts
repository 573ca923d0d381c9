/**
 * Builds a worker in one order: pools, shards, changes of other workers, writer, plugins, projects
 * (`worker-core.ts`), route, loops. Each part uses only those before it, with one exception: events
 * that plugins capture go to the route, which the plugins get when they start. Each resource has a
 * releaser. The releasers run in reverse order.
 */
import { join } from 'node:path'
import { createShards } from '../../cluster/shards/shards.ts'
import { type Bootstrapped, bootstrap, requireTimely } from '../access/bootstrap.ts'
import { createRefusedKeys } from '../access/refused-keys.ts'
import { type ChangeFeed, createChangeFeed } from '../core/change-feed.ts'
import { createDatabaseHealth } from '../core/database-health.ts'
import { projectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { packageRoot } from '../core/package-root.ts'
import { createReleasers, type Releasers } from '../core/releasers.ts'
import type { KeyRing } from '../core/secrets/key-ring.ts'
import { ensurePartitions } from '../event-store/months/partitions.ts'
import { createLiveHub, type LiveHub } from '../events/live/live-hub.ts'
import type { PeerEvents } from '../events/live/peer-events.ts'
import { createWarningCounts, type WarningCounts } from '../events/warnings/warning-counts.ts'
import type { FlushShare } from '../ingest/flush-share.ts'
import { type NotifyDeps, notifyPersonsChanged } from '../ingest/notify-persons-changed.ts'
import { createSql, type Sql } from '../postgres/connect.ts'
import { isUnreachable } from '../postgres/failures.ts'
import { migrate } from '../postgres/migrate.ts'
import { createCacheGeneration } from '../project/cache-generation.ts'
import { createIngestRoute } from '../project/ingest-route.ts'
import { createPersonForgetter } from '../project/person-forgetter.ts'
import { createAskedEvents } from '../query/list/asked-events.ts'
import { createPeerChanges, type PeerChanges } from '../rpc/cluster/peer-changes.ts'
import { createPeerEvents } from '../rpc/cluster/peer-events.ts'
import { createPeers } from '../rpc/cluster/peers.ts'
import { createPropagation } from '../rpc/cluster/propagation.ts'
import { saveRefusedKeys } from '../store/audit/audit-store.ts'
import { addQueryCounts } from '../store/definitions/definitions-sql.ts'
import { createShardStore, SHARD_SQL_OPTIONS } from '../store/projects/postgres-shard-store.ts'
import { readRevisions } from '../store/projects/project-state-store.ts'
import { sealAll } from '../store/secrets/seal-all.ts'
import { listSecretKeys, requireSecretKeys } from '../store/secrets/secret-keys-store.ts'
import { addWarnings } from '../store/warnings/ingestion-warning-store.ts'
import { watchProjects } from '../wire/project-watch.ts'
import type { Worker, WorkerDeps, WorkerOptions, WorkerWriter } from './types.ts'
import { createWorkerCore } from './worker-core.ts'
import { alertsOf, chatOf, outboxOf, startLoops } from './worker-loops.ts'
import { startPlugins } from './worker-plugins.ts'
import { openPools } from './worker-pools.ts'
import { prepareReplica } from './worker-replica.ts'
import { startWriter } from './worker-writer.ts'

/** Event names of lists that one worker counts until their counts are written. */
const ASKED_EVENTS_MAX = 10_000

/** Time for the plugins of a worker that could not start. It has no events that wait. */
const PLUGINS_CLOSE_MS = 1_000

/**
 * Migrates the database, creates the objects of a first start, and starts the writer. Shards are
 * claimed once this member is in the view.
 * @throws {AppError} when the database cannot be used; nothing is left open.
 */
export async function startWorker(deps: WorkerDeps, options: WorkerOptions): Promise<Worker> {
  const releasers = createReleasers(deps.log)
  try {
    return await buildWorker(deps, options, releasers)
  } catch (error) {
    await releasers.release()
    throw error
  }
}

async function buildWorker(
  deps: WorkerDeps,
  options: WorkerOptions,
  releasers: Releasers,
): Promise<Worker> {
  const { clock, log, members, cache } = deps
  const { memberId } = options
  const { sql, lookups, scans, flushes } = openPools(deps, options, releasers)
  await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
  const secrets = await openSecrets(sql, options, log)
  await ensurePartitions(sql, clock.now())
  const { start: startReplication, ...copied } = await prepareReplica(deps, options, sql, releasers)
  const bootstrapped = await makeFirstUser(sql, options, log)
  const hub = createChangeFeed(log)
  const { peers, shards, shardRows, propagation } = openShards(deps, options, hub, releasers)
  const peerFeed = followPeers(deps, memberId, hub, releasers)
  const cacheGeneration = createCacheGeneration(memberId)
  const { warnings, ...counts } = openCounts(sql, deps, releasers)
  const forgetter = createPersonForgetter({ cache, generation: cacheGeneration, clock, log })
  const told = { ...forgetter, onPersonsUnknown: cacheGeneration.raise }
  const [live, peerEvents] = openLive(deps, memberId)
  const ingest = openWriter(deps, options, { hub, warnings, live, flushes, ...told })
  releasers.push('writer connections', () => ingest.release())
  const health = createDatabaseHealth({ clock, log, isUnreachable, probe: () => ingest.ping() })
  const { sink } = ingest
  const { mail } = options
  const plugins = await startPlugins(
    { sql, feed: hub, sink, memberId, mail, secrets, warnings, clock, log },
    options.plugins,
  )
  releasers.push('plugins', () => plugins.close(PLUGINS_CLOSE_MS))
  const core = createWorkerCore({
    sql,
    readRevisions: (asked) => readRevisions(lookups, asked),
    health,
    shards,
    confirmed: () => members.confirmed(),
    peerFeed,
    hub,
    sink,
    plugins: plugins.runtime,
    clock,
    log,
  })
  releasers.push('projects', () => core.close())
  const { projects, snapshots } = core
  const route = createIngestRoute({ projects, sink, clock, log })
  const anonymizesIps = async (project: number) =>
    (await snapshots.of(projectId(project))).anonymizeIps
  plugins.start({ route, anonymizesIps })
  const onPersonDeleted = tellOfDeleted({ ingest, clock, log, ...told })
  const onPersonsChanged: Worker['onPersonsChanged'] = (project, distinctIds) =>
    notifyPersonsChanged({ clock, log, ...told }, [{ projectId: project, distinctIds, groups: [] }])
  const alerts = alertsOf(deps, { sql, scans, ...copied }, options)
  const senders = { outbox: outboxOf(deps, sql, options), chat: chatOf(deps, sql, options), alerts }
  const parts = { sql, scans, projects, ingest, shards, ...counts, ...copied, ...senders }
  releasers.push('loops', startLoops(deps, { ...parts, warnings, onPersonDeleted }))
  startReplication()
  return {
    secrets,
    onPersonDeleted,
    onPersonsChanged,
    live,
    peerEvents,
    memberId,
    sql,
    lookups,
    scans,
    health,
    hub,
    projects,
    snapshots,
    ingest,
    route,
    shards,
    shardRows,
    peers,
    propagation,
    cacheGeneration,
    ...counts,
    warnings,
    bootstrapped,
    plugins: plugins.runtime,
    ...copied,
    unready: () => ingest.unready(),
    async close(deadlineMs) {
      // Events that wait for plugins go to the store first.
      await plugins.close(deadlineMs / 2)
      await ingest.close(deadlineMs / 2)
      await releasers.release()
    },
  }
}

/** Opens the events that this worker and the others store, for live streams. */
function openLive(deps: WorkerDeps, self: string): [LiveHub, PeerEvents] {
  return [createLiveHub(deps.clock.now), createPeerEvents({ self, ...deps })]
}

/** @throws {AppError} `failed_precondition` when the presets of the first user come too late. */
async function makeFirstUser(
  sql: Sql,
  { bootstrap: presets }: WorkerOptions,
  log: Log,
): Promise<Bootstrapped | undefined> {
  const made = await bootstrap(sql, presets)
  const late = made === undefined ? await requireTimely(sql, presets) : []
  if (late.length > 0) log.warn('settings of a first start are not in force', { settings: late })
  return made
}

/** Opens counters that are written from time to time. */
function openCounts(
  sql: Sql,
  { clock, onWarned }: Pick<WorkerDeps, 'clock' | 'onWarned'>,
  releasers: Releasers,
) {
  const warnings = createWarningCounts({
    write: (taken) => addWarnings(sql, taken),
    monotonic: clock.monotonic,
    onWarned,
  })
  releasers.push('warnings of ingestion', () => warnings.flush())
  const askedEvents = createAskedEvents((counts) => addQueryCounts(sql, counts), {
    entriesMax: ASKED_EVENTS_MAX,
  })
  releasers.push('counts of events asked for', () => askedEvents.flush())
  const refusedKeys = createRefusedKeys(clock, (counts) => saveRefusedKeys(sql, counts))
  releasers.push('counts of refused keys', () => refusedKeys.save())
  return { warnings, askedEvents, refusedKeys }
}

/** @throws {AppError} `failed_precondition` when the database needs a key that is not here. */
async function openSecrets(
  sql: Sql,
  { openKeys, sealsStored }: WorkerOptions,
  log: Log,
): Promise<KeyRing> {
  const known = await listSecretKeys(sql)
  const secrets = await openKeys(known.length > 0)
  await requireSecretKeys(sql, secrets)
  const [first] = secrets.ids
  if (first === undefined) log.warn('SECRETS_KEY is missing: this worker stores no secrets')
  else if (sealsStored) {
    const sealed = await sealAll(sql, secrets)
    if (sealed > 0) log.info('secrets of older releases are sealed', { sealed })
  }
  return secrets
}

function tellOfDeleted({
  ingest,
  ...deps
}: NotifyDeps & { readonly ingest: WorkerWriter }): Worker['onPersonDeleted'] {
  return async (project, distinctIds, hasMoreIds) => {
    const askedAtMs = deps.clock.now()
    const told = { projectId: project, askedAtMs }
    ingest.forgetDistinctIds(distinctIds.map((distinctId) => ({ ...told, distinctId })))
    if (hasMoreIds) deps.onPersonsUnknown()
    await notifyPersonsChanged(deps, [{ projectId: project, distinctIds, groups: [] }])
  }
}

/**
 * Opens the shards of this worker, the calls to other workers that a hand-off needs, and the
 * propagation of the changes in these shards.
 */
function openShards(
  { connect, memberToken, members, clock, log, failpoints }: WorkerDeps,
  { database, memberId }: WorkerOptions,
  hub: ChangeFeed,
  releasers: Releasers,
) {
  const peers = createPeers({ connect, memberToken, self: memberId, members })
  releasers.push('connections to workers', () => peers.close())
  const open = () => createSql(database, { ...SHARD_SQL_OPTIONS, log })
  const store = createShardStore({ clock, open })
  releasers.push('shard connections', () => store.close())
  const random = Math.random
  const self = memberId
  const shards = createShards({ store, members, self, peers, clock, log, random, failpoints })
  releasers.push('shards', () => shards.close())
  const propagation = createPropagation({ self, members, hub, shards, clock })
  releasers.push('propagation of changes', () => propagation.close())
  return { peers, shards, shardRows: () => store.list(), propagation }
}

function followPeers(
  { members, memberToken, dial, clock, log }: WorkerDeps,
  memberId: string,
  hub: ChangeFeed,
  releasers: Releasers,
): PeerChanges {
  const peerFeed = createPeerChanges({
    self: memberId,
    members,
    watch: (address, signal, onMessage) =>
      watchProjects(address, memberToken(), signal, onMessage, dial),
    hub,
    clock,
    log,
  })
  releasers.push('changes of workers', () => peerFeed.close())
  return peerFeed
}

type WriterNeeds = Pick<NotifyDeps, 'onPersonsChanged' | 'onPersonsUnknown'> & {
  readonly hub: ChangeFeed
  readonly warnings: WarningCounts
  readonly live: LiveHub
  readonly flushes: FlushShare
}

/** Writer that reports changed persons to the caches, and raised revisions to the change feed. */
function openWriter(
  { clock, log, metrics, messages, failpoints }: WorkerDeps,
  options: WorkerOptions,
  { hub, warnings, live, flushes, onPersonsChanged, onPersonsUnknown }: WriterNeeds,
): WorkerWriter {
  return startWriter(
    { clock, log, metrics, messages, failpoints, onPersonsChanged, onPersonsUnknown },
    options,
    {
      onGroupTypes: async (project, revision) =>
        hub.publish({ kind: 'revision', projectId: project, revision }),
      onWarnings: warnings.add,
      onFlush: flushes.add,
      warnings,
      live,
    },
  )
}
