/** Types of `tap-summary.mjs`. */
export type Failure = {
  readonly title: string
  readonly assertions: readonly {
    readonly title: string
    readonly details: () => readonly string[]
  }[]
}

export type Summary = { readonly passed: number; readonly failures: readonly Failure[] }

export function summaryOf(tap: string): Summary

export function linesOf(summary: Summary): string[]
