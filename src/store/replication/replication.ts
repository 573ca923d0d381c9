/** Entry point of the copy, imported only when EVENTS_URL is set. */
export { openOwnReplica, openReplica } from './open-replica.ts'
export { createReplicaReads } from './read/replica-reads.ts'
export { runReplicator } from './replicator.ts'
