/** Counts what ingestion drops, refuses and changes, in memory, so that ingestion never waits. */

import { WARNINGS_PER_PROJECT_MAX } from '../../core/limits/limits.ts'
import {
  type IngestionWarning,
  type Loss,
  type Losses,
  lossWarning,
  NO_PROJECT_ID,
} from './ingestion-warning.ts'
import type { OnWarned } from './warning-metrics.ts'
import type { WarningReason } from './warning-reasons.ts'

/** Projects whose warnings wait in a worker. */
export const WARNED_PROJECTS_MAX = 1_000
/** Warnings that wait in a process, and counts of them by project, reason and minute. */
export const WARNING_SAMPLES_MAX = 2_000
export const WARNING_COUNTS_MAX = 5_000
/** A warning that has waited for so long is counted without its sample. */
export const WARNING_SAMPLE_AGE_MAX_MS = 50_000

/** Warnings of one type about one subject since the last write: the newest, and how many. */
export type CountedWarning = { readonly warning: IngestionWarning; readonly count: number }

/** Events of one project and reason in one minute. */
export type ReasonCount = {
  readonly projectId: number
  readonly type: string
  /** How long ago the minute began; by the monotonic clock. */
  readonly ageMs: number
  readonly count: number
}

export type WarningsTaken = {
  readonly samples: readonly CountedWarning[]
  readonly counts: readonly ReasonCount[]
}

export type WarningCounts = {
  /** Each is one event. */
  add(warnings: readonly IngestionWarning[]): void
  /** Events without a sample. */
  count(projectId: number, reason: WarningReason, events: number): void
  /** Adds the losses of one request. */
  lose(projectId: number, losses: Losses): void
  /** Events of one project and reason, of which the first ones that name something are samples. */
  loseAll(projectId: number, losses: readonly Loss[]): void
  /**
   * Hands all counts to `write`, one call at a time. Counts of a failed call are kept for the next
   * one. They may have been written already, so counts are approximate.
   */
  flush(): Promise<void>
}

export type WarningCountsDeps = {
  readonly write: (taken: WarningsTaken) => Promise<void>
  readonly monotonic: () => number
  readonly onWarned?: OnWarned | undefined
}

const MINUTE_MS = 60_000
/** Samples kept of one request. */
const SAMPLES_PER_REQUEST_MAX = 20

/**
 * Counts in memory. Samples are bounded for each project and together; what is beyond is counted
 * alone. Counts are bounded too; what is beyond counts for no project.
 */
export function createWarningCounts({
  write,
  monotonic,
  onWarned,
}: WarningCountsDeps): WarningCounts {
  const samples = new WaitingSamples()
  const counts = new WaitingCounts()
  let flushing: Promise<void> = Promise.resolve()

  const count = (projectId: number, reason: WarningReason, events: number) => {
    counts.add(projectId, reason, Math.floor(monotonic() / MINUTE_MS), events)
    onWarned?.(reason, projectId, events)
  }
  const sample = (warning: IngestionWarning) => {
    const isKept = warning.projectId !== NO_PROJECT_ID && warning.subject !== ''
    if (isKept) samples.add(warning, 1, monotonic())
  }
  const writeAll = async () => {
    const now = monotonic()
    const waiting = { samples: samples.take(now), counts: counts.take(now) }
    if (waiting.samples.length === 0 && waiting.counts.length === 0) return
    try {
      await write({
        samples: waiting.samples.map(({ warning, count: of }) => ({ warning, count: of })),
        counts: waiting.counts.map((each) => ({
          projectId: each.projectId,
          type: each.type,
          count: each.count,
          ageMs: Math.max(0, now - each.minute * MINUTE_MS),
        })),
      })
    } catch (error) {
      for (const { warning, count: of, at } of waiting.samples) samples.add(warning, of, at)
      for (const { projectId, type, minute, count: of } of waiting.counts) {
        counts.add(projectId, type, minute, of)
      }
      throw error
    }
  }
  return {
    add(warnings) {
      for (const warning of warnings) {
        count(warning.projectId, warning.type, 1)
        sample(warning)
      }
    },
    count,
    lose(projectId, losses) {
      for (const [reason, events] of Object.entries(losses.counts)) {
        // The keys are those of the record.
        count(projectId, reason as WarningReason, events)
      }
      for (const loss of losses.samples) sample(lossWarning(projectId, loss))
    },
    loseAll(projectId, losses) {
      const [first] = losses
      if (first === undefined) return
      count(projectId, first.reason, losses.length)
      for (const loss of losses.slice(0, SAMPLES_PER_REQUEST_MAX)) {
        sample(lossWarning(projectId, loss))
      }
    },
    flush() {
      const flush = flushing.then(writeAll)
      flushing = flush.catch(() => {
        // The caller of that flush gets the failure.
      })
      return flush
    },
  }
}

type WaitingSample = CountedWarning & { readonly at: number }

class WaitingSamples {
  #projects = new Map<number, Map<string, WaitingSample>>()
  #size = 0

  add(warning: IngestionWarning, count: number, at: number): void {
    const { projectId, type, subject } = warning
    const waiting = this.#projects.get(projectId) ?? new Map<string, WaitingSample>()
    if (waiting.size === 0 && this.#projects.size >= WARNED_PROJECTS_MAX) return
    const key = `${type} ${subject}`
    const known = waiting.get(key)
    if (known === undefined) {
      if (waiting.size >= WARNINGS_PER_PROJECT_MAX || this.#size >= WARNING_SAMPLES_MAX) return
      this.#size += 1
    }
    if (waiting.size === 0) this.#projects.set(projectId, waiting)
    waiting.set(key, { warning, count: count + (known?.count ?? 0), at })
  }

  /** An older one may be of a person that was deleted since. */
  take(now: number): readonly WaitingSample[] {
    const taken = [...this.#projects.values()].flatMap((waiting) => [...waiting.values()])
    this.#projects = new Map()
    this.#size = 0
    return taken.filter(({ at }) => now - at <= WARNING_SAMPLE_AGE_MAX_MS)
  }
}

type WaitingCount = {
  readonly projectId: number
  readonly type: WarningReason
  /** Number of the minute on the monotonic clock. */
  readonly minute: number
  count: number
}

/** Only the last hour is shown. */
const MINUTES_KEPT = 60

class WaitingCounts {
  #counts = new Map<string, WaitingCount>()

  add(projectId: number, type: WarningReason, minute: number, events: number): void {
    const key = `${projectId} ${type} ${minute}`
    const known = this.#counts.get(key)
    if (known !== undefined) known.count += events
    else if (this.#counts.size < WARNING_COUNTS_MAX || projectId === NO_PROJECT_ID) {
      this.#counts.set(key, { projectId, type, minute, count: events })
    } else this.add(NO_PROJECT_ID, type, minute, events)
  }

  take(now: number): readonly WaitingCount[] {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES_KEPT
    const taken = [...this.#counts.values()].filter(({ minute }) => minute >= oldest)
    this.#counts = new Map()
    return taken
  }
}
