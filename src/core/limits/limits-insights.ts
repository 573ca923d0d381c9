/** Bounds of questions about events, with their units. */

/** Questions of one call. */
export const INSIGHT_QUESTIONS_MAX = 12
/** Buckets of a range; more are 400. */
export const INSIGHT_BUCKETS_MAX = 1_000
/** Series of a question, and steps of a funnel. */
export const INSIGHT_SERIES_MAX = 10
export const INSIGHT_STEPS_MAX = 20
export const INSIGHT_EXCLUSIONS_MAX = 10
/** Values of a breakdown that are shown by themselves, where the question says nothing, and at most. */
export const INSIGHT_VALUES_DEFAULT = 25
export const INSIGHT_VALUES_MAX = 1_000
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
/** Actors that are counted before other work gets its turn. */
export const INSIGHT_ACTORS_OF_TURN = 500
