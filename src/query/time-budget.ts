/** The time that the statements of one query share. */
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { failureCode } from '../postgres/failures.ts'
import { QUERY_CANCELED } from '../postgres/sqlstate.ts'

/** Time that the statements of one query share. */
export type TimeBudget = {
  /**
   * Milliseconds left, a whole number of at least 1.
   * @throws {AppError} `deadline_exceeded` when no time is left.
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

/** True for the budget's error, and for a statement that the server has cut. */
export function isOutOfTime(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'deadline_exceeded'
  return isCutStatement(error)
}

/** True for a statement that the server has cut at its time-out. */
export function isCutStatement(error: unknown): boolean {
  return failureCode(error) === QUERY_CANCELED
}
