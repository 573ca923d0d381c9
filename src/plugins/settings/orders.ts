/** Reads the orders of plugins in a project. */
import type { JsonObject } from '../../core/json.ts'

export type PluginOrder = { readonly plugin: number; readonly order: number }

const INT32_MAX = 2_147_483_647
const INT32_MIN = -2_147_483_648

/**
 * Reads `{plugin id: order}`. A key that cannot be an id names an unknown plugin and is ignored.
 * Undefined when a value is no 32-bit integer, whatever its key.
 */
export function readOrders(orders: JsonObject): readonly PluginOrder[] | undefined {
  const read = new Map<number, number>()
  for (const [key, value] of Object.entries(orders)) {
    const order = readInt32(value)
    if (order === undefined) return undefined
    const plugin = /^\d{1,10}$/.test(key) ? Number(key) : 0
    if (plugin > 0 && plugin <= INT32_MAX) read.set(plugin, order)
  }
  return [...read].map(([plugin, order]) => ({ plugin, order }))
}

/** Accepts numbers as decimal text, like the rest of the interface. */
function readInt32(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\s*[+-]?\d{1,20}(\.0*)?\s*$/.test(value)
  const number = typeof value === 'number' ? value : isText ? Number(value) : Number.NaN
  if (!Number.isInteger(number) || number < INT32_MIN || number > INT32_MAX) return undefined
  return number === 0 ? 0 : number
}
