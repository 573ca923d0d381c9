/** Aggregates of groups of events. */
import type { Applied } from '../../../events/trees/expression.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { keyOfDecimal } from './decimals.ts'
import { startOfText } from './texts.ts'
import { type ClickHouse, firstType, integer, isNumber, type Written, written } from './written.ts'

export const AGGREGATES = {
  count: ([when]) =>
    integer(when === undefined ? fragment`count()` : fragment`countIf(${truth(when)})`),
  count_distinct: ([value, when], node) =>
    integer(over(fragment`uniqExact`, [value.exact ?? bounded(value, node)], when)),
  sum: ([value, when]) => written(sumOf(value, when)),
  avg: ([value, when]) => {
    const counted = over(fragment`count`, [value.sql], when)
    return written(fragment`(${sumOf(value, when)} / nullIf(${counted}, 0))`)
  },
  min: (args, node) => extreme(fragment`min`, fragment`argMin`, args, node),
  max: (args, node) => extreme(fragment`max`, fragment`argMax`, args, node),
} satisfies Partial<ClickHouse>

function truth(when: Written): Fragment {
  return fragment`ifNull(${when.sql}, false)`
}

function over(name: Fragment, args: readonly Fragment[], when: Written | undefined): Fragment {
  const all = args.reduce((left, right) => fragment`${left}, ${right}`)
  return when === undefined
    ? fragment`${name}(${all})`
    : fragment`${name}If(${all}, ${truth(when)})`
}

function bounded({ sql }: Written, node: Applied): Fragment {
  if (isNumber(node)) return fragment`(${sql} + 0)` // There is a double that is 0 below zero.
  return firstType(node) === 'String' ? startOfText(sql) : sql
}

/**
 * Sums exact numbers as decimals, whose sum does not depend on the order, as long as all of them
 * fit one: 46 digits before the point and 30 after it.
 */
function sumOf(value: Written, when: Written | undefined): Fragment {
  const doubles = fragment`ifNull(${over(fragment`sum`, [fragment`toFloat64(${value.sql})`], when)}, 0)`
  if (value.exact === undefined) return doubles
  const decimal = fragment`toDecimal256OrNull(${value.exact}, 30)`
  const all = over(fragment`count`, [value.exact], when)
  const fitting = over(fragment`count`, [decimal], when)
  const sum = fragment`ifNull(${over(fragment`sum`, [decimal], when)}, toDecimal256(0, 30))`
  return fragment`if(${all} = ${fitting}, toFloat64(toString(${sum})), ${doubles})`
}

function extreme(
  name: Fragment,
  byKey: Fragment,
  [value, when]: readonly [value: Written, when?: Written],
  node: Applied,
): Written {
  if (value.exact === undefined) {
    return written(over(name, [nullable(bounded(value, node))], when))
  }
  const key = keyOfDecimal(value.exact)
  return written(
    over(byKey, [nullable(value.sql), key], when),
    over(byKey, [nullable(value.exact), key], when),
  )
}

/** Makes an aggregate over no rows null, where ClickHouse would return the default of the type. */
function nullable(value: Fragment): Fragment {
  return fragment`toNullable(${value})`
}
