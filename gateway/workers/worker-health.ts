import type { Clock } from '../../src/core/clock.ts'
import { SUSPECT_SILENCE_MS } from '../../src/core/limits/limits.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'

/** Whether a worker is likely to answer. A suspect one is asked last. */
export type WorkerHealth = {
  /** True when its stream is silent, or a call to it got no answer and it was not heard since. */
  suspect(): boolean
  silent(): boolean
  /**
   * Notes a failed call. Only a missing answer counts: an error that the worker sends is an answer.
   */
  failed(error: unknown): void
}

/** @param silentMs since the worker was heard on its stream: see `GatewayChangeFeed`. */
export function createWorkerHealth(clock: Clock, silentMs: () => number): WorkerHealth {
  let failedAt = Number.NEGATIVE_INFINITY
  return {
    suspect() {
      const silence = silentMs()
      return silence > SUSPECT_SILENCE_MS || clock.monotonic() - failedAt < silence
    },
    silent: () => silentMs() > SUSPECT_SILENCE_MS,
    failed(error) {
      if (!(error instanceof NoAnswerError)) return
      // A client that leaves, or a message that is too long, says nothing against the worker.
      if (error.code === 'unavailable' || error.code === 'deadline_exceeded') {
        failedAt = clock.monotonic()
      }
    },
  }
}
