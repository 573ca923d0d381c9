/** Bounds the memory of events that wait for plugins. */
import {
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_DELIVERY_LARGE_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'

/** Bytes of all events that wait for delivery in one worker. */
const PLUGIN_DELIVERY_WORKER_BYTES_MAX = 268_435_456

/** Memory of the events that wait for plugins of this worker, in bytes. */
export type DeliveryRoom = {
  /**
   * Takes `bytes` more for a config that has `held` and may have up to `heldMax`.
   * @returns false when there is no room. The last half is for configs that have little.
   */
  take(bytes: number, held: number, heldMax: number): boolean
  give(bytes: number): void
}

export function createDeliveryRoom(): DeliveryRoom {
  let total = 0
  return {
    take(bytes, held, heldMax) {
      const isLarge = held + bytes > PLUGIN_DELIVERY_BYTES_MAX
      const totalMax = isLarge ? PLUGIN_DELIVERY_LARGE_BYTES_MAX : PLUGIN_DELIVERY_WORKER_BYTES_MAX
      if (held + bytes > heldMax || total + bytes > totalMax) return false
      total += bytes
      return true
    },
    give: (bytes) => {
      total -= bytes
    },
  }
}
