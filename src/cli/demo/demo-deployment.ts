/** Moments of the deployment of the demo that goes wrong. */

export type Deployment = { readonly beginMs: number; readonly endMs: number }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Hour of UTC of the deployment, and hours until it is taken back. */
const BEGINS = 7
const LASTS = 12

/** The deployment of the day before, which an alert sees at once. */
export function deploymentBefore(untilMs: number): Deployment {
  const todayMs = Math.floor((untilMs - 1) / DAY_MS) * DAY_MS
  return deploymentAt(todayMs - DAY_MS + BEGINS * HOUR_MS)
}

export function deploymentAt(beginMs: number): Deployment {
  return { beginMs, endMs: beginMs + LASTS * HOUR_MS }
}

/** Whether the shop is broken at a moment, or at some time before `toMs`. */
export function isBroken({ beginMs, endMs }: Deployment, atMs: number, toMs = atMs + 1): boolean {
  return atMs < endMs && beginMs < toMs
}
