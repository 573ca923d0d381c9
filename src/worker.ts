/** Composition of a worker, from top to bottom; each resource has its releaser. */
import { join } from 'node:path'
import { shardOf } from '../cluster/shard.ts'
import { createMailbox } from './actor/mailbox.ts'
import { type BootstrapOptions, type Bootstrapped, bootstrap } from './admin/bootstrap.ts'
import type { Clock } from './core/clock.ts'
import { AppError } from './core/code.ts'
import { type Epoch, type ProjectId, type ShardId, shardId } from './core/ids.ts'
import {
  ASKED_EVENTS_MAX,
  MAIL_POLL_MS,
  MAILBOX_MAX,
  SHARD_COUNT,
  WRITER_BATCH_BYTES_MAX,
  WRITER_BATCH_EVENTS_MAX,
  WRITER_CONNECTIONS,
  WRITER_JOIN_EVENTS_MIN,
  WRITER_PROJECT_SHARE_MAX,
  WRITER_QUEUE_BYTES_MAX,
  WRITER_SLOTS,
} from './core/limits.ts'
import type { Log } from './core/log.ts'
import { runLoop } from './core/loop.ts'
import type { Metrics } from './core/metrics.ts'
import { packageRoot } from './core/package-root.ts'
import { createNewsHub, type NewsHub } from './core/project-news.ts'
import { createReleasers } from './core/releasers.ts'
import { createWriter, type IngestWriter } from './ingest/writer.ts'
import { createOutboxSender, type OutboxSender } from './mail/outbox-sender.ts'
import { createSmtpMailer, type MailSettings } from './mail/smtp-mailer.ts'
import { followNews } from './project/follow-news.ts'
import type { PersonsChanged } from './project/ports.ts'
import { createProjects, type Projects } from './project/projects.ts'
import { type AskedEvents, createAskedEvents } from './query/asked-events.ts'
import { type Connection, createSql, emptyQueues, type Sql } from './store/connect.ts'
import { addQueryCounts, refreshVolumes, removeOldQueryCounts } from './store/definitions-sql.ts'
import { createIngestStore } from './store/ingest-store.ts'
import { migrate } from './store/migrate.ts'
import { ensurePartitions } from './store/partitions.ts'
import { removeOldPluginRecords } from './store/plugin-log-store.ts'
import { loadProjectState } from './store/project-state-store.ts'
import { removeRemains } from './store/remove-remains.ts'
import { changeFenced, claimShards, releaseShards, removeFenced } from './store/shard-store.ts'

export type WorkerDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Told before a flush that changed persons is acknowledged; for decide caches. */
  readonly onPersonsChanged: (changes: readonly PersonsChanged[]) => Promise<void>
}

export type WorkerOptions = {
  readonly database: Connection | string
  /** Id of this member: a restart is another one. */
  readonly memberId: string
  readonly bootstrap: BootstrapOptions
  /** Undefined where no mail is sent. */
  readonly mail: MailSettings | undefined
}

/** A worker without its listener; `worker-services.ts` makes calls of it. */
export type Worker = {
  readonly sql: Sql
  /** For what decide and the directory look up by key. */
  readonly lookups: Sql
  readonly hub: NewsHub
  readonly projects: Projects
  readonly writer: IngestWriter
  /** Told of lists that ask for an event by its name. */
  readonly askedEvents: AskedEvents
  /** What the first start made; `undefined` on every other. */
  readonly bootstrapped: Bootstrapped | undefined
  /** Shards owned. */
  shards(): number
  /** What stands in the way of serving. */
  unready(): readonly string[]
  /** Flushes what was accepted, gives the shards back, closes the connections. */
  close(deadlineMs: number): Promise<void>
}

const POOL_CONNECTIONS = 8
const LOOKUP_CONNECTIONS = 4
const SWEEP_MS = 30_000
const VOLUMES_MS = 240_000
const ASKED_EVENTS_MS = 30_000
const REMAINS_MS = 30_000
const PLUGIN_RECORDS_MS = 600_000
const PARTITIONS_MS = 3_600_000
const QUEUES_MS = 500

