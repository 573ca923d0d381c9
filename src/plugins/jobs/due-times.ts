/** Due times of the scheduled tasks of plugins. */
import type { Schedule } from '../../project/plugin-ports.ts'

/** Periods in UTC. Hours and days of other time zones begin at other times. */
const PERIODS_MS: Readonly<Record<Schedule, number>> = {
  runEveryMinute: 60_000,
  runEveryHour: 3_600_000,
  runEveryDay: 86_400_000,
}

export const SCHEDULES = ['runEveryMinute', 'runEveryHour', 'runEveryDay'] as const

/**
 * The latest due time that has begun: a whole minute, hour or day, in milliseconds since 1970.
 * Earlier due times that no worker claimed are skipped.
 */
export function dueTimeAt(schedule: Schedule, nowMs: number): number {
  const periodMs = PERIODS_MS[schedule]
  return Math.floor(nowMs / periodMs) * periodMs
}
