/** Parts of an expression as SQL of ClickHouse. */
import type { Applied, Dialect } from '../../../events/trees/expression.ts'
import { isNumeric, type ValueType } from '../../../events/trees/value-type.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'

/**
 * Texts and uuids are `String`, uuids in lower case; conditions `Bool` or `UInt8`; times `Int64`,
 * microseconds since 1970. All may be null.
 */
export type Written = {
  /** For numbers a double, or an integer where it is one by nature, such as a count. */
  readonly sql: Fragment
  /**
   * For numbers without arithmetic: the exact number, as `decimalOf` writes it. A double could not
   * distinguish 12345678901234567890123 from the next number.
   */
  readonly exact?: Fragment
}

export type ClickHouse = Dialect<Written>

export function written(sql: Fragment, exact?: Fragment): Written {
  return exact === undefined ? { sql } : { sql, exact }
}

/** A number that is an integer by nature, such as a length. */
export function integer(sql: Fragment): Written {
  return written(sql, fragment`toString(${sql})`)
}

/**
 * Binds `body` to names of values that are computed once: repeated, they would double the statement
 * at each level.
 * @param names of lambdas. A body holds only them, bound values and other bodies of ours.
 */
export function bind(
  names: Fragment,
  values: readonly [Fragment, ...Fragment[]],
  body: Fragment,
): Fragment {
  const lists = commas(values.map((value) => fragment`[${value}]`))
  return fragment`arrayElement(arrayMap((${names}) -> (${body}), ${lists}), 1)`
}

export function isNumber(node: Applied): boolean {
  const type = firstType(node)
  return type !== undefined && isNumeric(type)
}

/** The type of the first argument, which is that of all that are alike. */
export function firstType({ args }: Applied): ValueType | undefined {
  return args[0]?.type
}

export function double({ sql }: Written): Fragment {
  return fragment`toFloat64(${sql})`
}
