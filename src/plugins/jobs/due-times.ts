import type { Schedule } from '../ports.ts'

/** In UTC: hours and days of other zones begin elsewhere. */
const PERIODS_MS: Readonly<Record<Schedule, number>> = {
  runEveryMinute: 60_000,
  runEveryHour: 3_600_000,
  runEveryDay: 86_400_000,
}

export const SCHEDULES = ['runEveryMinute', 'runEveryHour', 'runEveryDay'] as const

/**
 * The slot that is due unless it was taken: the newest that has begun, a whole minute, hour or day.
 * Those before it that nobody took are older than a period, and are left out. Milliseconds since
 * 1970.
 */
export function slotAt(schedule: Schedule, nowMs: number): number {
  const periodMs = PERIODS_MS[schedule]
  return Math.floor(nowMs / periodMs) * periodMs
}
