/** Error in an expression, as an exception within the parser and the checker. */
import { err, ok, type Result } from '../../core/result.ts'
import type { Problem } from './tree.ts'

/** Ends the recursion of the parser or the checker. `settled` catches it and answers a value. */
export class ProblemRaised extends Error {
  readonly problem: Problem

  constructor(message: string, at: number) {
    super(message)
    this.problem = { message, at }
  }
}

/** The value that `work` returns, or the problem that it raises. */
export function settled<T>(work: () => T): Result<T, Problem> {
  try {
    return ok(work())
  } catch (error) {
    if (error instanceof ProblemRaised) return err(error.problem)
    throw error
  }
}
