/** Bounds failed tries to sign in, by whom they come from and whom they are for. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import { RATE_WINDOWS_MAX } from '../core/limits/limits.ts'
import {
  LOGIN_TRIES_MAX,
  LOGIN_TRIES_MS,
  LOGIN_TRIES_WAITING_MAX,
} from '../core/limits/limits-people.ts'
import { throttled } from './throttle.ts'

export type Tries = {
  /**
   * Waits until a try may be judged. No more are under way than may still fail, so that many at
   * once are not judged all; the others wait for their outcome.
   * @param names of what it counts for.
   * @returns what ends the try, told whether it has failed.
   * @throws {AppError} `resource_exhausted` with the time to wait, once too many have failed, and
   *   when too many wait.
   */
  begin(names: readonly string[]): Promise<(hasFailed: boolean) => void>
}

type Window = {
  /** Monotonic; until then failures count. */
  endsAt: number
  failed: number
  running: number
  /** Who waits for the outcome of those under way, in order. */
  readonly waiting: Set<() => void>
}

/** When too many wait: what is under way takes less. */
const BUSY_MS = 1_000

/**
 * Per worker: calls that are for no project come to one of them while it stays. The oldest windows
 * are forgotten when there are too many.
 */
export function createTries({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): Tries {
  const windows = createBoundedMap<string, Window>({ entriesMax: RATE_WINDOWS_MAX })

  const windowOf = (name: string, now: number): Window => {
    const endsAt = now + LOGIN_TRIES_MS
    const known = windows.peek(name)
    if (known === undefined) {
      const made = { endsAt, failed: 0, running: 0, waiting: new Set<() => void>() }
      windows.set(name, made)
      return made
    }
    if (known.endsAt <= now) Object.assign(known, { endsAt, failed: 0 })
    return known
  }

  const end = (taken: readonly Window[], hasFailed: boolean) => {
    for (const window of taken) {
      window.running--
      if (hasFailed) window.failed++
    }
    for (const { waiting } of taken) {
      for (const wake of [...waiting]) wake()
    }
  }

  return {
    async begin(names) {
      for (;;) {
        const now = clock.monotonic()
        const taken = names.map((name) => windowOf(name, now))
        const full = taken.filter(({ failed }) => failed >= LOGIN_TRIES_MAX)
        if (full.length > 0) throw throttled(Math.max(...full.map(({ endsAt }) => endsAt)) - now)
        const busy = taken.find(({ failed, running }) => failed + running >= LOGIN_TRIES_MAX)
        if (busy === undefined) {
          for (const window of taken) window.running++
          return (hasFailed) => end(taken, hasFailed)
        }
        await turnOf(busy)
      }
    },
  }
}

/** Resolves when a try of the window has ended. */
function turnOf({ waiting }: Window): Promise<void> {
  if (waiting.size >= LOGIN_TRIES_WAITING_MAX) throw throttled(BUSY_MS)
  return new Promise((resolve) => {
    const wake = () => {
      waiting.delete(wake)
      resolve()
    }
    waiting.add(wake)
  })
}
