/** Limits failed sign-ins by network and by account (ADR 125). */
import type { Clock } from '../core/clock.ts'
import { RATE_WINDOWS_MAX } from '../core/limits/limits.ts'
import { throttled } from './throttle.ts'
import { createTryWindows } from './try-windows.ts'

/** Failed sign-ins from one network or one known browser within `LOGIN_TRIES_MS`. */
const LOGIN_TRIES_MAX = 5
/** Tries from one network that wait for the outcome of others. */
const LOGIN_TRIES_WAITING_MAX = 100
/**
 * Failed sign-ins for one mail address, from all networks in the same time, above which each
 * further one is delayed by one more step, up to the longest delay. None is refused, or anyone who
 * knows the address could keep its user out.
 */
const LOGIN_MAIL_TRIES_MAX = 50
const LOGIN_DELAY_STEP_MS = 100
const LOGIN_DELAY_MS_MAX = 5_000

/** Subject of the counts. */
export type TriedBy = {
  /** A network, a known browser or a signed-in user: further failures of it are refused. */
  readonly place: string
  /** Mail address that the password is for: further failures for it are delayed. */
  readonly mail?: string
}

/** Ends a try. */
export type EndTry = (hasFailed: boolean) => void

export type Tries = {
  /**
   * Waits until a try may be judged. No more of a place are under way than may still fail: the
   * others wait for their outcome. A try for a mail address with many failures is delayed.
   * @throws {AppError} `resource_exhausted` with the time to wait, once too many have failed, and
   *   when too many wait.
   */
  begin(by: TriedBy, signal?: AbortSignal): Promise<EndTry>
}

/** Time to wait when too many wait already: running tries take less. */
const BUSY_MS = 1_000

export type TriesOptions = {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
  /** Places, and as many mail addresses, that are remembered. */
  readonly entriesMax?: number
}

/**
 * Counts per worker: calls without a project go to one worker while it stays. Refused tries leave
 * no trace.
 */
export function createTries({ clock, entriesMax = RATE_WINDOWS_MAX }: TriesOptions): Tries {
  const places = createTryWindows(clock, { failedMax: LOGIN_TRIES_MAX, entriesMax })
  const mails = createTryWindows(clock, { failedMax: LOGIN_MAIL_TRIES_MAX, entriesMax })
  const waiting = new Map<string, Set<() => void>>()

  /** Resolves when a try of the place has ended. */
  const turnAt = (place: string): Promise<void> => {
    const queue = waiting.get(place) ?? new Set()
    if (queue.size >= LOGIN_TRIES_WAITING_MAX) throw throttled(BUSY_MS)
    waiting.set(place, queue)
    return new Promise((resolve) => queue.add(resolve))
  }
  const enter = async (place: string): Promise<EndTry> => {
    for (;;) {
      const { failed, running, endsAt } = places.peek(place) ?? NO_WINDOW
      if (failed >= LOGIN_TRIES_MAX) throw throttled(endsAt - clock.monotonic())
      if (failed + running < LOGIN_TRIES_MAX) break
      await turnAt(place)
    }
    const end = places.begin(place)
    return (hasFailed) => {
      end(hasFailed)
      const queue = waiting.get(place) ?? []
      waiting.delete(place)
      for (const wake of queue) wake()
    }
  }
  const delayFor = (mail: string) => {
    const { failed, running } = mails.peek(mail) ?? NO_WINDOW
    const over = failed + running - LOGIN_MAIL_TRIES_MAX
    return Math.min(Math.max(0, over + 1) * LOGIN_DELAY_STEP_MS, LOGIN_DELAY_MS_MAX)
  }

  return {
    async begin({ place, mail }, signal) {
      const end = await enter(place)
      if (mail === undefined) return end
      const delay = delayFor(mail)
      const endMail = mails.begin(mail)
      const endBoth: EndTry = (hasFailed) => {
        endMail(hasFailed)
        end(hasFailed)
      }
      try {
        if (delay > 0) await clock.sleep(delay, signal)
      } catch (error) {
        endBoth(false)
        throw error
      }
      return endBoth
    },
  }
}

const NO_WINDOW = { failed: 0, running: 0, endsAt: 0 }
