/** A condition of a query as SQL. */
import type { Fragment } from '../store/pool/fragment.ts'

/** A condition over the row aliases `e` (events) and `p` (the event's person, where needed). */
export type Condition = {
  readonly where: Fragment
  readonly needsPerson: boolean
  /** Patterns that Postgres must check first: it refuses some that RE2 accepts. */
  readonly patterns: readonly string[]
}
