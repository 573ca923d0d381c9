/** How Postgres writes each operation of expressions. */
import { AGGREGATES_SQL } from './aggregates-sql.ts'
import { CASTS_SQL } from './casts.ts'
import { CHOICES_SQL } from './choices-sql.ts'
import { NUMBERS_SQL } from './numbers-sql.ts'
import type { Postgres } from './postgres-dialect.ts'
import { TEXTS_SQL } from './texts-sql.ts'
import { TIMES_SQL } from './times-sql.ts'

/**
 * Each makes SQL of arguments in SQL, each in brackets where it needs them. An argument occurs once
 * in the result unless it is a leaf: one that occurs twice doubles the statement at every level.
 */
export const OPERATIONS_SQL: Postgres = {
  ...CHOICES_SQL,
  ...NUMBERS_SQL,
  ...CASTS_SQL,
  ...TEXTS_SQL,
  ...TIMES_SQL,
  ...AGGREGATES_SQL,
}
