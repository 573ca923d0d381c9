import type { Clock } from '../../src/core/clock.ts'
import { SUSPECT_SILENCE_MS } from '../../src/core/limits/limits.ts'
import { NoAnswerError } from '../../src/wire/no-answer.ts'

/** Whether a worker can be expected to answer. A suspect one is asked last. */
export type WorkerHealth = {
  /** Its stream is silent, or a call to it got no answer and it has not been heard since. */
  suspect(): boolean
  silent(): boolean
  /** A call to it failed. Only the lack of an answer counts: an error that it tells is one. */
  failed(error: unknown): void
}

/** @param silentMs since it spoke on its stream: see `NewsFeed`. */
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
      // A client that leaves, or a message that is too long, is no fault of the worker.
      if (error.code === 'unavailable' || error.code === 'deadline_exceeded') {
        failedAt = clock.monotonic()
      }
    },
  }
}
