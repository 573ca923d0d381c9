/** Figures of a run second by second. */
import type { Histogram } from 'hdr-histogram-js'
import type { LossKind } from '../tally.ts'
import { type AnswerKind, latencyHistogram, recordMs } from '../tally.ts'

/** One second of a plateau. The last one of a run may be shorter. */
export type Second = {
  /** From 1. */
  readonly second: number
  /** Requests that left during it. */
  readonly sent: number
  /** Answers and losses that arrived during it, whenever their requests were sent. */
  readonly accepted: number
  readonly errors: number
  readonly shed: number
  /** Milliseconds of what arrived; undefined when nothing did. */
  readonly p50: number | undefined
  readonly p99: number | undefined
}

const SECOND_MS = 1000

/**
 * Splits a plateau into seconds while it runs. It gets every `now`, which never decreases. One
 * histogram serves all seconds, so a run of a day takes one row a second and nothing else.
 */
export class TimeSeries {
  readonly #startedAt: number
  readonly #rowsMax: number
  readonly #rows: Second[] = []
  readonly #latency: Histogram = latencyHistogram()
  #endsAt: number
  #sent = 0
  #accepted = 0
  #errors = 0
  #shed = 0

  /**
   * @param durationMs the planned duration; what arrives a little later belongs to the last second.
   */
  constructor(options: { startedAt: number; durationMs: number }) {
    this.#startedAt = options.startedAt
    this.#rowsMax = Math.max(1, Math.ceil(options.durationMs / SECOND_MS))
    this.#endsAt = options.startedAt + SECOND_MS
  }

  sent(now: number): void {
    this.#advance(now)
    this.#sent++
  }

  outcome(now: number, kind: AnswerKind | LossKind): void {
    this.#advance(now)
    if (kind === 'accepted') this.#accepted++
    else if (kind === 'shed') this.#shed++
    else this.#errors++
  }

  latency(now: number, ms: number): void {
    this.#advance(now)
    recordMs(this.#latency, ms)
  }

  /** The rows up to `now`, empty seconds included. Nothing may be recorded afterwards. */
  finish(now: number): readonly Second[] {
    this.#advance(now)
    const covered = this.#startedAt + this.#rows.length * SECOND_MS
    if (now > covered || this.#rows.length === 0) this.#close()
    return this.#rows
  }

  #advance(now: number): void {
    while (now >= this.#endsAt && this.#rows.length + 1 < this.#rowsMax) {
      this.#close()
      this.#endsAt += SECOND_MS
    }
  }

  #close(): void {
    const empty = this.#latency.totalCount === 0
    const at = (percentile: number) =>
      empty ? undefined : this.#latency.getValueAtPercentile(percentile) / 1000
    this.#rows.push({
      second: this.#rows.length + 1,
      sent: this.#sent,
      accepted: this.#accepted,
      errors: this.#errors,
      shed: this.#shed,
      p50: at(50),
      p99: at(99),
    })
    this.#sent = this.#accepted = this.#errors = this.#shed = 0
    if (!empty) this.#latency.reset()
  }
}
