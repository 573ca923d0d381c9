/** Bounds of the events in a column store, with their units. */

/** Rows of a block, and bytes of its texts: ClickHouse makes one part of it. */
export const BLOCK_ROWS_MAX = 1_000_000
export const BLOCK_BYTES_MAX = 256_000_000
/** Text of a block that is handed over at a time, in UTF-16 units. */
export const BLOCK_PIECE_CHARS = 262_144
/** Tokens of blocks that ClickHouse remembers of a table: far more than may be under way. */
export const BLOCK_TOKENS_KEPT = 10_000
/** A statement gets no answer within this: what became of it is unknown. */
export const COLUMN_STATEMENT_MS = 120_000
/** So does the first one, on which a start waits. */
export const COLUMN_CONNECT_MS = 10_000
/** Connections of a process to ClickHouse. */
export const COLUMN_CONNECTIONS_MAX = 8
