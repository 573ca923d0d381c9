/** Bounds of dead letters, backup and restore, with their units; relations are in the files of use. */

/** Dead letters of one answer: when the caller names no number, and at most. */
export const DEAD_LETTERS_PAGE = 100
export const DEAD_LETTERS_PAGE_MAX = 1_000
/** Causes of dead letters that are counted in one answer. */
export const DEAD_LETTER_CAUSES_MAX = 100
/** Ids of one filter. */
export const DEAD_LETTER_IDS_MAX = 1_000
/** Characters of the reason of a filter. */
export const DEAD_LETTER_REASON_LENGTH_MAX = 1_000
/** Kept events read by one call of a replay; the first is read whatever its size. */
export const DEAD_LETTER_REPLAY_BYTES_MAX = 8_388_608
/** Time after which a replay answers with its progress; the caller continues from there. */
export const DEAD_LETTER_REPLAY_MS = 4_000
/**
 * Events handed to the writer at a time. Each refused one costs a flush, for which the other events
 * of that flush wait: so few at first, and more while none is refused.
 */
export const DEAD_LETTER_SUBMIT_MIN = 8
export const DEAD_LETTER_SUBMIT_MAX = 64
/** A kept event that is shown whole; it must fit into one gRPC message. */
export const DEAD_LETTER_SHOWN_BYTES_MAX = 33_000_000

/** Rows that a backup reads at a time. */
export const BACKUP_FETCH_ROWS = 400
/** Stored bytes of a row above which it is read alone. */
export const BACKUP_ROW_TOGETHER_BYTES_MAX = 8_192
/** One line of a backup: a row as JSON text. V8 holds strings of half a gigabyte. */
export const BACKUP_LINE_BYTES_MAX = 268_435_456
/** Text handed to the file at a time. */
export const BACKUP_WRITE_CHARS = 262_144
/** Rows of one insert of a restore, and their bytes as JSON text; one row is taken whatever its size. */
export const RESTORE_BATCH_ROWS_MAX = 2_000
export const RESTORE_BATCH_BYTES_MAX = 1_048_576
