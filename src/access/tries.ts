/** Bounds failed tries to sign in, by whom they come from and whom they are for. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import { RATE_WINDOWS_MAX } from '../core/limits/limits.ts'
import { LOGIN_TRIES_MAX, LOGIN_TRIES_MS } from '../core/limits/limits-people.ts'
import { throttled } from './throttle.ts'

export type Tries = {
  /**
   * Counts a try before it is judged, so that many at once are not judged all.
   * @param names of what it counts for.
   * @returns what takes it back, for one that succeeds.
   * @throws {AppError} `resource_exhausted` with the seconds to wait, in full.
   */
  take(names: readonly string[]): () => void
}

type Window = { readonly endsAt: number; tries: number }

/**
 * Per worker: calls that are for no project come to one of them while it stays. The oldest windows
 * are forgotten when there are too many.
 */
export function createTries({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): Tries {
  const windows = createBoundedMap<string, Window>({ entriesMax: RATE_WINDOWS_MAX })

  const windowOf = (name: string, now: number): Window => {
    const known = windows.peek(name)
    if (known !== undefined && known.endsAt > now) return known
    const made = { endsAt: now + LOGIN_TRIES_MS, tries: 0 }
    windows.set(name, made)
    return made
  }

  return {
    take(names) {
      const now = clock.monotonic()
      const taken = names.map((name) => windowOf(name, now))
      const full = taken.filter(({ tries }) => tries >= LOGIN_TRIES_MAX)
      if (full.length > 0) throw throttled(Math.max(...full.map(({ endsAt }) => endsAt)) - now)
      for (const window of taken) window.tries++
      return () => {
        for (const window of taken) window.tries--
      }
    },
  }
}
