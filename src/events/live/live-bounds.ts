import {
  LIVE_EVENTS_PER_SECOND,
  LIVE_FILTERED_EVENTS,
  LIVE_RING_EVENTS,
  LIVE_SIFTED_PER_SECOND,
} from '../../core/limits/limits.ts'
import type { LiveQueueOptions } from './live-queue.ts'

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
