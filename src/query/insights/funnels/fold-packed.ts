/** Follows an actor of an ordered funnel without an object for each of its events. */
import type { PackedEvents } from '../../../event-store/actor-text.ts'
import type { FunnelRules, Way } from './fold.ts'

/** Fold of one funnel, which follows its actors one after the other. */
export type PackedFold = {
  /**
   * Follows as `follow` does.
   * @returns `several` for an actor with an event that may be several steps, or with several events
   * at one moment: `follow` decides then which event is which step.
   */
  follow(events: PackedEvents): Way | undefined | 'several'
}

/** Undefined for the rules that only `follow` knows. */
export function packedFold(rules: FunnelRules): PackedFold | undefined {
  const { order, steps, window, exclusions } = rules
  if (order !== 'ordered' || exclusions.length > 0) return undefined
  // Rows of times: the newest way that reached each step, then the first one that got furthest.
  const times = new Float64Array((steps + 1) * steps)
  const best = steps * steps
  const own = 2 ** steps - 1
  const copy = (from: number, to: number, count: number) => {
    for (let place = 0; place < count; place++) times[to + place] = times[from + place] ?? 0
  }
  return {
    follow({ items, packing: { fromUs, bits } }) {
      const unit = 2 ** bits
      /** Number of steps of the best way so far. */
      let taken = 0
      let before = -1
      for (let place = 0; place < items.length; place++) {
        const item = items[place] ?? 0
        const us = Math.floor(item / unit)
        const mask = (item - us * unit) & own
        if (us === before || mask === 0 || (mask & (mask - 1)) !== 0) return 'several'
        before = us
        const step = 31 - Math.clz32(mask)
        if (step > taken || taken === steps) continue
        const row = step * steps
        if (step > 0) {
          const from = row - steps
          if (us - (times[from] ?? 0) > window) continue
          copy(from, row, step)
        }
        times[row + step] = us
        if (step < taken) continue
        taken = step + 1
        copy(row, best, taken)
      }
      if (taken === 0) return undefined
      const latest = times[(taken - 1) * steps] ?? 0
      const way: number[] = []
      for (let step = 0; step < taken; step++) way.push(fromUs + (times[best + step] ?? 0))
      return { times: way, latestStart: fromUs + latest }
    },
  }
}
