import {
  LIVE_EVENTS_PER_SECOND,
  LIVE_RING_EVENTS,
  LIVE_SIFTED_EVENTS,
  LIVE_SIFTED_PER_SECOND,
} from '../../core/limits/limits.ts'
import type { LiveQueueOptions } from './live-queue.ts'

/** Of what a reader sees. */
export const SHOWN: LiveQueueOptions = {
  perSecond: LIVE_EVENTS_PER_SECOND,
  ringMax: LIVE_RING_EVENTS,
}

/** Of what is looked at before it is shown. */
export const SIFTED: LiveQueueOptions = {
  perSecond: LIVE_SIFTED_PER_SECOND,
  ringMax: LIVE_SIFTED_EVENTS,
}
