/** Types of `tap-summary.mjs`. */
export type Failure = {
  readonly title: string
  readonly assertions: readonly {
    readonly title: string
    readonly details: () => readonly string[]
  }[]
}

export type Summary = {
  readonly passed: number
  readonly failures: readonly Failure[]
  /** Failures of files that passed when they were run once more. */
  readonly shaky: readonly Failure[]
}

export function summaryOf(tap: string, again?: ReadonlySet<string>): Summary

export function linesOf(summary: Summary): string[]
