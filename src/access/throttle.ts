/** Bounds the management calls of a project or user per minute. */
import { createBoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { RATE_WINDOWS_MAX } from '../core/limits/limits.ts'
import { throttledDetail } from '../wire/details.ts'
import type { Rate } from './policy.ts'
import type { Principal } from './principal.ts'

/** Calls that one project, or else one user, may make in a time. */
const LIMITS: Readonly<Record<Rate, readonly Limit[]>> = {
  default: [
    { calls: 480, windowMs: 60_000 },
    { calls: 4_800, windowMs: 3_600_000 },
  ],
  query: [
    { calls: 240, windowMs: 60_000 },
    { calls: 1_200, windowMs: 3_600_000 },
  ],
  library: [{ calls: 600, windowMs: 60_000 }],
  user_write: [{ calls: 5, windowMs: 60_000 }],
}

type Limit = { readonly calls: number; readonly windowMs: number }
type Window = { readonly endsAt: number; calls: number }

/** Counts the calls of a caller who may make them. */
export type Throttle = {
  /**
   * @param access the parent of the call, whose limit it counts against.
   * @returns a function that takes the count back: for a call that another worker answers, and
   * counts.
   * @throws {AppError} `resource_exhausted` with the seconds to wait, in full.
   */
  take(rate: Rate, principal: Principal, access: object | undefined): () => void
}

/** Counts nothing: the default of a self-hosted instance. */
export const NO_THROTTLE: Throttle = { take: () => () => {} }

/**
 * Fixed windows, per worker: a project's calls go to its owner, so its count is exact while the
 * shard stays; calls about a user are counted by the worker that answers them. Above the bound the
 * oldest windows are forgotten, which admits a caller rather than refusing it.
 */
export function createThrottle({ clock }: { readonly clock: Clock }): Throttle {
  const windows = createBoundedMap<string, Window>({ entriesMax: RATE_WINDOWS_MAX })

  const windowOf = (name: string, { windowMs }: Limit, now: number): Window => {
    const known = windows.peek(name)
    if (known !== undefined && known.endsAt > now) return known
    const made = { endsAt: now + windowMs, calls: 0 }
    windows.set(name, made)
    return made
  }

  return {
    take(rate, principal, access) {
      const now = clock.monotonic()
      const who = callerOf(principal, access)
      const counted = LIMITS[rate].map((limit) => {
        const window = windowOf(`${rate} ${limit.windowMs} ${who}`, limit, now)
        return { limit, window }
      })
      for (const { limit, window } of counted) {
        if (window.calls >= limit.calls) throw throttled(window.endsAt - now)
      }
      // Refused calls do not count: a caller that keeps trying is admitted with the next window.
      for (const { window } of counted) window.calls++
      return () => {
        for (const { window } of counted) window.calls--
      }
    },
  }
}

function callerOf({ userId }: Principal, access: object | undefined): string {
  const isProject = access !== undefined && 'projectId' in access
  return isProject ? `project ${String(access.projectId)}` : `user ${userId}`
}

/** 429 with the seconds to wait, in full. */
export function throttled(waitMs: number): AppError {
  const detail = throttledDetail(Math.max(1, Math.ceil(waitMs / 1_000)))
  return new AppError('resource_exhausted', 'too many calls', { detail })
}
