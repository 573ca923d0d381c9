/** Dependencies, options and interface of a worker. The files beside this one build it. */
import type { MemberStore } from '../../cluster/members/member-store.ts'
import type { ShardStore } from '../../cluster/shards/shard-store.ts'
import type { Shards } from '../../cluster/shards/shards-port.ts'
import type { BootstrapOptions, Bootstrapped } from '../access/bootstrap.ts'
import type { RefusedKeys } from '../access/refused-keys.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import type { DatabaseHealth } from '../core/database-health.ts'
import type { Failpoints } from '../core/failpoint.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { MessageLog } from '../core/message-log.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import type { KeyRing } from '../core/secrets/key-ring.ts'
import type { ReplicaEvents } from '../event-store/clickhouse/replica/replica-reads.ts'
import type { ColumnarInsights } from '../event-store/columnar-insights.ts'
import type { EventSink, IngestRoute } from '../events/event-batch.ts'
import type { DeletedId, LiveHub } from '../events/live/live-hub.ts'
import type { PeerEvents } from '../events/live/peer-events.ts'
import type { WarningCounts } from '../events/warnings/warning-counts.ts'
import type { OnWarned } from '../events/warnings/warning-metrics.ts'
import type { SpillReport } from '../ingest/spill/spill-report.ts'
import type { IngestWriter } from '../ingest/writer-port.ts'
import type { MailSettings } from '../mail/smtp-mailer.ts'
import type { Connection, Sql } from '../postgres/connect.ts'
import type { CacheGeneration } from '../project/cache-generation.ts'
import type { ForgetfulCache } from '../project/person-forgetter.ts'
import type { Projects } from '../project/projects.ts'
import type { Snapshots } from '../project/snapshots.ts'
import type { AskedEvents } from '../query/list/asked-events.ts'
import type { Peers } from '../rpc/cluster/peers.ts'
import type { Propagation } from '../rpc/cluster/propagation.ts'
import type { ReplicaOperations } from '../rpc/operator/replica-handlers.ts'
import type { Caller } from '../wire/caller.ts'
import type { Dial } from '../wire/dial.ts'
import type { PluginSettings, WorkerPlugins } from './worker-plugins.ts'

export type WorkerDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly members: MemberStore
  /** Connections to other workers. */
  readonly connect: (address: string) => Caller
  readonly memberToken: () => string
  /** Dials other workers for their changes. */
  readonly dial: Dial
  /** The spill's log. It holds events while the database takes none; `undefined` without NATS. */
  readonly messages: MessageLog | undefined
  /** The shared decide cache, notified of changed persons; `undefined` when there is none. */
  readonly cache: ForgetfulCache | undefined
  readonly failpoints: Failpoints
  /** Receives every event that is dropped, refused or changed. */
  readonly onWarned?: OnWarned
}

export type WorkerOptions = {
  readonly database: Connection | string
  /** Id of this member. A process that starts again has another id. */
  readonly memberId: string
  readonly bootstrap: BootstrapOptions
  /**
   * The first `event_counts.slot` of this worker. Workers with the same number wait for each other.
   */
  readonly countSlot: number
  /** URL of the ClickHouse that holds the events; undefined when Postgres does. */
  readonly eventsUrl: string | undefined
  /** Undefined where no mail is sent. */
  readonly mail: MailSettings | undefined
  readonly plugins: PluginSettings
  /**
   * Opens the keys that seal secrets in the database; without keys no secret is stored.
   * @param isInUse the database names keys already: a new one would open nothing.
   */
  readonly openKeys: (isInUse: boolean) => Promise<KeyRing>
  /** Whether secrets of older releases are sealed at start: no older worker may run beside. */
  readonly sealsStored: boolean
}

/** A worker without its listener; `worker-services.ts` makes calls of it. */
export type Worker = {
  readonly memberId: string
  readonly sql: Sql
  readonly secrets: KeyRing
  /** Connections for reads by key, which decide and the directory make. */
  readonly lookups: Sql
  /** Connections for queries over events, which may take seconds. */
  readonly scans: Sql
  /** Whether the database answers `lookups`. */
  readonly health: DatabaseHealth
  readonly hub: ChangeFeed
  readonly projects: Projects
  readonly snapshots: Snapshots
  readonly ingest: WorkerWriter
  readonly plugins: WorkerPlugins['runtime']
  readonly route: IngestRoute
  readonly shards: Shards
  readonly shardRows: ShardStore['list']
  readonly peers: Peers
  readonly cacheGeneration: CacheGeneration
  /** Events that this worker and the others store, for live streams. */
  readonly live: LiveHub
  readonly peerEvents: PeerEvents
  /** Propagation of the changes of this worker. */
  readonly propagation: Propagation
  /** Counts how often lists ask for an event by its name. */
  readonly askedEvents: AskedEvents
  readonly refusedKeys: RefusedKeys
  /** The copy of the events in ClickHouse; undefined when there is none. */
  readonly copy: ReplicaOperations | undefined
  /** Insights that ClickHouse answers. */
  readonly columnarInsights: ColumnarInsights
  /** Events that Postgres may lack. */
  readonly replicaEvents: ReplicaEvents
  readonly warnings: WarningCounts
  /**
   * Notifies caches and the writer that a person was deleted. Never rejects; a cache that does not
   * answer is void.
   * @param hasMoreIds the person had more distinct ids than are given.
   */
  onPersonDeleted(
    project: ProjectId,
    distinctIds: readonly string[],
    hasMoreIds: boolean,
  ): Promise<void>
  /** Notifies caches of changed persons. Never rejects; a cache that does not answer is void. */
  onPersonsChanged(project: ProjectId, distinctIds: readonly string[]): Promise<void>
  /** Objects that the first start created; `undefined` on every later start. */
  readonly bootstrapped: Bootstrapped | undefined
  /** The reasons why this worker cannot serve now; empty when it can. */
  unready(): readonly string[]
  /** Flushes the accepted events, gives the shards back and closes the connections. */
  close(deadlineMs: number): Promise<void>
}

/** The writer with the parts in front of it. */
export type WorkerWriter = {
  /** Stores events in Postgres only. */
  readonly writer: IngestWriter
  /** Stores events in Postgres, or in the spill while Postgres takes none. */
  readonly sink: EventSink
  /** The sizes of the spill at the last look; `undefined` without a spill. */
  spill(): SpillReport | undefined
  unready(): readonly string[]
  /**
   * Forgets ids of deleted persons: the next event of each makes another person, and their earlier
   * events are never shown.
   */
  forgetDistinctIds(ids: readonly DeletedId[]): void
  /**
   * True when the spill holds nothing from before that time, ms since 1970.
   * @throws {AppError} `unavailable` while the spill does not answer.
   */
  isSpillPast(timeMs: number): Promise<boolean>
  /** Resolves when the database answers, on a connection for nothing else; @throws {StoreError}. */
  ping(): Promise<void>
  /** Flushes or spills the accepted events. Events that are left at the deadline are refused. */
  close(deadlineMs: number): Promise<void>
  /** Closes the connections. */
  release(): Promise<void>
}
