/** Bounds of the replica of events in ClickHouse that several parts share. */

/** Bytes of the text of a statement: it names each person of a filter or breakdown. */
export const COLUMN_QUERY_BYTES_MAX = 67_108_864
/**
 * A block that the replicator makes: events, rows of the outbox, bytes before they were compressed.
 */
export const REPLICA_BLOCK_ROWS = 50_000
export const REPLICA_BLOCK_TEXT_BYTES = 33_554_432
/** Longest wait of events for a larger block. */
export const REPLICA_LINGER_MS = 1_000
/** Silence after which a replicator has lost its lease. */
export const REPLICA_LEASE_MS = 15_000
/**
 * Days without a replicator after which the replica gets no more deletions and must be filled
 * again.
 */
export const REPLICA_ABANDONED_DAYS = 7
/** Keys in one removal statement: far below the size that a server accepts as a query. */
export const REPLICA_REMOVAL_KEYS = 2_000
/** Events of one day of a project in one turn of a backfill. */
export const REPLICA_FILL_ROWS = 20_000
/** Statements that add up or read a month in Postgres. */
export const REPLICA_SCAN_MS = 600_000
/** Longest wait of events for a larger block while a query waits. */
export const REPLICA_READ_LINGER_MS = 100
/** Waiting events are shipped at once when a query waited within this time. */
export const REPLICA_READ_RECENT_MS = 3_000
/** Intervals of looking which columns are wanted, and of adding up the queries. */
export const REPLICA_COLUMNS_MS = 60_000
/** Comparisons of two stores, since a difference may pass. */
export const COMPARISONS_MAX = 3
/** Pause between two comparisons. */
export const COMPARE_AGAIN_MS = 2_000
