import { LIVE_FILTERED_EVENTS } from '../../core/limits/limits.ts'
import type { LiveQueueOptions } from './live-queue.ts'

/** Events that a stream sends in a second. */
export const LIVE_EVENTS_PER_SECOND = 100
/** Events that wait for a stream; a further one takes the place of the oldest. */
const LIVE_RING_EVENTS = 256
/** The same of streams with `where`, for events of which most may not match. */
const LIVE_SIFTED_PER_SECOND = 1_000

/** Bounds of the events that are sent to a reader. */
export const SHOWN: LiveQueueOptions = {
  perSecond: LIVE_EVENTS_PER_SECOND,
  ringMax: LIVE_RING_EVENTS,
}

/** Bounds of the events that are filtered for a reader, before any is sent. */
export const FILTERED: LiveQueueOptions = {
  perSecond: LIVE_SIFTED_PER_SECOND,
  ringMax: LIVE_FILTERED_EVENTS,
}
