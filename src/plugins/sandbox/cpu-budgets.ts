/**
 * The processor time that the sandboxes of each organization may use. One that has used it up waits
 * for its next call until it has time again, and nobody else waits.
 */
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_CPU_BURST_MS, PLUGIN_CPU_SHARE } from '../../core/limits/limits-plugins.ts'

type Budget = { leftMs: number; at: number }

export type CpuBudgetOptions = {
  /** Milliseconds of one second that an organization gets, as a share: 1 is one processor. */
  readonly share?: number
  /** What it may use at once after a rest, in milliseconds. */
  readonly burstMs?: number
}

export class CpuBudgets {
  readonly #clock: Clock
  readonly #share: number
  readonly #burstMs: number
  /** Of organizations that have not rested for long enough to have all of it. */
  readonly #budgets = new Map<string, Budget>()
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, options: CpuBudgetOptions = {}) {
    this.#clock = clock
    this.#share = options.share ?? PLUGIN_CPU_SHARE
    this.#burstMs = options.burstMs ?? PLUGIN_CPU_BURST_MS
  }

  /** Resolves when the organization has time left: it may owe what its calls took beyond. */
  async turn(organization: string): Promise<void> {
    for (;;) {
      const leftMs = this.#now(organization)?.leftMs ?? this.#burstMs
      if (leftMs > 0 || this.#isClosed) return
      await this.#wait(Math.ceil(-leftMs / this.#share) + 1)
    }
  }

  /** @param ms that sandboxes of the organization have computed. */
  spend(organization: string, ms: number): void {
    if (ms <= 0) return
    const budget = this.#now(organization) ?? {
      leftMs: this.#burstMs,
      at: this.#clock.monotonic(),
    }
    budget.leftMs -= ms
    this.#budgets.set(organization, budget)
  }

  /** Calls that wait go on: their threads are about to end. */
  close(): void {
    this.#isClosed = true
    for (const goOn of this.#waiting) goOn()
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        cancel()
        this.#waiting.delete(goOn)
        resolve()
      }
      const cancel = this.#clock.after(ms, goOn)
      this.#waiting.add(goOn)
    })
  }

  #now(organization: string): Budget | undefined {
    const budget = this.#budgets.get(organization)
    if (budget === undefined) return undefined
    const at = this.#clock.monotonic()
    budget.leftMs += (at - budget.at) * this.#share
    budget.at = at
    if (budget.leftMs < this.#burstMs) return budget
    this.#budgets.delete(organization)
    return undefined
  }
}
