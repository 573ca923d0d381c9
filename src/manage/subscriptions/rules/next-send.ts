/** Times at which a subscription is sent, on the clock of its project. */
import { isDeepStrictEqual } from 'node:util'
import type { Zone } from '../../../core/time/zone.ts'
import type { SubscriptionFields } from '../../../store/subscriptions/subscription-store.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Days among which there is one of each month, and a later time of today. */
const DAYS_LOOKED_AT = 63

export type Schedule = Pick<
  SubscriptionFields,
  'frequency' | 'dayOfWeek' | 'dayOfMonth' | 'timeOfDay'
>

/**
 * The first time after `nowMs`. A time that clocks skip is the moment of their change, one that they
 * show twice is the first of both.
 */
export function nextSendMs(nowMs: number, schedule: Schedule, zone: Zone): number {
  const today = Math.floor(zone.wallAt(nowMs) / DAY_MS)
  for (let day = today; day < today + DAYS_LOOKED_AT; day++) {
    if (!isOn(day, schedule)) continue
    const instant = zone.instantOf(day * DAY_MS + minutesOf(schedule.timeOfDay) * MINUTE_MS)
    if (instant > nowMs) return instant
  }
  throw new Error('every schedule has a day within two months')
}

type Planned = Schedule & Pick<SubscriptionFields, 'enabled'>

/**
 * The time after a change. One that has come stays unless the schedule is another: the change ends
 * the turn that would have sent it.
 * @param before with the time that it had.
 */
export function nextAfterChange(
  nowMs: number,
  before: Planned & { readonly nextSendAt: string },
  after: Planned,
  zone: Zone,
): number {
  const dueMs = Date.parse(before.nextSendAt)
  const isDue = before.enabled && dueMs <= nowMs && isDeepStrictEqual(daysOf(before), daysOf(after))
  return isDue ? dueMs : nextSendMs(nowMs, after, zone)
}

function daysOf({ frequency, dayOfWeek, dayOfMonth, timeOfDay }: Schedule): Schedule {
  return { frequency, dayOfWeek, dayOfMonth, timeOfDay }
}

/** @param day since 1970, a Thursday. */
function isOn(day: number, { frequency, dayOfWeek, dayOfMonth }: Schedule): boolean {
  if (frequency === 'daily') return true
  if (frequency === 'weekly') return ((((day + 3) % 7) + 7) % 7) + 1 === dayOfWeek
  const date = new Date(day * DAY_MS)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(dayOfMonth, last)
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Whether a text is a time of a day: `09:30`. */
export function isTime(text: string): boolean {
  return TIME.test(text)
}

function minutesOf(time: string): number {
  const [, hours = 0, minutes = 0] = TIME.exec(time) ?? []
  return Number(hours) * 60 + Number(minutes)
}
