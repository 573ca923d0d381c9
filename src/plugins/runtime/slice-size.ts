/** Chooses how many events one call takes. */
import { PLUGIN_BATCH_EVENTS_MAX } from '../../core/limits/limits-plugins.ts'

/** Number of events in one call: few until calls have ended in time. */
export type SliceSize = { size(): number; took(hadTimeout: boolean): void }

const SLICE_GROWTH = 4

export function createSliceSize(): SliceSize {
  let size = 1
  return {
    size: () => size,
    took(hadTimeout) {
      size = hadTimeout ? 1 : Math.min(size * SLICE_GROWTH, PLUGIN_BATCH_EVENTS_MAX)
    },
  }
}
