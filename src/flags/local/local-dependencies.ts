/** Flags that flags depend on, as server libraries want them: by key, with what comes before. */
import { LOCAL_CHAIN_KEYS_MAX } from '../../core/limits/limits.ts'
import type { JsonObject } from '../definition.ts'
import { dependencyOrder } from '../order.ts'
import { own } from '../property-value.ts'

export type DependentFlag = {
  readonly id: number
  readonly key: string
  /** All its property filters, wherever they stand. */
  readonly filters: readonly JsonObject[]
}

export type Dependency = {
  readonly key: string
  /**
   * Keys in the order of evaluation, that of the flag itself last; empty when there is a cycle. The
   * library asks when it is undefined: an answer must not grow with the square of its flags.
   */
  readonly chain: readonly string[] | undefined
}

export type DependencyChains = {
  readonly hasAny: boolean
  /** Of the flag that a filter names; undefined when there is none, or the filter never holds. */
  of(filter: JsonObject): Dependency | undefined
}

/** @param flags those not deleted. */
export function dependencyChains(flags: readonly DependentFlag[]): DependencyChains {
  const byId = new Map(flags.map((flag, slot) => [String(flag.id), slot]))
  const byKey = new Map(flags.map((flag, slot) => [flag.key, slot]))
  const slotOf = (filter: JsonObject): number | undefined => {
    const key = own(filter, 'key')
    if (typeof key !== 'string' && typeof key !== 'number') return undefined
    if (own(filter, 'operator') !== 'flag_evaluates_to') return undefined
    return byId.get(String(key)) ?? byKey.get(String(key))
  }
  const dependencies = flags.map(({ filters }) => {
    const named = filters.filter((filter) => own(filter, 'type') === 'flag').map(slotOf)
    return [...new Set(named.filter((slot) => slot !== undefined))]
  })
  const { order, inCycle } = dependencyOrder(flags.length, (slot) => dependencies[slot] ?? [])
  const places = new Int32Array(flags.length)
  for (const [place, slot] of order.entries()) places[slot] = place

  let keysLeft = LOCAL_CHAIN_KEYS_MAX
  const chainOf = (slot: number): readonly string[] | undefined => {
    if (keysLeft <= 0) return undefined
    const slots = [...reached(slot, dependencies)]
    keysLeft -= slots.length
    if (slots.some((each) => inCycle[each] === 1)) return []
    slots.sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    return slots.map((each) => flags[each]?.key ?? '')
  }
  return {
    hasAny: dependencies.some((slots) => slots.length > 0),
    of(filter) {
      const slot = slotOf(filter)
      const flag = slot === undefined ? undefined : flags[slot]
      if (slot === undefined || flag === undefined) return undefined
      return { key: flag.key, chain: chainOf(slot) }
    },
  }
}

/** The slot itself and all that it depends on, directly or not. */
function reached(slot: number, dependencies: readonly (readonly number[])[]): Set<number> {
  const slots = new Set<number>()
  const waiting = [slot]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (slots.has(next)) continue
    slots.add(next)
    for (const inner of dependencies[next] ?? []) waiting.push(inner)
  }
  return slots
}