/**
 * Migrates, makes what the first start needs, claims every shard and starts the writer.
 * @throws {AppError} when the database cannot be used; nothing is left open.
 */
export async function startWorker(deps: WorkerDeps, options: WorkerOptions): Promise<Worker> {
  const { clock, log } = deps
  const releasers = createReleasers(log)
  try {
    const sql = createSql(options.database, {
      applicationName: 'sluice worker',
      connectionsMax: POOL_CONNECTIONS,
      log,
    })
    releasers.push('connections', () => sql.end({ timeout: 2 }))
    const lookups = createSql(options.database, {
      applicationName: 'sluice decide',
      connectionsMax: LOOKUP_CONNECTIONS,
      lookupsOnly: true,
      log,
    })
    releasers.push('decide connections', () => lookups.end({ timeout: 2 }))
    await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
    await ensurePartitions(sql, clock.now())
    const bootstrapped = await bootstrap(sql, options.bootstrap)
    const epochs = await claimShards(sql, options.memberId, allShards())
    releasers.push('shards', () => releaseShards(sql, options.memberId, epochs))

    const hub = createNewsHub(log)
    const { writer, release } = startWriter(deps, options, async (project) => {
      // A project that is not active reads its group types when it is.
      await projects.refresh(project)
    })
    releasers.push('writer connections', release)
    const projects = createProjects({
      load: (project) => loadProjectState(sql, project),
      commit: (project, change) => changeFenced(sql, placeOf(project, epochs), change),
      remove: (project, before) => removeFenced(sql, placeOf(project, epochs), before),
      createMailbox: () => createMailbox({ turnsMax: MAILBOX_MAX }),
      sink: writer,
      news: hub,
      clock,
      log,
    })
    releasers.push('actors', () => projects.close())
    releasers.push('news of projects', followNews({ hub, projects, log }))
    const askedEvents = createAskedEvents((counts) => addQueryCounts(sql, counts), {
      entriesMax: ASKED_EVENTS_MAX,
    })
    releasers.push('counts of events asked for', () => askedEvents.flush())
    const outbox = outboxOf(deps, sql, options)
    const stopLoops = startLoops(deps, { sql, lookups, projects, askedEvents, outbox })
    releasers.push('loops', stopLoops)
    return {
      sql,
      lookups,
      hub,
      projects,
      writer,
      askedEvents,
      bootstrapped,
      shards: () => epochs.size,
      unready: () => (writer.status().state === 'up' ? [] : ['the database does not answer']),
      async close(deadlineMs) {
        await writer.close(deadlineMs)
        await releasers.release()
      },
    }
  } catch (error) {
    await releasers.release()
    throw error
  }
}

function allShards(): ShardId[] {
  return Array.from({ length: SHARD_COUNT }, (_, shard) => shardId(shard))
}

function placeOf(project: ProjectId, epochs: ReadonlyMap<ShardId, Epoch>) {
  const shard = shardOf(project)
  const epoch = epochs.get(shard)
  if (epoch === undefined) throw new AppError('not_owner', `shard ${shard} is another worker's`)
  return { shard, epoch, project }
}

