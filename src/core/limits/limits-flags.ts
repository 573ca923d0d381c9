/** Bounds of calls about flags. */

/** Conditions of all flags and cohorts of a project; a change that leaves more is 400. */
export const PROJECT_CONDITIONS_MAX = 50_000

/** Characters of a property's JSON in the trace of an evaluation; more are cut off. */
export const FLAG_TRACE_VALUE_CHARS_MAX = 1_000
/** Compiled regular expressions that a process remembers, for each use of them. */
export const PATTERNS_KEPT_MAX = 10_000
/** Units of a long computation in one turn of the event loop, as its steps count them: some ms. */
export const WORK_OF_TURN = 1_000
/** Cost of compiling a pattern beside its characters: short ones may have long repeats. */
export const PATTERN_WORK = 50
