/** Reads times in ISO 8601, to the microsecond. */

import {
  DAY_MS,
  daysInMonth,
  daysOf,
  type Instant,
  isInYears0To9999,
  isLeapYear,
} from './instant.ts'

const TEXT_LENGTH_MAX = 64
const DASH = 45
const COLON = 58

/**
 * Reads ISO 8601: calendar, week and ordinal dates, alone or followed by `T` or a space and a time
 * of day with or without fraction and zone. No zone means UTC: JavaScript's Date would take the
 * machine's zone for it, and would keep milliseconds only. Digits beyond the microsecond are cut.
 */
export function parseIsoTime(text: string): Instant | undefined {
  if (text.length < 7 || text.length > TEXT_LENGTH_MAX) return undefined
  const split = dateEnd(text)
  const days = parseDate(text, split)
  if (Number.isNaN(days)) return undefined
  if (split === text.length) return { ms: days * DAY_MS, us: 0 }
  return parseTimeOfDay(text, split + 1, days * DAY_MS)
}

/** Index of the separator between date and time, or of the end of the text. */
function dateEnd(text: string): number {
  if (text.length === 10 || isSeparator(text.charCodeAt(10))) return 10
  for (let at = 7; at < text.length; at++) {
    if (isSeparator(text.charCodeAt(at))) return at
  }
  return text.length
}

function isSeparator(unit: number): boolean {
  return unit === 84 || unit === 32 || unit === 116 // T, space, t.
}

/** Days since the epoch; NaN when the text before `end` is no date. */
function parseDate(text: string, end: number): number {
  const year = digits(text, 0, 4)
  if (text.charCodeAt(4) !== DASH) return parseBasicDate(text, year, end)
  if (end === 10 && text.charCodeAt(7) === DASH) {
    return calendarDays(year, digits(text, 5, 2), digits(text, 8, 2))
  }
  if (text[5] === 'W') return parseWeekDate(text, year, end)
  if (end === 8) return ordinalDays(year, digits(text, 5, 3))
  if (end === 7) return calendarDays(year, digits(text, 5, 2), 1)
  return Number.NaN
}

/** `YYYYMMDD`, with a time only: alone it could as well be a number. */
function parseBasicDate(text: string, year: number, end: number): number {
  if (end !== 8 || text.length === end) return Number.NaN
  return calendarDays(year, digits(text, 4, 2), digits(text, 6, 2))
}

/** `YYYY-Www` or `YYYY-Www-D`. */
function parseWeekDate(text: string, year: number, end: number): number {
  if (end !== 8 && !(end === 10 && text.charCodeAt(8) === DASH)) return Number.NaN
  const week = digits(text, 6, 2)
  const day = end === 8 ? 1 : digits(text, 9, 1)
  const inRange = year >= 0 && week >= 1 && week <= weeksIn(year) && day >= 1 && day <= 7
  return inRange ? firstMonday(year) + (week - 1) * 7 + day - 1 : Number.NaN
}

/** Monday of week 1, which is the week of January 4. */
function firstMonday(year: number): number {
  const fourth = daysOf(year, 1, 4)
  return fourth - weekdayOf(fourth)
}

function weeksIn(year: number): number {
  return (firstMonday(year + 1) - firstMonday(year)) / 7
}

/** 0 is Monday; the epoch was a Thursday. */
function weekdayOf(days: number): number {
  return (((days + 3) % 7) + 7) % 7
}

function ordinalDays(year: number, day: number): number {
  if (year < 0 || day < 1 || day > (isLeapYear(year) ? 366 : 365)) return Number.NaN
  return daysOf(year, 1, 1) + day - 1
}

function calendarDays(year: number, month: number, day: number): number {
  if (year < 0 || day < 1 || day > daysInMonth(year, month)) return Number.NaN
  return daysOf(year, month, day)
}

/** `HH:MM`, `HH:MM:SS`, `HHMM` or `HHMMSS`, a fraction of 1 to 9 digits after seconds, a zone. */
function parseTimeOfDay(text: string, start: number, dayMs: number): Instant | undefined {
  const hour = digits(text, start, 2)
  const step = text.charCodeAt(start + 2) === COLON ? 1 : 0
  const minute = digits(text, start + 2 + step, 2)
  let at = start + 4 + step
  let second = 0
  let fractionUs = 0
  if (step === 1 ? text.charCodeAt(at) === COLON : isDigit(text.charCodeAt(at))) {
    second = digits(text, at + step, 2)
    at += step + 2
    const mark = text.charCodeAt(at)
    if (mark === 46 || mark === 44) {
      const end = digitsEnd(text, at + 1)
      if (end === at + 1 || end > at + 10) return undefined
      fractionUs = microseconds(text, at + 1, end)
      at = end
    }
  }
  const isMidnight = hour === 24 && minute === 0 && second === 0 && fractionUs === 0
  if (hour < 0 || minute < 0 || second < 0) return undefined
  if ((hour > 23 && !isMidnight) || minute > 59 || second > 59) return undefined
  const zoneMinutes = parseZone(text, at)
  if (Number.isNaN(zoneMinutes)) return undefined
  const seconds = (hour * 60 + minute - zoneMinutes) * 60 + second
  const us = fractionUs % 1_000
  const ms = dayMs + seconds * 1_000 + (fractionUs - us) / 1_000
  return isInYears0To9999(ms) ? { ms, us } : undefined
}

/** Minutes east of UTC of `Z`, `+HH`, `+HHMM`, `+HH:MM` or nothing; NaN when it is none of them. */
function parseZone(text: string, start: number): number {
  const at = text.charCodeAt(start) === 32 ? start + 1 : start
  const rest = text.length - at
  if (rest === 0) return at === start ? 0 : Number.NaN
  const sign = text.charCodeAt(at)
  if (rest === 1) return sign === 90 || sign === 122 ? 0 : Number.NaN
  if (sign !== 43 && sign !== DASH) return Number.NaN
  const colon = text.charCodeAt(at + 3) === COLON ? 1 : 0
  if (rest !== 3 && rest !== 5 + colon) return Number.NaN
  const hours = digits(text, at + 1, 2)
  const minutes = rest === 3 ? 0 : digits(text, at + 3 + colon, 2)
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes)
}

function microseconds(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < start + 6; at++) {
    value = value * 10 + (at < end ? text.charCodeAt(at) - 48 : 0)
  }
  return value
}

function digitsEnd(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** The number that `count` digits from `start` spell, or -1 when one of them is no digit. */
function digits(text: string, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) {
    const unit = text.charCodeAt(at)
    if (!isDigit(unit)) return -1
    value = value * 10 + unit - 48
  }
  return value
}

/** False for NaN, which `charCodeAt` answers beyond the end. */
function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}
