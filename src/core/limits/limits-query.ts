/** Bounds of reading stored events, with their units; relations to others are in `limits.ts`. */
import { assert } from '../code.ts'

/** Events query. Characters of `properties`, its filters, levels of groups, values of a filter. */
export const EVENT_FILTER_CHARS_MAX = 65_536
export const EVENT_FILTERS_MAX = 100
export const EVENT_FILTER_DEPTH_MAX = 16
export const EVENT_FILTER_VALUES_MAX = 1_000
/** Characters of a regular expression in a filter; longer ones match nothing. */
export const EVENT_REGEX_LENGTH_MAX = 1_000
/** Instructions it may compile to: Postgres needs seconds for nested counted repeats of more. */
export const EVENT_REGEX_PROGRAM_MAX = 1_000
/** Time of all statements of one query together; then 400 `query_timeout`. */
export const EVENT_QUERY_TIMEOUT_MS = 10_000
/** Bytes of a page of events with their persons, as text; more is 400. One is always sent. */
export const EVENT_PAGE_BYTES_MAX = 12_582_912
/** Bytes of person data in such a page: a person that is stored once may be sent many times. */
export const EVENT_PAGE_PERSON_BYTES_MAX = 4_194_304
/** Newest events that a filtered list looks through before it counts all. */
export const EVENT_PROBE_ROWS_MAX = 20_000
/** Matches whose places the count returns, so that they need not be searched again. */
export const EVENT_PAGE_KEYS_MAX = 5_000
/** Distinct ids of filtered persons whose events are looked up id by id; more are joined. */
export const EVENT_OWNERS_MAX = 1_000
/** Connections of a worker for queries, apart from all others: as many run at a time. */
export const EVENT_SCANS_CONNECTIONS = 4
/** Share of the time in flushes above which a query runs in one process of the database. */
export const PARALLEL_FLUSH_SHARE_MAX = 0.2
/** Queries of one organization that run at a time, and that wait; over it new ones get 429. */
export const EVENT_SCANS_RUNNING_MAX = 2
export const EVENT_SCANS_WAITING_MAX = 64
/** Queries of all organizations that wait for a connection, at most two of each. */
export const EVENT_SCANS_WORKER_WAITING_MAX = 256
/** Longest wait of a query; then 429. */
export const EVENT_SCANS_WAIT_MS = 4_000
/** Default share of the time in which queries of one organization run, and burst in ms. */
export const EVENT_SCANS_SHARE = 0.5
export const EVENT_SCANS_BURST_MS = 2_000
/** Milliseconds charged for each MiB of an answer, for the work beside the query. */
export const EVENT_SCANS_MEBIBYTE_MS = 20
/** Events of an export where its caller names no limit, and at most. */
export const EVENT_EXPORT_LIMIT_DEFAULT = 3_500
export const EVENT_EXPORT_LIMIT_MAX = 100_000
/** One piece of it: events, and bytes of them as text; one event alone is always sent. */
export const EVENT_EXPORT_PIECE_ROWS_MAX = 1_000
export const EVENT_EXPORT_PIECE_BYTES_MAX = 524_288
/** Events that a filter looks at for one piece. */
export const EVENT_EXPORT_STRETCH_ROWS = 20_000
/** Columns of an export, and characters of their names together; more are 400. */
export const EVENT_EXPORT_COLUMNS_MAX = 10_000
export const EVENT_EXPORT_COLUMN_CHARS_MAX = 1_048_576
/** Distinct values of a property that are offered, before lists are taken apart. */
export const EVENT_VALUES_MAX = 10
/** Characters of a value, or of the JSON of a list of them; longer ones are not offered. */
export const EVENT_VALUE_CHARS_MAX = 32_768
/** Event names that are offered. */
export const EVENT_NAMES_MAX = 20_000
/** Events dated further ahead of now than this are hidden from lists that name no `before`. */
export const EVENT_LIST_AHEAD_MS = 5_000

/** Expressions of `select`, `where` and `orderBy`: in one list, and characters of each. */
export const EXPRESSIONS_MAX = 32
export const EXPRESSION_CHARS_MAX = 4_096
/** Characters of the JSON text of one list: every character of it may be escaped. */
export const EXPRESSION_LIST_CHARS_MAX = 524_288
/** Levels of brackets, calls, `not` and `-`; and parts of all expressions of a query together. */
export const EXPRESSION_DEPTH_MAX = 32
export const EXPRESSION_NODES_MAX = 512
/** Characters of a text, or of a number in a text, that an expression looks at. */
export const EXPRESSION_TEXT_CHARS_MAX = 65_536
export const EXPRESSION_NUMBER_CHARS_MAX = 350
/** Characters of a `like` pattern, and of what `replace` and `replaceOne` seek and put. */
export const EXPRESSION_PATTERN_CHARS_MAX = 1_000
/** Bytes of one event times the cells made of it: the memory of one row. */
export const TABLE_ROW_BYTES_MAX = 268_435_456

assert(EVENT_SCANS_RUNNING_MAX < EVENT_SCANS_CONNECTIONS, 'no organization has all connections')

assert(
  // A number's exponent has two digits, and every other part of a product is an operator.
  ((EXPRESSION_NUMBER_CHARS_MAX + 99) * EXPRESSION_NODES_MAX) / 2 < 131_072,
  'no product of numbers may have more digits than a numeric of Postgres',
)
/** Rows that a page may skip. */
export const OFFSET_MAX = 2_147_483_647

/** Keys of one statement that reads for several calls. */
export const SHARED_READ_KEYS_MAX = 64
/** Time after which later reads do not wait for such a statement any more. */
export const SHARED_READ_SLOW_MS = 50
