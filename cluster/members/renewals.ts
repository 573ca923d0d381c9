/**
 * Renewals of a member as it knows them itself: which of them the registry has confirmed, and when
 * they were sent. All times are milliseconds of the member's own monotonic clock.
 */
import { MEMBER_CONFIRMED_MS, MEMBER_SUSPECT_MS } from '../../src/core/limits/limits.ts'

export type Renewals = {
  /** A renewal that was sent at `sentAt` is in the registry; this is known at `now`. */
  confirm(sentAt: number, now: number): void
  /** The outcome of a renewal is unknown: the steady time and the count restart. */
  interrupt(): void
  /** True while no other member can have declared this one dead: they wait longer than this. */
  confirmed(now: number): boolean
  /** Since when all renewals were confirmed without a pause; `undefined` when they are not. */
  steadySince(now: number): number | undefined
  /** Number of renewals confirmed since then. */
  beats(): number
  /** Time since the last confirmed renewal was sent; infinite before the first one. */
  silentMs(now: number): number
}

export function createRenewals(): Renewals {
  let lastSentAt = Number.NEGATIVE_INFINITY
  let steadyAt: number | undefined
  let beats = 0

  /** A process that was paused this long has not received the renewals of others either. */
  const hasPaused = (at: number) => at - lastSentAt > MEMBER_SUSPECT_MS

  return {
    confirm(sentAt, now) {
      if (steadyAt === undefined || hasPaused(sentAt)) {
        steadyAt = now
        beats = 0
      }
      beats += 1
      lastSentAt = Math.max(lastSentAt, sentAt)
    },
    interrupt() {
      steadyAt = undefined
      beats = 0
    },
    confirmed: (now) => now - lastSentAt < MEMBER_CONFIRMED_MS,
    steadySince: (now) => (hasPaused(now) ? undefined : steadyAt),
    beats: () => beats,
    silentMs: (now) => now - lastSentAt,
  }
}
