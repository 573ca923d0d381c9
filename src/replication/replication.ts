/** Entry point of the replica, imported only when EVENTS_URL is set. */

export { createReplicaReads } from '../event-store/clickhouse/replica/replica-reads.ts'
export { openOwnReplica, openReplica } from './open-replica.ts'
export { runReplicator } from './replicator.ts'
