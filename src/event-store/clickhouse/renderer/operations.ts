/** How ClickHouse writes each operation of expressions. */
import { AGGREGATES } from './aggregates.ts'
import { READINGS } from './casts.ts'
import { CHOICES } from './choices.ts'
import { NUMBERS } from './numbers.ts'
import { TEXTS } from './texts.ts'
import { TIMES } from './times.ts'
import type { ClickHouse } from './written.ts'

/** Each makes SQL of arguments in SQL. An argument that is needed twice is bound to a name first. */
export const OPERATIONS: ClickHouse = {
  ...CHOICES,
  ...NUMBERS,
  ...READINGS,
  ...TEXTS,
  ...TIMES,
  ...AGGREGATES,
}
