/** How large an event may be, and how much of what is stored is read at a time. */

/** Bytes of one event, see `eventBytes`; a request with a larger one is 413. */
export const EVENT_BYTES_MAX = 1_048_576

/** An event above this many bytes is flushed apart from smaller ones: it may be a slow row. */
export const LARGE_EVENT_BYTES = 65_536
/** Bytes of the properties of a person or a group as JSON text. What makes them larger is refused. */
export const PROPERTIES_BYTES_MAX = 524_288
/** Bytes of properties that a flush loads to merge persons; one that needs more is split. */
export const MERGED_PROPERTIES_BYTES_MAX = 16_777_216
/** Statements of a flush that find out which changes of a person are too large. */
export const REFUSED_STATEMENTS_MAX = 64
/** Warnings of ingestion that a project keeps, and projects whose warnings wait in a worker. */
export const WARNINGS_PER_PROJECT_MAX = 100
export const WARNED_PROJECTS_MAX = 1_000
/** Bytes of stored properties that one statement of decide reads, and its statements for a call. */
export const STORED_READ_BYTES_MAX = 2_097_152
export const STORED_READ_STATEMENTS_MAX = 4
/** Properties of one person or group that flags read; more are read apart, on a budget. */
export const STORED_READ_SMALL_BYTES_MAX = 32_768
/** Bytes a second of such large properties that flags of a project read, and at once. */
export const STORED_READ_LARGE_BYTES_PER_S = 2_097_152
export const STORED_READ_LARGE_BURST_BYTES = 4_194_304
