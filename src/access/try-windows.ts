/** Failures by name within a time: how many have failed, and how many may still fail. */
import type { Clock } from '../core/clock.ts'

/** Window of failed sign-ins. */
const LOGIN_TRIES_MS = 60_000

export type TryWindow = {
  /** Monotonic; failures count until then. */
  readonly endsAt: number
  readonly failed: number
  readonly running: number
}

export type TryWindows = {
  /** The window of a name that has failures or running tries; looking makes none. */
  peek(name: string): TryWindow | undefined
  /** Counts a try as running. The result ends it. */
  begin(name: string): (hasFailed: boolean) => void
  readonly size: number
}

type Counted = { endsAt: number; failed: number; running: number }

/**
 * A window exists while it has failures or running tries. Above the bound ended ones are forgotten
 * first, then the least important ones, full ones last: filling the map does not free a full
 * window.
 */
export function createTryWindows(
  clock: Pick<Clock, 'monotonic'>,
  { failedMax, entriesMax }: { readonly failedMax: number; readonly entriesMax: number },
): TryWindows {
  // Both in the order of their ends.
  const open = new Map<string, Counted>()
  const full = new Map<string, Counted>()

  const find = (name: string): Counted | undefined => {
    const known = open.get(name) ?? full.get(name)
    if (known === undefined || known.endsAt > clock.monotonic()) return known
    open.delete(name)
    full.delete(name)
    if (known.running === 0) return undefined
    known.failed = 0
    return add(name, known)
  }
  const add = (name: string, window: Counted): Counted => {
    window.endsAt = clock.monotonic() + LOGIN_TRIES_MS
    open.set(name, window)
    return window
  }
  const makeRoom = () => {
    for (const windows of [open, full]) {
      for (const [name, { endsAt }] of windows) {
        if (endsAt > clock.monotonic()) break
        find(name)
      }
    }
    if (open.size + full.size < entriesMax) return
    const [oldest] = open.size > 0 ? open : full
    if (oldest === undefined) return
    open.delete(oldest[0])
    full.delete(oldest[0])
  }
  const end = (name: string, window: Counted, hasFailed: boolean) => {
    window.running--
    if (hasFailed) window.failed++
    if (open.get(name) !== window) return
    const isEmpty = window.failed === 0 && window.running === 0
    if (!isEmpty && window.failed < failedMax) return
    open.delete(name)
    if (!isEmpty) full.set(name, window)
  }

  return {
    peek: find,
    begin(name) {
      let window = find(name)
      if (window === undefined) {
        makeRoom()
        window = add(name, { endsAt: 0, failed: 0, running: 0 })
      }
      window.running++
      const counted = window
      return (hasFailed) => end(name, counted, hasFailed)
    },
    get size() {
      return open.size + full.size
    },
  }
}
