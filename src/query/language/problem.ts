import { err, ok, type Result } from '../../core/result.ts'
import type { Problem } from './tree.ts'

/** Leaves the recursion of parser or checker, at whose edge `settled` makes a value of it. */
export class ProblemRaised extends Error {
  readonly problem: Problem

  constructor(message: string, at: number) {
    super(message)
    this.problem = { message, at }
  }
}

/** What `work` returns, or the problem it raises. */
export function settled<T>(work: () => T): Result<T, Problem> {
  try {
    return ok(work())
  } catch (error) {
    if (error instanceof ProblemRaised) return err(error.problem)
    throw error
  }
}
