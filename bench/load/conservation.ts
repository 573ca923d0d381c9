/** The conservation check: every accepted event is stored, once. */
import type { Clock } from '../../src/core/clock.ts'
import type { Counts } from './tally.ts'

/** The figures that a run's events must add up to, in events and not in requests. */
export type Conservation = {
  readonly sent: number
  readonly accepted: number
  /** Refused by the server for good (4xx) or for now (503): never acknowledged. */
  readonly rejected: number
  /** Timeouts, broken connections, unreadable answers: may or may not be stored. */
  readonly unknown: number
  /** Undefined when the bench could not read it. */
  readonly stored: number | undefined
  readonly verdict: 'holds' | 'broken' | 'not checked'
  readonly detail: string
}

/**
 * Compares the counts. Accepted events must all be stored. More may be stored: those of requests
 * whose answer was lost, and those of a 5xx. Events of a 4xx must not be stored.
 */
export function conservationOf(
  counts: Counts,
  eventsPerRequest: number,
  stored: number | undefined,
): Conservation {
  const events = (requests: number) => requests * eventsPerRequest
  const sent = events(counts.sent)
  const accepted = events(counts.accepted)
  const rejected = events(counts.refused + counts.shed + counts.failed)
  const unknown = events(counts.timeout + counts.reset + counts.protocol + counts.invalid)
  const mayBeStored = unknown + events(counts.shed + counts.failed)
  const figures = { sent, accepted, rejected, unknown, stored }
  if (sent !== accepted + rejected + unknown) {
    const parts = `accepted ${accepted} + rejected ${rejected} + unknown ${unknown}`
    const detail = `sent ${sent} is not ${parts}`
    return { ...figures, verdict: 'broken', detail }
  }
  if (stored === undefined) {
    return { ...figures, verdict: 'not checked', detail: 'no way given to read events back' }
  }
  if (stored < accepted) {
    return { ...figures, verdict: 'broken', detail: `${accepted - stored} accepted events lost` }
  }
  const surplus = stored - accepted
  if (surplus > mayBeStored) {
    const detail = `${surplus - mayBeStored} events stored more than were sent`
    return { ...figures, verdict: 'broken', detail }
  }
  const detail = surplus === 0 ? 'every accepted event, once' : `${surplus} unacknowledged stored`
  return { ...figures, verdict: 'holds', detail }
}

/** Resolves with the number of stored events of this bench. */
export type ReadBack = () => Promise<number>

const POLL_MS = 500
/**
 * The count must be stable for this long, because unacknowledged events may still be on their way.
 */
const STABLE_MS = 2_000

/**
 * Polls until the count is stable at `accepted` or above, or `deadlineMs` has passed: a spill may
 * need time to drain. Answers the last count. Errors are repeated until the deadline.
 * @throws the last error when no count was ever read.
 */
export async function settledCount(
  deps: { clock: Clock; readBack: ReadBack },
  options: { accepted: number; deadlineMs: number },
): Promise<number> {
  const { clock, readBack } = deps
  const giveUpAt = clock.monotonic() + options.deadlineMs
  let count: number | undefined
  let since = clock.monotonic()
  let problem: unknown
  for (;;) {
    try {
      const next = await readBack()
      if (next !== count) since = clock.monotonic()
      count = next
    } catch (error) {
      problem = error
    }
    const now = clock.monotonic()
    const settled = count !== undefined && count >= options.accepted && now - since >= STABLE_MS
    if (count !== undefined && (settled || now >= giveUpAt)) return count
    if (now >= giveUpAt) throw problem
    await clock.sleep(POLL_MS)
  }
}
