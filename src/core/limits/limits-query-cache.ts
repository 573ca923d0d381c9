/** Bounds of the query cache, with their units. */

/** Rows and bytes of the cached answers of a project; the oldest ones are removed first. */
export const CACHED_ANSWERS_ROWS_MAX = 20_000
export const CACHED_ANSWERS_BYTES_MAX = 67_108_864
/** Bytes of a whole answer, and of a bucket's numbers or actors, that are kept. */
export const CACHED_ANSWER_BYTES_MAX = 262_144
export const CACHED_CELL_BYTES_MAX = 262_144
/** Bytes that a worker stores between two removals; each row counts 200 more. */
export const CACHE_BYTES_BEFORE_TRIM = 4_194_304
/** Rows of all projects together, and days that a row is kept. */
export const CACHED_ANSWERS_ALL_MAX = 500_000
export const CACHED_ANSWERS_DAYS = 7
/** Answers that depend on properties of persons, and those that are never made of parts. */
export const CACHED_PERSONS_MS = 60_000
export const CACHED_MOVING_MS = 15_000
/** Counters of events that are read to look for an answer before the question has its turn. */
export const CACHE_COUNTERS_MAX = 20_000
/** Days that the overview of 30 days reads with those it is compared with, all of which have ended. */
export const PRECOMPUTE_DAYS = 61
/** Least number of events of these days to precompute them; fewer take no time. */
export const PRECOMPUTE_EVENTS_MIN = 50_000
/** Share of the time for precomputing days, and for looking which days have changed. */
export const PRECOMPUTE_SHARE = 0.2
export const PRECOMPUTE_LOOK_SHARE = 0.01
/** Milliseconds after which days that still change are counted all the same. */
export const PRECOMPUTE_AGAIN_MS = 600_000