function startWriter(
  deps: WorkerDeps,
  options: WorkerOptions,
  onGroupTypes: (project: ProjectId) => Promise<void>,
) {
  const { clock, log, metrics } = deps
  const store = createIngestStore(
    {
      open: () =>
        createSql(options.database, {
          applicationName: 'sluice writer',
          connectionsMax: 1,
          lookupsOnly: true,
          log,
        }),
      clock,
      onGroupTypes,
    },
    { connections: WRITER_CONNECTIONS, countSlot: 0 },
  )
  const stored = metrics.counter('sluice_events_stored_total', 'Events committed.')
  const duplicates = metrics.counter('sluice_events_duplicate_total', 'Events known already.')
  const dead = metrics.counter('sluice_events_dead_total', 'Events kept as dead letters.')
  const writer = createWriter(
    {
      store,
      clock,
      log,
      random: Math.random,
      onPersonsChanged: deps.onPersonsChanged,
      onCommitted(counts) {
        stored.inc(counts.stored)
        duplicates.inc(counts.duplicates)
        dead.inc(counts.deadLetters)
      },
    },
    {
      slots: WRITER_SLOTS,
      joinEventsMin: WRITER_JOIN_EVENTS_MIN,
      bytesMax: WRITER_QUEUE_BYTES_MAX,
      projectShareMax: WRITER_PROJECT_SHARE_MAX,
      batchEventsMax: WRITER_BATCH_EVENTS_MAX,
      batchBytesMax: WRITER_BATCH_BYTES_MAX,
    },
  )
  const status = () => writer.status()
  metrics.gauge('sluice_writer_queued_events', 'Events waiting for a flush.', () => {
    return status().queuedEvents
  })
  metrics.gauge('sluice_writer_queued_bytes', 'Bytes waiting for a flush.', () => {
    return status().queuedBytes
  })
  metrics.gauge('sluice_writer_oldest_wait_seconds', 'Age of the oldest event waiting.', () => {
    return status().oldestWaitMs / 1000
  })
  return { writer, release: () => store.close() }
}

function outboxOf(
  { clock, log, metrics }: WorkerDeps,
  db: Sql,
  { mail }: WorkerOptions,
): OutboxSender | undefined {
  if (mail === undefined) return undefined
  const sent = metrics.counter('sluice_mails_sent_total', 'Mails that a server took.')
  const givenUp = metrics.counter('sluice_mails_given_up_total', 'Mails that none would take.')
  return createOutboxSender({
    db,
    mailer: createSmtpMailer({ clock }, mail),
    log,
    onOutcome: (outcome) => (outcome === 'sent' ? sent : givenUp).inc(),
  })
}

type LoopParts = Pick<Worker, 'sql' | 'lookups' | 'projects' | 'askedEvents'> & {
  readonly outbox: OutboxSender | undefined
}

/** Work beside the calls. The answer ends the loops and waits for the one that runs. */
function startLoops(
  { clock, log }: WorkerDeps,
  { sql, lookups, projects, askedEvents, outbox }: LoopParts,
): () => Promise<void> {
  const abort = new AbortController()
  const loop = (name: string, intervalMs: number, work: (signal: AbortSignal) => Promise<void>) =>
    runLoop(
      { clock, log, random: Math.random },
      { name, intervalMs, jitterMs: intervalMs / 10 },
      abort.signal,
      work,
    )
  const loops = [
    loop('passivate idle projects', SWEEP_MS, () => projects.sweep()),
    loop('count events asked for', ASKED_EVENTS_MS, () => askedEvents.flush()),
    loop('refresh volumes of event definitions', VOLUMES_MS, async () => {
      await refreshVolumes(sql)
      await removeOldQueryCounts(sql)
    }),
    loop('remove remains of projects', REMAINS_MS, (signal) =>
      removeRemains({ sql, clock }, signal),
    ),
    loop('remove old records of plugins', PLUGIN_RECORDS_MS, (signal) =>
      removeOldPluginRecords(sql, signal),
    ),
    loop('empty the queues of the pools', QUEUES_MS, async () => {
      await Promise.all([emptyQueues(sql), emptyQueues(lookups)])
    }),
    loop('create partitions', PARTITIONS_MS, () => ensurePartitions(sql, clock.now())),
  ]
  if (outbox !== undefined) {
    loops.push(loop('send mails', MAIL_POLL_MS, (signal) => outbox.sendDue(signal)))
  }
  return async () => {
    abort.abort()
    await Promise.all(loops)
  }
}
