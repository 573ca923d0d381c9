/** Gaps of ClickHouse (`event_gaps`): months of which it lacks events, and their reasons. */

/** Name of the gap of distinct ids, among those of months. */
export const PERSONS = 'persons'

/** Reason of a month with events that ClickHouse refuses. */
export const REFUSES = 'ClickHouse refuses events: see dead letters'
/** Reason of a moved month with events that no store has any more. */
export const LOST =
  'events are lost: ClickHouse lost them, and no payload of them is kept: ' +
  'restore ClickHouse from its backup, then run "sluice events move --month" with the month'
/** Reason of a gap that an operator wants filled. */
export const ASKED = 'asked for'
/** Reason of a month with lost events, once an operator has accepted answers without them. */
export const LOSS_ACCEPTED = 'events are lost, which was accepted: answers are without them'
