/**
 * A moment in UTC. Microseconds since the epoch do not fit a double before the year 1685, so the
 * three digits beyond the millisecond are kept apart.
 */
export type Instant = {
  /** Whole milliseconds since the epoch. */
  readonly ms: number
  /** 0 to 999 microseconds after `ms`. */
  readonly us: number
}

export const DAY_MS = 86_400_000
/** 0000-01-01 and the end of 9999-12-31, milliseconds. */
const MS_MIN = -62_167_219_200_000
const MS_END = 253_402_300_800_000

/** False for what the form of `formatInstant` cannot hold. */
export function isInYears0To9999(ms: number): boolean {
  return ms >= MS_MIN && ms < MS_END
}

/** The last instant that was written: events that arrive together mostly share it. */
let written = { ms: 0, text: '1970-01-01T00:00:00.000' }

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. `ms` must be a whole number within the years 0000 to 9999. */
export function formatInstant(ms: number, us: number): string {
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString().slice(0, 23) }
  const { text } = written
  if (us === 0) return `${text}000Z`
  return `${text}${us < 10 ? '00' : us < 100 ? '0' : ''}${us}Z`
}

/** An instant from fractional milliseconds, as numbers in JSON give them. */
export function instantOfMs(ms: number): Instant | undefined {
  if (!isInYears0To9999(ms)) return undefined
  const whole = Math.floor(ms)
  const us = Math.round((ms - whole) * 1_000)
  return us === 1_000 ? { ms: whole + 1, us: 0 } : { ms: whole, us }
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar; `month` 1 to 12. */
export function daysOf(year: number, month: number, day: number): number {
  // Counts from March, so that the leap day is the last day of its year.
  const y = month > 2 ? year : year - 1
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}
