/** Bounds of questions about events, with their units. */
export * from './limits-query-cache.ts'

/** Questions of one call. */
export const INSIGHT_QUESTIONS_MAX = 12
/** Buckets of a range; more are 400. */
export const INSIGHT_BUCKETS_MAX = 1_000
/** Series of a question, and steps of a funnel. */
export const INSIGHT_SERIES_MAX = 10
export const INSIGHT_STEPS_MAX = 20
export const INSIGHT_EXCLUSIONS_MAX = 10
/** Values of a breakdown that are shown by themselves: by default, and at most. */
export const INSIGHT_VALUES_DEFAULT = 25
export const INSIGHT_VALUES_MAX = 1_000
/** Values of a breakdown in all buckets together that are counted at once, and kept. */
export const INSIGHT_VALUE_CELLS_MAX = 20_000
/** Actors or sessions of all buckets that are listed by name; above it only their numbers are. */
export const INSIGHT_MEMBERS_LISTED_MAX = 100_000
/** Cohorts of a breakdown. */
export const INSIGHT_COHORTS_MAX = 25
/** Characters of a name, and of a formula; levels of its brackets and signs. */
export const INSIGHT_TEXT_CHARS_MAX = 400
export const INSIGHT_FORMULA_CHARS_MAX = 1_000
export const INSIGHT_FORMULA_DEPTH_MAX = 64
/** Units of a funnel's window. */
export const INSIGHT_WINDOW_MAX = 100_000
/** Intervals of a retention table. */
export const INSIGHT_INTERVALS_DEFAULT = 8
export const INSIGHT_INTERVALS_MAX = 100
/** Events that a funnel follows, about 60 bytes of memory each; more are 400. */
export const INSIGHT_FOLLOWED_EVENTS_MAX = 3_000_000
/** Events of all the values of a funnel's breakdown together: an actor may count for several. */
export const INSIGHT_FOLLOWED_TIMES_MAX = 30_000_000
/** Bars of the times that actors took. */
export const INSIGHT_BINS_MAX = 60
/** Bytes of a file with questions: more would be refused by the server. */
export const INSIGHT_FILE_BYTES_MAX = 1_048_576
/** Rows of a table of events, as a list of them has. */
export const INSIGHT_TABLE_ROWS_MAX = 10_000
/** Items of a path, and edges between them: by default, and at most. */
export const INSIGHT_PATH_STEPS_DEFAULT = 5
export const INSIGHT_PATH_STEPS_MAX = 50
export const INSIGHT_EDGES_DEFAULT = 50
export const INSIGHT_EDGES_MAX = 1_000
/** Different items that paths are made of, up to 400 characters each; more are 400. */
export const INSIGHT_PATH_ITEMS_MAX = 120_000
/** Events that are followed before other work gets its turn. */
export const INSIGHT_EVENTS_OF_TURN = 2_000
/** Actors that are counted before other work gets its turn. */
export const INSIGHT_ACTORS_OF_TURN = 200
/** Insights that a project keeps, hidden ones too; one more is 400. */
export const SAVED_INSIGHTS_MAX = 5_000
/** Bytes of the JSON text of a saved question; one more is 400. */
export const SAVED_QUERY_BYTES_MAX = 32_768
/** Properties and distinct ids of the persons on a page of actors. */
export const INSIGHT_ACTORS_BYTES_MAX = 4_194_304
/** Distinct ids that are shown of one person. */
export const INSIGHT_ACTOR_IDS_MAX = 1_000
/** Dashboards of a project, hidden ones too; one more is 400. */
export const DASHBOARDS_MAX = 1_000
/** Bytes of the JSON text of a dashboard's filters, and of a tile's layout. */
export const DASHBOARD_FILTERS_BYTES_MAX = 16_384
export const TILE_LAYOUTS_BYTES_MAX = 4_096
/** Characters of a tile's text. */
export const TILE_TEXT_CHARS_MAX = 4_000
/** Conditions of a cohort that a query uses, with those of the cohorts within it. */
export const COHORT_LEAVES_MAX = 1_000
/** Conditions of all cohorts that one call names, each cohort once; more are 400. */
export const COHORT_LEAVES_OF_CALL_MAX = 2_000
/** Cohorts that one question reads, those within others included. */
export const COHORTS_READ_MAX = 100
/** Time for Postgres to check whether it can read a pattern of a cohort. */
export const COHORT_PATTERN_TIMEOUT_MS = 1_000
/** Patterns of cohorts that one statement checks. */
export const COHORT_PATTERNS_AT_ONCE = 100

/** Milliseconds for a background query. */
export const INSIGHT_ASYNC_TIMEOUT_MS = 60_000
/** Milliseconds that it waits for a place. */
export const INSIGHT_ASYNC_WAIT_MS = 60_000
/** Background queries of one project, running or waiting. */
export const INSIGHT_JOBS_RUNNING_MAX = 20
/** Finished background queries of one project that are kept by name. */
export const INSIGHT_JOBS_KEPT_MAX = 20
export const INSIGHT_JOBS_KEPT_MS = 3_600_000
/** Bytes of an answer that is kept under a name. */
export const INSIGHT_JOB_ANSWER_BYTES_MAX = 4_194_304
/** Interval in milliseconds of looking whether another worker has cancelled a query. */
export const INSIGHT_JOBS_RENEWED_MS = 500
/** Silence in milliseconds after which a worker counts as stopped. */
export const INSIGHT_JOBS_SILENT_MS = 10_000
/** Cohorts that a project keeps, hidden ones too; one more is 400. */
export const COHORTS_MAX = 1_000
/** Bytes of the JSON text of a cohort's conditions; one more is 400. */
export const COHORT_FILTERS_BYTES_MAX = 131_072
/** Distinct ids that one request adds to a static cohort; one more is 400. */
export const COHORT_IDS_MAX = 100_000
/** Distinct ids that one statement adds. */
export const COHORT_IDS_OF_STATEMENT = 10_000
/** Insights, and dashboards, that are looked through for the uses of a cohort. */
export const COHORT_USES_READ_MAX = 1_000
/** Time for counting the members of all cohorts of an answer; the remaining ones have no count. */
export const COHORT_COUNTS_TIMEOUT_MS = 2_000
