/** Bounds of deleting events and persons, with their units. */

/** Events that one statement of a deletion takes, and that a filter looks at for one. */
export const DELETION_CHUNK_ROWS_MAX = 5_000
export const DELETION_STRETCH_ROWS = 20_000
/** Target time of a chunk: captures that are stored meanwhile wait for its log to be written. */
export const DELETION_CHUNK_TARGET_MS = 25
/** Pause after a chunk, as a multiple of its duration: leaves time to others. */
export const DELETION_RESTS = 4
/** A chunk that takes longer is cut, and tried again with a quarter of the events, 20 at least. */
export const DELETION_STATEMENT_MS = 10_000
/** Time limit of the whole transaction of a chunk; then its connection is given up. */
export const DELETION_CHUNK_MS = 40_000
export const DELETION_SHARE_MAX = 256
/** Divisor of the first chunk of a deletion, while its duration is unknown. */
export const DELETION_SHARE_FIRST = 8
/** Largest divisor after a missed target: on a busy machine every chunk is slow. */
export const DELETION_SHARE_CALM = 16
/** Distinct ids of a person whose events one statement looks for. */
export const DELETION_IDS_MAX = 200
/** Deletions under way that one worker looks at in a turn; one of each project. */
export const DELETIONS_PER_TURN_MAX = 100
/** Chunks of one deletion before the next one has its turn. */
export const DELETION_CHUNKS_A_TURN = 8
/** Deletions of a project that run at a time; one more is 400. */
export const DELETIONS_RUNNING_MAX = 1_000
/** Time after which flushes that were under way when a deletion was requested have ended. */
export const DELETION_WAIT_MAX_S = 60
/** Seconds that distinct ids of deleted persons are sent to workers as text; and ids at most. */
export const DELETED_IDS_TOLD_S = 60
export const DELETED_IDS_TOLD_MAX = 10_000
/** Retention of finished deletions, and of the digests of distinct ids. */
export const DELETIONS_KEPT_DAYS = 90
/** The clock of NATS may be behind that of Postgres by so much. */
export const SPILL_CLOCK_SKEW_MS = 5_000
/** Wait for readers and writers of events before a partition is dropped; then a later turn. */
export const PARTITION_DROP_WAIT_MS = 50
/** Dead letters and counters that one statement of a retention pass takes. */
export const RETENTION_ROWS_MAX = 5_000
/** Time limit of a retention statement that looks for expired rows, at the server. */
export const RETENTION_STATEMENT_MS = 30_000
/** Items of one list of a person in one piece of its export. */
export const PERSON_LIST_ROWS_MAX = 10_000
/** Time for counting the events of a person before their deletion; then it runs without a total. */
export const PERSON_COUNT_TIMEOUT_MS = 2_000
