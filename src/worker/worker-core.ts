/**
 * Projects of a worker, built in one order: revisions, trust, actors, snapshots, and last the
 * follower of the change feed. Each part uses only those before it. The product (`worker.ts`) and tests of
 * several workers build it from the same ports.
 */
import { NotOwnerError } from '../../cluster/shards/not-owner.ts'
import { shardOf } from '../../cluster/shards/shard.ts'
import type { Shards } from '../../cluster/shards/shards-port.ts'
import { createMailbox } from '../actor/mailbox.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import type { DatabaseHealth } from '../core/database-health.ts'
import type { Log } from '../core/log.ts'
import type { EventSink } from '../events/event-batch.ts'
import type { Sql } from '../postgres/connect.ts'
import { followChanges } from '../project/follow-changes.ts'
import type { ProjectPlugins } from '../project/plugin-ports.ts'
import { createProjects, type Projects } from '../project/projects.ts'
import { createRevisions, type ReadRevisions, type Revisions } from '../project/revisions.ts'
import { createSnapshots, type Snapshots } from '../project/snapshots.ts'
import { createTrust, type Trust, type TrustDeps } from '../project/trust.ts'
import { changeFenced, removeFenced } from '../store/projects/postgres-shard-store.ts'
import { loadProject } from '../store/projects/project-state-store.ts'

/** Commands that wait for one project. */
const MAILBOX_MAX = 1_024

export type WorkerCorePorts = {
  /** Projects are loaded and changed there. */
  readonly sql: Sql
  readonly readRevisions: ReadRevisions
  /** Whether the database answers `readRevisions`. */
  readonly health: DatabaseHealth
  readonly shards: Pick<Shards, 'epochOf' | 'hold' | 'run' | 'ownerOf'>
  /** See `MemberStore.confirmed`. */
  readonly confirmed: () => boolean
  /** Changes of projects from the other workers. */
  readonly peerFeed: TrustDeps['feed']
  readonly hub: ChangeFeed
  readonly sink: EventSink
  /** Undefined when this process runs no plugins. */
  readonly plugins: ProjectPlugins | undefined
  readonly clock: Clock
  readonly log: Log
}

export type WorkerCore = {
  readonly revisions: Revisions
  readonly trust: Trust
  readonly projects: Projects
  readonly snapshots: Snapshots
  /** Stops following the changes, then passivates every actor. */
  close(): Promise<void>
}

export function createWorkerCore(ports: WorkerCorePorts): WorkerCore {
  const { sql, shards, hub, clock, log } = ports
  const revisions = createRevisions({ read: ports.readRevisions, health: ports.health })
  const trust = createTrust({
    epochOf: (project) => shards.epochOf(shardOf(project)),
    confirmed: ports.confirmed,
    feed: ports.peerFeed,
  })
  const projects = createProjects({
    load: (project) => loadProject(sql, project),
    commit: (project, change) => {
      const shard = shardOf(project)
      return shards.run(shard, (epoch) => changeFenced(sql, { shard, epoch, project }, change))
    },
    remove: (project, before) => {
      const shard = shardOf(project)
      return shards.run(shard, (epoch) => removeFenced(sql, { shard, epoch, project }, before))
    },
    hold: (project) => shards.hold(shardOf(project)),
    notOwner: (project) => {
      const shard = shardOf(project)
      return new NotOwnerError(shard, shards.ownerOf(shard))
    },
    trust,
    storeAway: () => revisions.away(),
    createMailbox: () => createMailbox({ turnsMax: MAILBOX_MAX }),
    sink: ports.sink,
    ...(ports.plugins === undefined ? {} : { plugins: ports.plugins }),
    feed: hub,
    clock,
    log,
  })
  const snapshots = createSnapshots({ projects, revisions, trust, clock, log })
  const stopFollowing = followChanges({ hub, projects, log })
  return {
    revisions,
    trust,
    projects,
    snapshots,
    async close() {
      await stopFollowing()
      await projects.close()
    },
  }
}
