/** Conditions, comparisons and choices. */
import type { Applied } from '../../../events/trees/expression.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { keyOfDecimal } from './decimals.ts'
import { bind, type ClickHouse, double, isNumber, type Written, written } from './written.ts'

export const CHOICES = {
  and: (all) => written(fragment`(${joined(all, fragment`and`)})`),
  or: (all) => written(fragment`(${joined(all, fragment`or`)})`),
  not: ([condition]) => written(fragment`(not ${condition.sql})`),

  equal: (args) => compared(fragment`=`, args),
  unequal: (args) => compared(fragment`!=`, args),
  less: (args) => compared(fragment`<`, args),
  less_or_equal: (args) => compared(fragment`<=`, args),
  greater: (args) => compared(fragment`>`, args),
  greater_or_equal: (args) => compared(fragment`>=`, args),
  between,
  not_between: (args) => written(fragment`(not ${between(args).sql})`),
  in: isIn,
  not_in: (args) => written(fragment`(not ${isIn(args).sql})`),
  is_null: ([value]) => written(fragment`isNull(${value.sql})`),
  is_not_null: ([value]) => written(fragment`isNotNull(${value.sql})`),

  coalesce: (args, node) => chosen(args, node, (all) => fragment`coalesce(${commas(all)})`),
  choose: ([otherwise, ...pairs], node) => {
    const conditions = pairs.filter((_, place) => place % 2 === 0)
    const values = pairs.filter((_, place) => place % 2 === 1)
    return chosen([otherwise, ...values], node, ([last, ...all]) => {
      const cases = conditions.flatMap((each, place) => [each.sql, all[place] ?? fragment`null`])
      return fragment`multiIf(${commas([...cases, last ?? fragment`null`])})`
    })
  },
} satisfies Partial<ClickHouse>

function joined(all: readonly Written[], word: Fragment): Fragment {
  const [first, ...others] = all.map(({ sql }) => sql)
  return others.reduce((left, right) => fragment`${left} ${word} ${right}`, first ?? fragment``)
}

/** Keys by which values of one type are compared: exact numbers, as long as all are exact. */
export function comparable(all: readonly Written[]): readonly Fragment[] {
  const exact = all.flatMap((each) => (each.exact === undefined ? [] : [keyOfDecimal(each.exact)]))
  return exact.length === all.length ? exact : all.map(({ sql }) => sql)
}

function compared(sign: Fragment, args: readonly [Written, Written]): Written {
  const [left, right] = comparable(args)
  return written(fragment`(${left ?? fragment``} ${sign} ${right ?? fragment``})`)
}

function between(args: readonly [Written, Written, Written]): Written {
  const [value, low, high] = args
  const bounds = [comparable([value, low]), comparable([value, high])].flat()
  const [first = fragment`null`, ...others] = bounds
  return written(bind(fragment`v, l, w, h`, [first, ...others], fragment`v >= l and w <= h`))
}

/**
 * `in` with nulls: ClickHouse returns false for a null among several values, where it is unknown.
 */
function isIn(args: readonly [Written, ...Written[]]): Written {
  const [value, ...items] = args
  const isExact = (item: Written) => value.exact !== undefined && item.exact !== undefined
  const parts = [items.filter(isExact), items.filter((item) => !isExact(item))]
  const tests = parts.flatMap((part) => {
    // Each item beside the value: one that is no exact number makes no others inexact.
    const [first = fragment`null`, ...others] = comparable([value, ...part])
    return part.length === 0 ? [] : [oneOf(first, others)]
  })
  const [one = fragment`false`, other] = tests
  return written(other === undefined ? one : fragment`(${one} or ${other})`)
}

/** Items are worked out beside the value, so that a lambda holds no column. */
function oneOf(value: Fragment, items: readonly Fragment[]): Fragment {
  const list = fragment`[${commas(items)}]`
  return fragment`arrayElement(arrayMap((v, l) -> multiIf(isNull(v), null,
    arrayExists(i -> ifNull(i = v, false), l), true,
    arrayExists(i -> isNull(i), l), null, false), [${value}], [${list}]), 1)`
}

/** Numbers of several kinds become doubles: ClickHouse has no type for both of two kinds. */
function chosen(
  all: readonly Written[],
  node: Applied,
  choose: (all: readonly Fragment[]) => Fragment,
): Written {
  if (!isNumber(node)) return written(choose(all.map(({ sql }) => sql)))
  const exact = all.flatMap((each) => (each.exact === undefined ? [] : [each.exact]))
  const value = choose(all.map(double))
  return exact.length === all.length ? written(value, choose(exact)) : written(value)
}
