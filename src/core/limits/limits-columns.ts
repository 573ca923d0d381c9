/** Bounds of the events in a column store, with their units. */

/** Rows of a block, and bytes of its texts: ClickHouse makes one part of it. */
export const BLOCK_ROWS_MAX = 1_000_000
export const BLOCK_BYTES_MAX = 256_000_000
/** Pieces in which a block (bytes) and distinct ids (UTF-16 units) are sent. */
export const BLOCK_PIECE_BYTES = 65_536
export const IDS_PIECE_CHARS = 262_144
/** Tokens of blocks that ClickHouse remembers of a table: far more than may be under way. */
export const BLOCK_TOKENS_KEPT = 10_000
/** Time limit of a statement; its outcome is unknown then. */
export const COLUMN_STATEMENT_MS = 120_000
/** So does the first one, on which a start waits. */
export const COLUMN_CONNECT_MS = 10_000
/** Bytes of the text of a statement: it names each person of a filter or breakdown. */
export const COLUMN_QUERY_BYTES_MAX = 67_108_864
/**
 * Bytes of parameters, which travel in the URL. A byte takes six there at most, and servers refuse
 * more than 128 KiB for one of them, and more than a megabyte for all.
 */
export const COLUMN_ADDRESS_BYTES_MAX = 16_384
/** Connections of a process to ClickHouse. */
export const COLUMN_CONNECTIONS_MAX = 8

/**
 * Compressed bytes of events that wait for ClickHouse. Above it the outbox is emptied and the
 * replica is behind. In ClickHouse-only mode a full outbox rejects flushes instead, until it has
 * drained to this share.
 */
export const REPLICA_OUTBOX_BYTES_MAX = 2_000_000_000
export const REPLICA_OUTBOX_FREE_SHARE = 0.9
/** Retention of payloads of the outbox after their block was shipped. */
export const REPLICA_PAYLOADS_KEPT_DAYS = 2
/**
 * A block that the replicator makes: events, rows of the outbox, bytes before they were compressed.
 */
export const REPLICA_BLOCK_ROWS = 50_000
export const REPLICA_BLOCK_FLUSHES = 4_000
export const REPLICA_BLOCK_TEXT_BYTES = 33_554_432
/** Bytes of a block to unpack in one turn of the event loop: about a millisecond. */
export const REPLICA_TURN_BYTES = 65_536
/** Longest wait of events for a larger block. */
export const REPLICA_LINGER_MS = 1_000
/** Intervals of looking for waiting events, and for a free lease. */
export const REPLICA_LOOK_MS = 250
export const REPLICA_LEASE_LOOK_MS = 2_000
/** Silence after which a replicator has lost its lease. */
export const REPLICA_LEASE_MS = 15_000
/** Intervals of measuring the outbox, and of removing old payloads. */
export const REPLICA_BOUND_LOOK_MS = 5_000
export const REPLICA_PRUNE_MS = 60_000
export const REPLICA_PRUNE_ROWS = 2_000
/** Waits between attempts while ClickHouse refuses or is away. */
export const REPLICA_RETRY_FIRST_MS = 250
export const REPLICA_RETRY_MAX_MS = 15_000
/**
 * Days without a replicator after which the replica gets no more deletions and must be filled
 * again.
 */
export const REPLICA_ABANDONED_DAYS = 7
/** Keys in one removal statement: far below the size that a server accepts as a query. */
export const REPLICA_REMOVAL_KEYS = 2_000
/** Events of one day of a project in one turn of a backfill. */
export const REPLICA_FILL_ROWS = 20_000
/** Backfilled events in one row of the outbox: a turn of the event loop decodes one row. */
export const REPLICA_FILL_PAYLOAD_ROWS = 500
/** Statements that add up or read a month in Postgres. */
export const REPLICA_SCAN_MS = 600_000
/** Characters to keep of an error of ClickHouse. */
export const COLUMN_ERROR_CHARS = 500
/** Interval of measuring the outbox for the figures of a worker. */
export const REPLICA_FIGURES_MS = 10_000
/** Persons whom a query names one by one, some ten bytes each; Postgres counts larger sets. */
export const COLUMN_PERSONS_MAX = 1_000_000
/** Distinct ids of persons in a test, and bytes of all tests' as JSON: they travel as literals. */
export const COLUMN_IDS_MAX = 100_000
export const COLUMN_IDS_BYTES_MAX = 12_000_000
/** Bytes of group keys in a query. */
export const COLUMN_GROUPS_BYTES_MAX = 4_000_000
/** Distinct ids in one statement to ClickHouse. */
export const REPLICA_IDS_ROWS = 20_000
/** Changes of distinct ids that wait for ClickHouse; above it all ids are sent anew. */
export const REPLICA_IDS_WAITING_MAX = 2_000_000
/** Time after which ids without a person are forgotten. */
export const REPLICA_FORGET_MS = 3_600_000
/** While queries wait for the replica: interval of looking for events, pause between two blocks. */
export const REPLICA_READ_LOOK_MS = 25
export const REPLICA_READ_LINGER_MS = 100
/** Waiting events are shipped at once when a query waited within this time. */
export const REPLICA_READ_RECENT_MS = 3_000
/** Interval at which a waiting query looks how far the replica is. */
export const REPLICA_READ_POLL_MS = 15
/** Columns with the text of a property, and queries that must use a property to get one. */
export const REPLICA_COLUMNS_MAX = 10
export const REPLICA_COLUMN_ASKS_MIN = 20
/** Days in which these queries count, and days without any after which a column is dropped. */
export const REPLICA_COLUMN_DAYS = 7
export const REPLICA_COLUMN_DROP_DAYS = 14
/** Characters of a property that may have one, and properties that a worker counts at a time. */
export const REPLICA_COLUMN_KEY_CHARS_MAX = 200
export const REPLICA_COLUMN_KEYS_MAX = 200
/** Intervals of looking which columns are wanted, and of adding up the queries. */
export const REPLICA_COLUMNS_MS = 60_000
/** Interval of counting ClickHouse's parts. */
export const REPLICA_PARTS_MS = 30_000
/** Comparisons of two stores, since a difference may pass, and the pause between two of them. */
export const COMPARISONS_MAX = 3
export const COMPARE_AGAIN_MS = 2_000
/** Wait for the lock of a month that moves, and attempts at it. */
export const MONTH_LOCK_WAIT_MS = 2_000
export const MONTH_TRIES = 10
/** Longest wait where ClickHouse alone answers; then the caller may try again. */
export const REPLICA_ONLY_WAIT_MS = 10_000
/** Interval of looking for a worker that ships to the replica; seconds until a client may retry. */
export const REPLICA_ONLY_LOOK_MS = 200
export const REPLICA_AWAY_RETRY_S = 5
/** Events that a backup reads from ClickHouse at a time, and that it waits for at most. */
export const BACKUP_KEYS = 5_000
export const BACKUP_WAITING_MAX = 1_000_000
