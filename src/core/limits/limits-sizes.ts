/** Sizes of events, and of stored data that is read at a time. */

/** Bytes of one event, see `eventBytes`; a request with a larger one is 413. */
export const EVENT_BYTES_MAX = 1_048_576

/** An event above this many bytes is flushed apart from smaller ones: it may be a slow row. */
export const LARGE_EVENT_BYTES = 65_536
/** Bytes of the properties of a person or a group as JSON text. Larger ones are refused. */
export const PROPERTIES_BYTES_MAX = 524_288
/** Bytes of properties that a flush loads to merge persons; one that needs more is split. */
export const MERGED_PROPERTIES_BYTES_MAX = 16_777_216
/** Statements of a flush that find out which changes of a person are too large. */
export const REFUSED_STATEMENTS_MAX = 64
/** Warnings of ingestion that a project keeps, and projects whose warnings wait in a worker. */
export const WARNINGS_PER_PROJECT_MAX = 100
export const WARNED_PROJECTS_MAX = 1_000
/** Days after the last warning of a row, or those of the project's retention if they are fewer. */
export const WARNINGS_KEPT_DAYS = 30
/** Warnings that wait in a process, and counts of them by project, reason and minute. */
export const WARNING_SAMPLES_MAX = 2_000
export const WARNING_COUNTS_MAX = 5_000
/** A warning that has waited for so long is counted without its sample. */
export const WARNING_SAMPLE_AGE_MAX_MS = 50_000
/** Time for a gateway to hand its warnings to a worker. */
export const WARNING_REPORT_MS = 10_000
/** Projects that have a label of their own in the figures of a process. */
export const WARNING_LABEL_PROJECTS_MAX = 50
/** Rows of dropped events that the status shows. */
export const DROPPED_ROWS_MAX = 100
/** Bytes of stored properties that one statement of decide reads, and its statements for a call. */
export const STORED_READ_BYTES_MAX = 2_097_152
export const STORED_READ_STATEMENTS_MAX = 4
/** Properties of one person or group that flags read; more are read apart, on a budget. */
export const STORED_READ_SMALL_BYTES_MAX = 32_768
/** Bytes a second of such large properties that flags of a project read, and at once. */
export const STORED_READ_LARGE_BYTES_PER_S = 2_097_152
export const STORED_READ_LARGE_BURST_BYTES = 4_194_304

/** Bytes of a message between gateway and worker of one process that is read in turns. */
export const LOCAL_MESSAGE_BYTES_OF_TURN = 65_536

/** Fields of a form body, and parts of a multipart one. */
export const FORM_FIELDS_MAX = 256
/** Bytes of a decoded decide body that a thread hands back; one more is 413. */
export const DECIDE_BODY_BYTES_MAX = 1_048_576
