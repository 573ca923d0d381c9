/** Description of a statement: the beginning of its text, and its effect. */
import type { CopyMutant } from './mutant.ts'
import type { Tables } from './tables.ts'

export type Values = readonly unknown[]

export type Scene = {
  readonly tables: Tables
  readonly values: Values
  /** Virtual milliseconds. */
  readonly now: number
  /** Takes an id of the outbox; ids of aborted transactions are lost. */
  readonly takeId: () => number
  readonly mutant: CopyMutant
  /** Ends the run with a failure. */
  readonly fail: (problem: string) => void
}

export type Outcome = { readonly rows: readonly object[]; readonly count: number }

export type LockWish = {
  readonly name: 'replicator' | 'keeper'
  readonly mode: 'share' | 'alone'
  /** Skips locked rows instead of waiting. */
  readonly skips?: true
}

export type Described = {
  readonly begins: string
  readonly lock?: LockWish
  /** Constant answer, given at once: no copy depends on it, and no fault intervenes. */
  readonly idle?: Outcome
  readonly run: (scene: Scene) => Outcome
}

export const rowsOf = (rows: readonly object[]): Outcome => ({ rows, count: rows.length })
export const counted = (count: number): Outcome => ({ rows: [], count })

export function timeText(ms: number): string {
  return new Date(1_790_000_000_000 + ms).toISOString().replace('Z', '000Z')
}
