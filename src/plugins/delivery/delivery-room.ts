import {
  PLUGIN_DELIVERY_BYTES_MAX,
  PLUGIN_DELIVERY_LARGE_BYTES_MAX,
  PLUGIN_DELIVERY_WORKER_BYTES_MAX,
} from '../../core/limits/limits-plugins.ts'

/** Memory of events that wait for plugins of this worker, in bytes. */
export type DeliveryRoom = {
  /**
   * Takes room for `bytes` more of a config that holds `held` and may hold up to `heldMax`.
   * @returns false when there is none. The last half is for those that hold little.
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
