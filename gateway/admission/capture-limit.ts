/**
 * How many captures a gateway holds: as many as are worth holding. Fewer wait for less, until the
 * workers have too little to do; then the rate of answers falls with them. Which of both it is
 * cannot be seen from a wait alone, since a store may take long by itself: so it is tried.
 *
 *   calm -> (captures have waited for longer than `LATE_MS` on average) -> late
 *   late -> (a second without a refusal) -> calm
 *
 * `calm`: as many as were answered in the last second, `BURST_MIN` at least. `late`: a smaller
 * bound is tried, what is answered in `HOLD_MS`. When the rate falls with it, the bound before it
 * is taken again, then larger ones are tried for as long as the rate rises.
 */

/** A mean wait beyond which captures come faster than they are stored, in milliseconds. */
const LATE_MS = 500
/** The smallest bound is what is answered in so many milliseconds, and `HOLD_MIN` at least. */
const HOLD_MS = 400
const HOLD_MIN = 64
/** Captures that are taken in a burst whatever the rate was before. */
export const BURST_MIN = 1_000
/** After so long without a refusal it is calm again, in milliseconds. */
const CALM_MS = 1_000
/** A bound is judged by the last second, after what was taken before it is answered. */
const TRIAL_MS = 1_000
const LARGER = 1.5
/** A smaller bound has failed when the rate fell so far, a larger one when it rose no further. */
const FELL = 0.85
const ROSE = 1.15
/** Until a smaller bound is tried again, in milliseconds; doubles with each failure in a row. */
const PATIENCE_MS = 5_000
const PATIENCE_MAX_MS = 60_000

/** Answers of the last second, and their mean wait in the last window with an answer. */
export type Answered = { readonly perSecond: number; readonly meanWaitMs: number }

type Trial = { readonly before: number; readonly perSecond: number; readonly isLarger: boolean }

export class CaptureLimit {
  #isLate = false
  #late = BURST_MIN
  #refusedAt = Number.NEGATIVE_INFINITY
  #judgedAt = 0
  #trial: Trial | undefined
  #triesLarger = false
  #patientUntil = Number.NEGATIVE_INFINITY
  #patienceMs = PATIENCE_MS

  get isLate(): boolean {
    return this.#isLate
  }

  /** @param now monotonic milliseconds. */
  refused(now: number): void {
    this.#refusedAt = now
  }

  value(now: number, answered: Answered): number {
    const { perSecond, meanWaitMs } = answered
    const usual = Math.max(BURST_MIN, perSecond)
    if (!this.#isLate && meanWaitMs > LATE_MS) this.#begin(now, usual, answered)
    else if (meanWaitMs <= LATE_MS && now - this.#refusedAt > CALM_MS) this.#isLate = false
    if (!this.#isLate) return usual
    if (now - this.#judgedAt >= TRIAL_MS + 2 * meanWaitMs) this.#judge(now, answered)
    return this.#late
  }

  #begin(now: number, usual: number, answered: Answered): void {
    this.#isLate = true
    this.#late = usual
    this.#trial = undefined
    this.#judge(now, answered)
  }

  #judge(now: number, { perSecond, meanWaitMs }: Answered): void {
    this.#judgedAt = now
    const trial = this.#trial
    this.#trial = undefined
    if (trial !== undefined && this.#hasFailed(trial, perSecond)) {
      this.#late = trial.before
      this.#triesLarger = !trial.isLarger
      if (!trial.isLarger) this.#wait(now)
      return
    }
    if (trial?.isLarger === false) this.#patienceMs = PATIENCE_MS
    const least = Math.max(HOLD_MIN, (perSecond * HOLD_MS) / 1_000)
    this.#late = Math.max(this.#late, least)
    if (this.#triesLarger) this.#try(this.#late * LARGER, perSecond)
    else if (meanWaitMs > LATE_MS && now >= this.#patientUntil && this.#late > least)
      this.#try(least, perSecond)
  }

  #hasFailed({ perSecond: before, isLarger }: Trial, perSecond: number): boolean {
    return perSecond < before * (isLarger ? ROSE : FELL)
  }

  #try(bound: number, perSecond: number): void {
    this.#trial = { before: this.#late, perSecond, isLarger: bound > this.#late }
    this.#late = bound
  }

  #wait(now: number): void {
    this.#patientUntil = now + this.#patienceMs
    this.#patienceMs = Math.min(2 * this.#patienceMs, PATIENCE_MAX_MS)
  }
}
