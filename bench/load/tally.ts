/** The counts and latencies of the requests of one phase. */
import { build, type Histogram } from 'hdr-histogram-js'

/** Reason why a request got no answer. It is unknown whether the server acted on it. */
export type LossKind = 'timeout' | 'reset' | 'protocol'

/** Microseconds; slower answers are recorded as this. */
const LATENCY_MAX_US = 60_000_000

/** Kind of an answer. */
export type AnswerKind =
  /** 2xx with the expected body: the server took every event of the request. */
  | 'accepted'
  /** 503: the server is full, and the request may be repeated. */
  | 'shed'
  /** Other 4xx: nothing was stored. */
  | 'refused'
  /** Other 5xx: it may have been stored. */
  | 'failed'
  /** 2xx with another body, or a status below 200 or of 3xx. */
  | 'invalid'

/** Requests by outcome; sent = the sum of the others once none is in flight. */
export type Counts = Record<AnswerKind | LossKind | 'sent', number>

export function emptyCounts(): Counts {
  return {
    sent: 0,
    accepted: 0,
    shed: 0,
    refused: 0,
    failed: 0,
    invalid: 0,
    timeout: 0,
    reset: 0,
    protocol: 0,
  }
}

/** @param factor events in each request, where `total` counts events. */
export function addCounts(total: Counts, more: Counts, factor = 1): void {
  for (const key of COUNT_KEYS) total[key] += more[key] * factor
}

const COUNT_KEYS: readonly (keyof Counts)[] = [
  'sent',
  'accepted',
  'shed',
  'refused',
  'failed',
  'invalid',
  'timeout',
  'reset',
  'protocol',
]

/**
 * The figures of one phase. Latencies include accepted answers, and time-outs with the length of
 * the time-out. Refusals are fast and would improve the percentiles, so they are left out.
 */
export type Tally = {
  readonly counts: Counts
  readonly statuses: Map<number, number>
  /** Microseconds from the moment a request was sent. */
  readonly service: Histogram
  /** Microseconds from the intended moment of sending. */
  readonly response: Histogram
  /** Microseconds from the moment a request was sent to its 503. */
  readonly shed: Histogram
  /** Accepted answers that arrived during the phase. The rate is computed from these. */
  acceptedInPhase: number
  connectFailures: number
  /** Answers of 503 without `Retry-After`. */
  shedWithoutRetryAfter: number
  /** One tally for each kind of request of a mix; otherwise empty. */
  readonly kinds: readonly Tally[]
}

/** @param kinds the number of kinds of requests in the mix. */
export function createTally(kinds = 0): Tally {
  return {
    counts: emptyCounts(),
    statuses: new Map(),
    service: latencyHistogram(),
    response: latencyHistogram(),
    shed: latencyHistogram(),
    acceptedInPhase: 0,
    connectFailures: 0,
    shedWithoutRetryAfter: 0,
    kinds: Array.from({ length: kinds }, () => createTally()),
  }
}

// On the hot path: each writes into the tally of the phase and that of the kind.

export function countSent(tally: Tally, kind: number): void {
  tally.counts.sent++
  const part = tally.kinds[kind]
  if (part !== undefined) part.counts.sent++
}

export function countOutcome(tally: Tally, kind: number, outcome: AnswerKind | LossKind): void {
  tally.counts[outcome]++
  const part = tally.kinds[kind]
  if (part !== undefined) part.counts[outcome]++
}

export function countInPhase(tally: Tally, kind: number): void {
  tally.acceptedInPhase++
  const part = tally.kinds[kind]
  if (part !== undefined) part.acceptedInPhase++
}

export function recordLatency(
  tally: Tally,
  kind: number,
  serviceMs: number,
  responseMs: number,
): void {
  recordMs(tally.service, serviceMs)
  recordMs(tally.response, responseMs)
  const part = tally.kinds[kind]
  if (part === undefined) return
  recordMs(part.service, serviceMs)
  recordMs(part.response, responseMs)
}

/** Three significant digits from 1 microsecond to a minute. */
export function latencyHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: LATENCY_MAX_US,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })
}

export function recordMs(histogram: Histogram, ms: number): void {
  const us = Math.round(ms * 1000)
  histogram.recordValue(Math.min(Math.max(us, 1), LATENCY_MAX_US))
}
