/**
 * Events are unique by project, UTC day and uuid. A client that sends an event again may move its
 * time: our clock has gone on, and the time of sending in the body has not. Across midnight the day
 * is then another one, so an event near midnight is looked for on the other side of it as well.
 */

/** Longest time that a library retries, plus an allowance for its clock. */
export const NEAR_MIDNIGHT_HOURS = 2

const DAY_MS = 86_400_000
const HOUR_AT = 11

/**
 * The midnight that a time (`YYYY-MM-DDTHH:…Z`) is near, as the milliseconds of its instant: the
 * same for times before and after it. Undefined for times that are not near any.
 */
export function midnightNear(timestamp: string): number | undefined {
  const hour = Number(timestamp.slice(HOUR_AT, HOUR_AT + 2))
  if (hour < NEAR_MIDNIGHT_HOURS) return Date.parse(timestamp.slice(0, HOUR_AT - 1))
  if (hour < 24 - NEAR_MIDNIGHT_HOURS) return undefined
  return Date.parse(timestamp.slice(0, HOUR_AT - 1)) + DAY_MS
}
