/** The form of a deliberate fault in keeping the copy, which the simulation must find. */
import type { ColumnStore } from '../../../src/clickhouse/connect.ts'

export type CopyMutant = {
  readonly name: string
  /** The failure of the run that finds it. */
  readonly found: RegExp
  /** The seed that found it last, which is tried first. */
  readonly firstSeed: number
  /** Sends before it records what it sends: the next holder of the lease does not know of it. */
  readonly recordsLate?: boolean
  /** Empties the outbox of events that only ClickHouse is to hold. */
  readonly emptiesLedger?: boolean
  /** Writes of a lease's holder are not fenced by the lease's number. */
  readonly fenceUnchecked?: boolean
  /** Wraps the store that the product's parts get. */
  readonly store?: (store: ColumnStore) => ColumnStore
}

export const NO_COPY_MUTANT: CopyMutant = { name: 'none', found: /^$/, firstSeed: 1 }
