/**
 * Token buckets by key: a rate, and a burst after a rest. A key that spends more than it has is in
 * debt, and has nothing until the rate has paid it off.
 */
import type { Clock } from '../clock.ts'

export type Budgets<Key> = {
  /** Zero or less: the key has to wait. */
  left(key: Key): number
  /** Milliseconds until something is left; 0 when something is. */
  waitMs(key: Key): number
  spend(key: Key, amount: number): void
}

/**
 * @param options.perMs amount that returns each millisecond.
 * @param options.burst amount after a rest. Keys that have all of it take no memory.
 */
export function createBudgets<Key>(
  clock: Pick<Clock, 'monotonic'>,
  { perMs, burst }: { readonly perMs: number; readonly burst: number },
): Budgets<Key> {
  const used = new Map<Key, { left: number; at: number }>()
  /** Number of entries above which full ones are removed. */
  let looksAt = ENTRIES_UNLOOKED

  const leftOf = (key: Key, at: number): number => {
    const entry = used.get(key)
    return entry === undefined ? burst : Math.min(burst, entry.left + (at - entry.at) * perMs)
  }
  const forgetRested = (at: number) => {
    for (const key of used.keys()) if (leftOf(key, at) === burst) used.delete(key)
    looksAt = Math.max(ENTRIES_UNLOOKED, 2 * used.size)
  }
  return {
    left: (key) => leftOf(key, clock.monotonic()),
    waitMs(key) {
      const left = leftOf(key, clock.monotonic())
      return left > 0 ? 0 : Math.floor(-left / perMs) + 1
    },
    spend(key, amount) {
      if (amount <= 0) return
      const at = clock.monotonic()
      used.set(key, { left: leftOf(key, at) - amount, at })
      if (used.size > looksAt) forgetRested(at)
    },
  }
}

const ENTRIES_UNLOOKED = 1_000
