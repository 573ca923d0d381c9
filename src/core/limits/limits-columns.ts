/** Bounds of the events in a column store, with their units. */

/** Rows of a block, and bytes of its texts: ClickHouse makes one part of it. */
export const BLOCK_ROWS_MAX = 1_000_000
export const BLOCK_BYTES_MAX = 256_000_000
/** Pieces in which a block (bytes) and distinct ids (UTF-16 units) are sent. */
export const BLOCK_PIECE_BYTES = 65_536
export const IDS_PIECE_CHARS = 262_144
/** Tokens of blocks that ClickHouse remembers of a table: far more than may be under way. */
export const BLOCK_TOKENS_KEPT = 10_000
/** A statement gets no answer within this: what became of it is unknown. */
export const COLUMN_STATEMENT_MS = 120_000
/** So does the first one, on which a start waits. */
export const COLUMN_CONNECT_MS = 10_000
/** Text of a statement: it names each person that a filter or breakdown asks for. */
export const COLUMN_QUERY_BYTES_MAX = 67_108_864
/**
 * Texts of parameters, which travel in the address. A byte takes six there at most, and servers
 * refuse more than 128 KiB for one of them, and more than a megabyte for all.
 */
export const COLUMN_ADDRESS_BYTES_MAX = 16_384
/** Connections of a process to ClickHouse. */
export const COLUMN_CONNECTIONS_MAX = 8

/**
 * Compressed events that wait for ClickHouse: beyond it the outbox is emptied, the copy behind.
 * Where only ClickHouse is to hold events, it takes no more then, until it is down to a share.
 */
export const COPY_OUTBOX_BYTES_MAX = 2_000_000_000
export const COPY_OUTBOX_FREE_SHARE = 0.9
/** Retention of payloads of the outbox after their block was shipped. */
export const COPY_PAYLOADS_KEPT_DAYS = 2
/** A block that the shipper makes: events, rows of the outbox, bytes before they were compressed. */
export const COPY_BLOCK_ROWS = 50_000
export const COPY_BLOCK_FLUSHES = 4_000
export const COPY_BLOCK_TEXT_BYTES = 33_554_432
/** Bytes of a block to unpack in one turn of the event loop: about a millisecond. */
export const COPY_TURN_BYTES = 65_536
/** Longest wait of events for a larger block. */
export const COPY_LINGER_MS = 1_000
/** Intervals of looking for waiting events, and for a free lease. */
export const COPY_LOOK_MS = 250
export const COPY_LEASE_LOOK_MS = 2_000
/** A shipper that was silent for so long has lost its lease. */
export const COPY_LEASE_MS = 15_000
/** Between two looks at the size of the outbox, and between two removals of old payloads. */
export const COPY_BOUND_LOOK_MS = 5_000
export const COPY_PRUNE_MS = 60_000
export const COPY_PRUNE_ROWS = 2_000
/** Waits between attempts while ClickHouse refuses or is away. */
export const COPY_RETRY_FIRST_MS = 250
export const COPY_RETRY_MAX_MS = 15_000
/** Nobody kept the copy for so long: deletions are not told to it any more, it is to be filled. */
export const COPY_ABANDONED_DAYS = 7
/** Keys that one statement of a removal names: it stays far below what a server reads as a query. */
export const COPY_REMOVAL_KEYS = 2_000
/** Events of one day of a project that one turn of a fill brings. */
export const COPY_FILL_ROWS = 20_000
/** Backfilled events in one row of the outbox: a turn of the event loop decodes one row. */
export const COPY_FILL_PAYLOAD_ROWS = 500
/** Statements that add up or read a month in Postgres. */
export const COPY_SCAN_MS = 600_000
/** Characters to keep of an error of ClickHouse. */
export const COLUMN_ERROR_CHARS = 500
/** Between two looks at the size of the outbox for the figures of a worker. */
export const COPY_FIGURES_MS = 10_000
/** Persons that a question names one by one, some ten bytes each: more of them Postgres counts. */
export const COLUMN_PERSONS_MAX = 1_000_000
/** Distinct ids of persons in a test, and bytes of all tests' as JSON: they travel as literals. */
export const COLUMN_IDS_MAX = 100_000
export const COLUMN_IDS_BYTES_MAX = 12_000_000
/** Bytes of group keys in a query. */
export const COLUMN_GROUPS_BYTES_MAX = 4_000_000
/** Distinct ids that ClickHouse is told of at a time. */
export const COPY_IDS_ROWS = 20_000
/** Changes of distinct ids that wait for ClickHouse: beyond it all ids are told anew. */
export const COPY_IDS_WAITING_MAX = 2_000_000
/** Ids without a person leave no trace after so long. */
export const COPY_FORGET_MS = 3_600_000
/** While questions wait for the copy: between two looks for what waits, and between two blocks. */
export const COPY_READ_LOOK_MS = 25
export const COPY_READ_LINGER_MS = 100
/** A question waited within this: what waits is shipped at once. */
export const COPY_READ_RECENT_MS = 3_000
/** A question waits so long for the copy; then Postgres answers it. */
export const COPY_READ_WAIT_MS = 3_000
/** Between two looks of a question whether the copy has come so far. */
export const COPY_READ_POLL_MS = 15
/** After a failure ClickHouse is not asked for so long. */
export const COPY_READ_PAUSE_MS = 5_000
/** Columns that hold the text of a property; a property has one when it is asked for so often. */
export const COPY_COLUMNS_MAX = 10
export const COPY_COLUMN_ASKS_MIN = 20
/** Within so many days; one that nobody asked for in so many is dropped. */
export const COPY_COLUMN_DAYS = 7
export const COPY_COLUMN_DROP_DAYS = 14
/** Characters of a property that may have one, and properties that a worker counts at a time. */
export const COPY_COLUMN_KEY_CHARS_MAX = 200
export const COPY_COLUMN_KEYS_MAX = 200
/** Between two looks which columns are wanted, and between two additions of what was asked. */
export const COPY_COLUMNS_MS = 60_000
/** Between two counts of ClickHouse's parts. */
export const COPY_PARTS_MS = 30_000
/** Two stores are compared so often, as a difference may pass, and with such rests between. */
export const COMPARISONS_MAX = 3
export const COMPARE_AGAIN_MS = 2_000
/** A month that moves is locked once nobody holds it: so long at a time, and so often. */
export const MONTH_LOCK_WAIT_MS = 2_000
export const MONTH_TRIES = 10
/** Keys whose events are brought back from ClickHouse at a time. */
export const MONTH_PIECE_EVENTS = 5_000
/** Bytes of the text of events that are in memory at a time. */
export const MONTH_PIECE_BYTES = 8_388_608
/** Events that may be left for the last step, during which writers wait. */
export const MONTH_LAST_EVENTS_MAX = 20_000
/** Where ClickHouse alone answers it is waited for so long; then the caller may try again. */
export const COPY_ONLY_WAIT_MS = 10_000
/** Between two looks whether anybody keeps the copy. */
export const COPY_ONLY_LOOK_MS = 200
export const COPY_AWAY_RETRY_S = 5
/** A backup reads so many events from ClickHouse at a time, and waits for so many at most. */
export const BACKUP_LEDGER_KEYS = 5_000
export const BACKUP_WAITING_MAX = 1_000_000
