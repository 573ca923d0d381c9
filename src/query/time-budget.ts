import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { failureCode, QUERY_CANCELED } from '../store/failures.ts'

/** The time that the statements of one query share. */
export type TimeBudget = {
  /**
   * Whole milliseconds, at least 1.
   * @throws {AppError} `deadline_exceeded` when nothing is left.
   */
  left(): number
}

export function createTimeBudget(clock: Clock, timeoutMs: number): TimeBudget {
  const endAt = clock.monotonic() + timeoutMs
  return {
    left() {
      const left = Math.floor(endAt - clock.monotonic())
      if (left <= 0) throw new AppError('deadline_exceeded', 'the time of a query is spent')
      return left
    },
  }
}

/** True for what the budget throws, and for a statement that the server has cut. */
export function isOutOfTime(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'deadline_exceeded'
  return failureCode(error) === QUERY_CANCELED
}
