/** Bounds of what people ask about flags. */

/** Characters of a property's JSON in the trace of an evaluation; more are cut off. */
export const FLAG_TRACE_VALUE_CHARS_MAX = 1_000
/** Regular expressions of which a process remembers what they compile to, for each use of them. */
export const PATTERNS_KEPT_MAX = 10_000
