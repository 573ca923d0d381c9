import { MEMBER_CONFIRMED_MS, MEMBER_SUSPECT_MS } from '../../src/core/limits/limits.ts'

/**
 * What a member knows of itself: which of its renewals the store has confirmed, and when they were
 * sent. All times are of its own monotonic clock.
 */
export type Standing = {
  /** A renewal sent at `sentAt` is in the store, known at `now`. */
  confirm(sentAt: number, now: number): void
  /** A renewal's outcome is unknown: counting starts anew. */
  doubt(): void
  /** Nobody can have declared this member dead: readers wait longer than this since the sending. */
  confirmed(now: number): boolean
  /** Since when all renewals were confirmed, without a pause; `undefined` when they are not. */
  steadySince(now: number): number | undefined
  /** Renewals confirmed since then. */
  beats(): number
  /** Time since the last confirmed renewal was sent; infinite before the first one. */
  silentMs(now: number): number
}

export function createStanding(): Standing {
  let lastSentAt = Number.NEGATIVE_INFINITY
  let steadyAt: number | undefined
  let beats = 0

  /** A process that was stopped for a while has not heard the others either. */
  const paused = (at: number) => at - lastSentAt > MEMBER_SUSPECT_MS

  return {
    confirm(sentAt, now) {
      if (steadyAt === undefined || paused(sentAt)) {
        steadyAt = now
        beats = 0
      }
      beats += 1
      lastSentAt = Math.max(lastSentAt, sentAt)
    },
    doubt() {
      steadyAt = undefined
      beats = 0
    },
    confirmed: (now) => now - lastSentAt < MEMBER_CONFIRMED_MS,
    steadySince: (now) => (paused(now) ? undefined : steadyAt),
    beats: () => beats,
    silentMs: (now) => now - lastSentAt,
  }
}
