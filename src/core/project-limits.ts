/**
 * How much each project may capture and decide at one process: a rate with a burst, and a number of
 * events a day. Off unless the operator sets it. Each process counts for itself and in memory: a
 * count of the whole cluster would cost a call for each request, and a gateway keeps nothing.
 */

import { createBoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Projects whose rates and counts of the day one process remembers. */
const LIMITED_PROJECTS_MAX = 50_000
/** Largest debt of a project, in seconds of its rate, however large one request was. */
export const LIMIT_DEBT_S = 60

export type Rate = {
  readonly perS: number
  /** Amount at once after a quiet time. */
  readonly burst: number
}

export type ProjectLimitSettings = {
  /** Events. */
  readonly captureRate: Rate | undefined
  /** Events of one project in one day of UTC. */
  readonly capturePerDay: number | undefined
  /** Requests. */
  readonly decideRate: Rate | undefined
  /** Projects that nothing limits. */
  readonly unlimited: readonly number[]
}

export type LimitedWork = 'capture' | 'decide'
export type Limited = {
  readonly reason: 'rate' | 'quota'
  /** Whole seconds, at least 1. */
  readonly retryAfterS: number
}

/** The events of one project. */
export type CaptureAccount = {
  /** Checked before a request is worked on; undefined when it is within the limits. */
  refusal(): Limited | undefined
  /** Counts the events of a request that was admitted. */
  charge(events: number): void
}

export type ProjectLimits = {
  /** Undefined for a project without limits. One look-up of a bounded map. */
  capture(project: number): CaptureAccount | undefined
  /** Counts one request; undefined when it is within the limits. One look-up of a bounded map. */
  decide(project: number): Limited | undefined
}

type Tell = (limited: Limited | undefined) => Limited | undefined

const DAY_MS = 86_400_000

/** The limits of a process, which its gateway and its worker share; refusals are counted. */
export function processLimits(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  settings: ProjectLimitSettings,
  metrics: Pick<Metrics, 'counters'>,
): ProjectLimits | undefined {
  const limited = metrics.counters(
    'sluice_requests_limited_total',
    'Requests refused because of what their project may ask for.',
    ['work', 'reason'],
  )
  return createProjectLimits(clock, settings, (work, reason) => limited.labels(work, reason).inc())
}

/** @returns undefined when nothing is limited: callers then do nothing at all. */
export function createProjectLimits(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  settings: ProjectLimitSettings,
  onLimited: (work: LimitedWork, reason: Limited['reason']) => void,
): ProjectLimits | undefined {
  const { captureRate, capturePerDay, decideRate } = settings
  if (captureRate === undefined && capturePerDay === undefined && decideRate === undefined) {
    return undefined
  }
  const unlimited = new Set(settings.unlimited)
  const accounts = createBoundedMap<number, Account>({ entriesMax: LIMITED_PROJECTS_MAX })
  const buckets = createBoundedMap<number, Bucket>({ entriesMax: LIMITED_PROJECTS_MAX })
  const told = (work: LimitedWork, limited: Limited | undefined) => {
    if (limited !== undefined) onLimited(work, limited.reason)
    return limited
  }
  return {
    capture(project) {
      const isLimited = captureRate !== undefined || capturePerDay !== undefined
      if (!isLimited || unlimited.has(project)) return undefined
      let account = accounts.get(project)
      if (account === undefined) {
        account = new Account(clock, settings, (limited) => told('capture', limited))
        accounts.set(project, account)
      }
      return account
    },
    decide(project) {
      if (decideRate === undefined || unlimited.has(project)) return undefined
      let bucket = buckets.get(project)
      if (bucket === undefined) {
        bucket = new Bucket(clock, decideRate)
        buckets.set(project, bucket)
      }
      const limited = bucket.refusal()
      if (limited === undefined) bucket.charge(1)
      return told('decide', limited)
    },
  }
}

/**
 * Token bucket that fills by `perS` a second up to `burst`. A request is admitted while one token
 * is left. It may take more than that, or a batch above the burst could never be sent; its debt is
 * bounded, so that one body cannot lock a project for hours.
 */
class Bucket {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #rate: Rate
  #left: number
  /** Monotonic milliseconds of the last filling. */
  #filledAt: number

  constructor(clock: Pick<Clock, 'monotonic'>, rate: Rate) {
    this.#clock = clock
    this.#rate = rate
    this.#left = rate.burst
    this.#filledAt = clock.monotonic()
  }

  refusal(): Limited | undefined {
    const { perS, burst } = this.#rate
    const now = this.#clock.monotonic()
    this.#left = Math.min(burst, this.#left + ((now - this.#filledAt) / 1_000) * perS)
    this.#filledAt = now
    if (this.#left >= 1) return undefined
    return { reason: 'rate', retryAfterS: Math.max(1, Math.ceil((1 - this.#left) / perS)) }
  }

  charge(count: number): void {
    this.#left = Math.max(this.#left - count, -LIMIT_DEBT_S * this.#rate.perS)
  }
}

class Account implements CaptureAccount {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  readonly #tell: Tell
  readonly #bucket: Bucket | undefined
  readonly #perDay: number
  #day = 0
  #events = 0

  constructor(
    clock: Pick<Clock, 'now' | 'monotonic'>,
    { captureRate, capturePerDay }: ProjectLimitSettings,
    tell: Tell,
  ) {
    this.#clock = clock
    this.#tell = tell
    this.#bucket = captureRate === undefined ? undefined : new Bucket(clock, captureRate)
    this.#perDay = capturePerDay ?? Number.POSITIVE_INFINITY
  }

  refusal(): Limited | undefined {
    return this.#tell(this.#overQuota() ?? this.#bucket?.refusal())
  }

  #overQuota(): Limited | undefined {
    const now = this.#clock.now()
    const day = Math.floor(now / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#events = 0
    }
    if (this.#events < this.#perDay) return undefined
    return {
      reason: 'quota',
      retryAfterS: Math.max(1, Math.ceil(((day + 1) * DAY_MS - now) / 1_000)),
    }
  }

  charge(events: number): void {
    this.#events += events
    this.#bucket?.charge(events)
  }
}
