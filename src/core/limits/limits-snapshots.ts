/** Bounds of answers from snapshots, of the change feed and of calls passed on; with units. */
import { assert } from '../code.ts'

/** Interval of heartbeats on a worker's stream of changes. */
export const NEWS_BEAT_MS = 200
/** Pause before a stream of changes that ended is opened again, plus as much jitter. */
export const NEWS_RECONNECT_MS = 200

/**
 * Revisions of projects are read within this long, or the database counts as away. Long, since a
 * machine that is only busy must not make old snapshots serve.
 */
export const REVISIONS_READ_MS = 2_000
/** Time for reading the persons and groups of one call; then flags that need them fail. */
export const STORED_READ_MS = 2_000
/** Time for looking up the keys of one call; then gateways use what they knew before. */
export const KEYS_READ_MS = 2_000
/** Interval of probes while the database is away, beside the answers. */
export const AWAY_PROBE_MS = 250
/** A database that is away has at most one such question at a time, given up after this. */
export const AWAY_PROBE_ATTEMPT_MS = 2_000
/** A late read is repeated once; the database is away when that takes this long, too. */
export const LATE_PROBE_ATTEMPT_MS = 1_000
/** Age up to which decide uses a confirmed snapshot while the database is away. */
export const SNAPSHOT_STALE_MAX_MS = 600_000
/** Longest wait of events for the activation of their project; then they continue without it. */
export const INGEST_ACTIVATION_MS = 500
/** Keys of internal services remembered by one worker, for when the database is away. */
export const SERVICE_KEYS_MAX = 10_000

/** Time for a worker to let shards go, once running changes have ended. */
export const PEER_RELEASE_MS = 10_000
/** A worker gives back all of its shards. */
export const PEER_DRAIN_MS = 25_000
/** Time for a worker to report its status. */
export const PEER_DESCRIBE_MS = 1_000

assert(AWAY_PROBE_MS < AWAY_PROBE_ATTEMPT_MS, 'a late answer of a probe still counts')
