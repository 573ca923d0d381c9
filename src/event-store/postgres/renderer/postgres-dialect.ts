/** Types of the tables of operations. */
import type { Applied, Dialect } from '../../../events/trees/expression.ts'
import type { ValueType } from '../../../events/trees/value-type.ts'
import type { Fragment } from '../../../postgres/fragment.ts'

export type Postgres = Dialect<Fragment>

/** The type of the first argument, which is that of all that are alike. */
export function firstType({ args }: Applied): ValueType | undefined {
  return args[0]?.type
}
