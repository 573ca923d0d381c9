/** The form of a deliberate fault in keeping the copy, which the simulation must find. */
import type { ColumnStore } from '../../../src/store/events-clickhouse/connect.ts'

export type CopyMutant = {
  readonly name: string
  /** The failure of the run that finds it. */
  readonly found: RegExp
  /** The seed that found it last, which is tried first. */
  readonly firstSeed: number
  /** What is sent was not written down before: who takes over does not know of it. */
  readonly recordsLate?: boolean
  /** The outbox is emptied whoever else has its events. */
  readonly emptiesLedger?: boolean
  /** What the holder of a lease writes is not fenced by its number. */
  readonly fenceUnchecked?: boolean
  /** Wraps what the product's parts get. */
  readonly store?: (store: ColumnStore) => ColumnStore
}

export const NO_COPY_MUTANT: CopyMutant = { name: 'none', found: /^$/, firstSeed: 1 }
