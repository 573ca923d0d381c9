/** Comparison that `--baseline` adds to a report: its figures beside those of an earlier one. */

export type ComparisonRow = {
  /** `all`, a step of a ramp, or a kind of request of a mix. */
  readonly of: string
  /** One of the metrics, or `cpu NAME` of a group of the server's processes. */
  readonly metric: string
  readonly before: number
  readonly after: number
  /** after / before; undefined when the ratio says nothing. */
  readonly ratio: number | undefined
}

export type Comparison = {
  readonly before: { readonly startedAt: string; readonly ok: boolean; readonly revision: string }
  /** Differences of settings and environment, as sentences. The figures then say little. */
  readonly differences: readonly string[]
  readonly rows: readonly ComparisonRow[]
}
