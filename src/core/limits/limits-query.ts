/** Bounds of lists, tables, exports and questions that several parts share. */
import { assert } from '../code.ts'

/** Series of a question. */
export const INSIGHT_SERIES_MAX = 10
/** Values of a breakdown that are shown by themselves. */
export const INSIGHT_VALUES_MAX = 1_000
/** Characters of a name. */
export const INSIGHT_TEXT_CHARS_MAX = 400
/** Characters of a formula. */
export const INSIGHT_FORMULA_CHARS_MAX = 1_000
/** Events that a funnel follows, about 60 bytes of memory each; more are 400. */
export const INSIGHT_FOLLOWED_EVENTS_MAX = 3_000_000
/** Events that are followed before other work gets its turn. */
export const INSIGHT_EVENTS_OF_TURN = 2_000
/** Conditions of a cohort that a query uses, with those of the cohorts within it. */
export const COHORT_LEAVES_MAX = 1_000
/** Milliseconds for a background query. */
export const INSIGHT_ASYNC_TIMEOUT_MS = 60_000
/** Background queries of one project, running or waiting. */
export const INSIGHT_JOBS_RUNNING_MAX = 20
/** Cohorts that a project keeps, hidden ones too; one more is 400. */
export const COHORTS_MAX = 1_000
/** Time for counting the members of all cohorts of an answer; the remaining ones have no count. */
export const COHORT_COUNTS_TIMEOUT_MS = 2_000
/** Age of cached answers that are never made of parts. */
export const CACHED_MOVING_MS = 15_000
/** Days that the overview of 30 days reads with those it is compared with, all of which have ended. */
export const PRECOMPUTE_DAYS = 61
/** Events query: characters of `properties`. */
export const EVENT_FILTER_CHARS_MAX = 65_536
/** Time of all statements of one query together; then 400 `query_timeout`. */
export const EVENT_QUERY_TIMEOUT_MS = 10_000
/** Bytes of a page of events with their persons, as text; more is 400. One is always sent. */
export const EVENT_PAGE_BYTES_MAX = 12_582_912
/** Bytes of person data in such a page: a person that is stored once may be sent many times. */
export const EVENT_PAGE_PERSON_BYTES_MAX = 4_194_304
/** Matches whose places the count returns, so that they need not be searched again. */
export const EVENT_PAGE_KEYS_MAX = 5_000
/** Connections of a worker for queries, apart from all others: as many run at a time. */
export const EVENT_SCANS_CONNECTIONS = 4
/** Longest wait of a query; then 429. */
export const EVENT_SCANS_WAIT_MS = 4_000
/** Events of an export where its caller names no limit, and at most. */
export const EVENT_EXPORT_LIMIT_DEFAULT = 3_500
export const EVENT_EXPORT_LIMIT_MAX = 100_000
/** Bytes of one piece of an export as text; one event alone is always sent. */
export const EVENT_EXPORT_PIECE_BYTES_MAX = 524_288
/** Events dated further ahead of now than this are hidden from lists that name no `before`. */
export const EVENT_LIST_AHEAD_MS = 5_000
/** Parts of all expressions of a query together. */
export const EXPRESSION_NODES_MAX = 512
/** Characters of a text, or of a number in a text, that an expression looks at. */
export const EXPRESSION_TEXT_CHARS_MAX = 65_536
export const EXPRESSION_NUMBER_CHARS_MAX = 350
/** Characters of a `like` pattern, and of what `replace` and `replaceOne` seek and put. */
export const EXPRESSION_PATTERN_CHARS_MAX = 1_000
/** Rows that a page may skip. */
export const OFFSET_MAX = 2_147_483_647

assert(
  // A number's exponent has two digits, and every other part of a product is an operator.
  ((EXPRESSION_NUMBER_CHARS_MAX + 99) * EXPRESSION_NODES_MAX) / 2 < 131_072,
  'no product of numbers may have more digits than a numeric of Postgres',
)
