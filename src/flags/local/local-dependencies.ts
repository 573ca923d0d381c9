/** Dependencies between flags, as server libraries need them: keys in the order of evaluation. */

import { type JsonObject, own } from '../../core/json.ts'
import { dependencyOrder } from '../order.ts'

/** Keys in the dependency chains of one answer to local evaluation. */
export const LOCAL_CHAIN_KEYS_MAX = 50_000

export type DependentFlag = {
  readonly id: number
  readonly key: string
  /** All its property filters, of every condition set and gate. */
  readonly filters: readonly JsonObject[]
}

export type Dependency = {
  readonly key: string
  /**
   * Keys in the order of evaluation, the flag itself last; empty when there is a cycle. Undefined
   * when all chains together are too long: the library then asks the server.
   */
  readonly chain: readonly string[] | undefined
}

export type DependencyChains = {
  readonly hasAny: boolean
  /** Dependency that a filter names; undefined when there is none, or the filter never holds. */
  of(filter: JsonObject): Dependency | undefined
}

/** @param flags those not deleted. */
export function dependencyChains(flags: readonly DependentFlag[]): DependencyChains {
  const byId = new Map(flags.map((flag, position) => [String(flag.id), position]))
  const byKey = new Map(flags.map((flag, position) => [flag.key, position]))
  const positionOf = (filter: JsonObject): number | undefined => {
    const key = own(filter, 'key')
    if (typeof key !== 'string' && typeof key !== 'number') return undefined
    if (own(filter, 'operator') !== 'flag_evaluates_to') return undefined
    return byId.get(String(key)) ?? byKey.get(String(key))
  }
  const dependencies = flags.map(({ filters }) => {
    const named = filters.filter((filter) => own(filter, 'type') === 'flag').map(positionOf)
    return [...new Set(named.filter((position) => position !== undefined))]
  })
  const { order, inCycle } = dependencyOrder(
    flags.length,
    (position) => dependencies[position] ?? [],
  )
  const places = new Int32Array(flags.length)
  for (const [place, position] of order.entries()) places[position] = place

  let keysLeft = LOCAL_CHAIN_KEYS_MAX
  const keysOf = (position: number): readonly string[] => {
    const positions = [...reached(position, dependencies)]
    if (positions.some((each) => inCycle[each] === 1)) return []
    positions.sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    return positions.map((each) => flags[each]?.key ?? '')
  }
  const known = new Map<number, readonly string[]>()
  const chainOf = (position: number): readonly string[] | undefined => {
    if (keysLeft <= 0) return undefined
    const keys = known.get(position) ?? keysOf(position)
    known.set(position, keys)
    keysLeft -= Math.max(1, keys.length)
    return keys
  }
  return {
    hasAny: dependencies.some((positions) => positions.length > 0),
    of(filter) {
      const position = positionOf(filter)
      const flag = position === undefined ? undefined : flags[position]
      if (position === undefined || flag === undefined) return undefined
      return { key: flag.key, chain: chainOf(position) }
    },
  }
}

/** The position itself and all that it depends on, directly or not. */
function reached(position: number, dependencies: readonly (readonly number[])[]): Set<number> {
  const positions = new Set<number>()
  const waiting = [position]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (positions.has(next)) continue
    positions.add(next)
    for (const inner of dependencies[next] ?? []) waiting.push(inner)
  }
  return positions
}
