/** Bounds of a cluster: members, views and the moves of shards, with their units. */
import { assert } from '../code.ts'

/** A member renews its key this often. */
export const MEMBER_RENEW_MS = 1_000
/** A member is dead when its key has not changed for this long of a reader's monotonic clock. */
export const MEMBER_DEAD_MS = 5_000
/** Silence after which a member's port is tried (two missed beats). Refused: dead at once. */
export const MEMBER_SUSPECT_MS = 2_500
/** One attempt at the port of a suspect member. */
export const MEMBER_PROBE_MS = 500
/** Counted from the time at which the last confirmed renewal was sent. */
export const MEMBER_CONFIRMED_MS = 4_000
/** Interval of reading all keys beside the watch, which may miss some. */
export const MEMBER_POLL_MS = 5_000
/** Silent members are looked for this often. */
export const MEMBER_JUDGE_MS = 500
/** A store of keys drops those not renewed for this long: garbage collection, never a verdict. */
export const MEMBER_TTL_MS = 60_000
/** Time after which gateways drop a member whose key is missing without a reason. */
export const MEMBER_FORGET_MS = 60_000
/** Keys of members that one process looks at; a cluster is far smaller. */
export const MEMBERS_MAX = 1_000
/** Characters of the value of one member's key. */
export const MEMBER_VALUE_CHARS_MAX = 4_096

/** One operation on a store of keys; its outcome is unknown after that. */
export const REGISTRY_OP_MS = 1_000
/** Making a bucket: the server makes folders and files, and syncs them. */
export const BUCKET_MAKE_MS = 5_000
/** Keys that one listing reads at a time. */
export const REGISTRY_READS_MAX = 64
/** Time for the first connection to NATS; then the process reports the error and ends. */
export const NATS_CONNECT_MS = 3_000
/** Each of several servers gets at least this long to answer. */
export const NATS_DIAL_MS_MIN = 500
/** A server that has not answered two pings is left. */
export const NATS_PING_MS = 1_000
export const NATS_PINGS_OUT_MAX = 2
/** Pause between attempts to connect again, plus jitter. */
export const NATS_RECONNECT_MS = 250

/** Shards move from a live owner only after the view has been the same for this long. */
export const SHARD_STABLE_MS = 2_000
/** Shards that one worker pulls at a time. */
export const HANDOFF_SHARDS_MAX = 16
/** Longest wait of a mutation for the owner of its shard. */
export const OWNERSHIP_WAIT_MS = 3_000
/** Times that a call is passed on from worker to worker. */
export const FORWARD_HOPS_MAX = 2

assert(3 * MEMBER_RENEW_MS < MEMBER_CONFIRMED_MS, 'two renewals may fail')
assert(MEMBER_CONFIRMED_MS < MEMBER_DEAD_MS, 'a member doubts itself before others give it up')
assert(2 * MEMBER_RENEW_MS < MEMBER_SUSPECT_MS, 'a suspect member has missed two beats')
assert(MEMBER_SUSPECT_MS + MEMBER_PROBE_MS < MEMBER_DEAD_MS, 'a probe is sooner than the silence')
assert(2 * MEMBER_DEAD_MS < MEMBER_TTL_MS, 'members are judged before the store forgets them')

/** The cluster's token is looked at this often: a store that lost it gets it again. */
export const CLUSTER_TOKEN_KEEP_MS = 2_000
/** Time that a worker still answers after it has left the view: calls may be on their way. */
export const LEAVE_LINGER_MS = 500
