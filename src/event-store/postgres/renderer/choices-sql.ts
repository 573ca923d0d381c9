/** Conditions, comparisons and choices. */
import type { Applied } from '../../../events/trees/expression.ts'
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { firstType, type Postgres } from './postgres-dialect.ts'

export const CHOICES_SQL = {
  and: ([first, ...others]) =>
    fragment`(${others.reduce((all, each) => fragment`${all} and ${each}`, first)})`,
  or: ([first, ...others]) =>
    fragment`(${others.reduce((all, each) => fragment`${all} or ${each}`, first)})`,
  not: ([condition]) => fragment`(not (${condition}))`,

  equal: (args, node) => compared(fragment`=`, args, node),
  unequal: (args, node) => compared(fragment`<>`, args, node),
  less: (args, node) => compared(fragment`<`, args, node),
  less_or_equal: (args, node) => compared(fragment`<=`, args, node),
  greater: (args, node) => compared(fragment`>`, args, node),
  greater_or_equal: (args, node) => compared(fragment`>=`, args, node),
  between,
  not_between: (args, node) => fragment`(not ${between(args, node)})`,
  in: isIn,
  not_in: (args) => fragment`(not ${isIn(args)})`,
  is_null: ([value]) => fragment`((${value}) is null)`,
  is_not_null: ([value]) => fragment`((${value}) is not null)`,

  coalesce: ([first, ...others]) =>
    others.reduce((all, value) => fragment`coalesce(${all}, ${value})`, first),
  choose: ([otherwise, ...pairs]) => {
    const cases = pairs.reduce(
      (all, part, place) =>
        place % 2 === 0 ? fragment`${all} when ${part}` : fragment`${all} then ${part}`,
      fragment``,
    )
    return fragment`case ${cases} else ${otherwise} end`
  },
} satisfies Partial<Postgres>

/** Texts are ordered by bytes, so that the locale of a server does not matter. */
function ordered(value: Fragment, node: Applied): Fragment {
  return firstType(node) === 'String' ? fragment`((${value}) collate "C")` : value
}

type Two = readonly [Fragment, Fragment]

function compared(sign: Fragment, [left, right]: Two, node: Applied): Fragment {
  return fragment`(${ordered(left, node)} ${sign} ${ordered(right, node)})`
}

function between([value, low, high]: readonly [...Two, Fragment], node: Applied): Fragment {
  const from = ordered(low, node)
  const to = ordered(high, node)
  return fragment`(${ordered(value, node)} between ${from} and ${to})`
}

function isIn([value, ...items]: readonly [Fragment, ...Fragment[]]): Fragment {
  return fragment`(${value} in (${commas(items)}))`
}
