/** Bounds of answers from snapshots, of news between workers and of calls passed on; with units. */
import { assert } from '../code.ts'

/** A worker says "still here" on its stream of news this often. */
export const NEWS_BEAT_MS = 200
/** Pause before a stream of news that ended is opened again, plus as much jitter. */
export const NEWS_RECONNECT_MS = 200

/**
 * Revisions of projects are read within this long, or the database counts as away. Long, since a
 * machine that is only busy must not make old snapshots serve.
 */
export const REVISIONS_READ_MS = 2_000
/** Persons and groups of one call are read within this long, or flags that need them fail. */
export const STORED_READ_MS = 2_000
/** Keys of one call are looked up within this long; gateways go on with what they knew then. */
export const KEYS_READ_MS = 2_000
/** While the database is away it is asked once in this time, beside the answers. */
export const AWAY_PROBE_MS = 250
/** A database that is away has at most one such question at a time, given up after this. */
export const AWAY_PROBE_ATTEMPT_MS = 2_000
/** A late read is repeated once; the database is away when that takes this long, too. */
export const LATE_PROBE_ATTEMPT_MS = 1_000
/** While the database is away, decide uses what was last known to be right within this time. */
export const SNAPSHOT_STALE_MAX_MS = 600_000
/** Events wait for their project to be activated for this long at most, then go on without it. */
export const INGEST_ACTIVATION_MS = 500
/** Keys of internal services remembered by one worker, for when the database is away. */
export const SERVICE_KEYS_MAX = 10_000

/** A worker lets shards go, once the changes that run have ended. */
export const PEER_RELEASE_MS = 10_000
/** A worker gives back all of its shards. */
export const PEER_DRAIN_MS = 25_000
/** A worker tells how it is. */
export const PEER_DESCRIBE_MS = 1_000

assert(AWAY_PROBE_MS < AWAY_PROBE_ATTEMPT_MS, 'a late answer of a probe still counts')
