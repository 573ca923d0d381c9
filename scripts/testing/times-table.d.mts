/** Types of `times-table.mjs`. */
export type Time = {
  readonly name: string
  readonly seconds: number
  /** Time of its processes, user and system. */
  readonly processorS: number
}

export function timesTable(times: readonly Time[], wholeS?: number): string[]
