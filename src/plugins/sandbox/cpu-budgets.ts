/**
 * Processor time of the sandboxes of each organization. An organization that has used it up waits
 * before its next call until it has time again; others do not wait.
 */

import type { Clock } from '../../core/clock.ts'
import { type Budgets, createBudgets } from '../../core/limits/budgets.ts'

/** CPU budget of an organization's sandboxes in a worker: processors, and burst in ms. */
const PLUGIN_CPU_SHARE = 1
const PLUGIN_CPU_BURST_MS = 30_000

export type CpuBudgetOptions = {
  /** Milliseconds of one second that an organization gets, as a share: 1 is one processor. */
  readonly share?: number
  /** Burst after a rest, in milliseconds. */
  readonly burstMs?: number
}

export class CpuBudgets {
  readonly #clock: Clock
  readonly #budgets: Budgets<string>
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock, options: CpuBudgetOptions = {}) {
    this.#clock = clock
    const { share = PLUGIN_CPU_SHARE, burstMs = PLUGIN_CPU_BURST_MS } = options
    this.#budgets = createBudgets(clock, { perMs: share, burst: burstMs })
  }

  /** Resolves when the organization has time left: its calls may have put it into debt. */
  async turn(organization: string): Promise<void> {
    for (;;) {
      const waitMs = this.#budgets.waitMs(organization)
      if (waitMs === 0 || this.#isClosed) return
      await this.#wait(waitMs)
    }
  }

  /** @param ms that sandboxes of the organization have computed. */
  spend(organization: string, ms: number): void {
    this.#budgets.spend(organization, ms)
  }

  /** Releases waiting calls: their threads are about to end. */
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
}
