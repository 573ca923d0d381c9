/** Aggregates of groups of events. */
import type { Applied } from '../../../events/trees/expression.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { firstType, type Postgres } from './postgres-dialect.ts'
import { startOfText } from './text-bounds.ts'

export const AGGREGATES_SQL = {
  count: ([when]) => fragment`(count(*) ${filter(when)})::numeric`,
  count_distinct: ([value, when], node) => {
    const cut = firstType(node) === 'String' ? startOfText(value) : value
    return fragment`(count(distinct ${cut}) ${filter(when)})::numeric`
  },
  sum: ([value, when]) => fragment`coalesce(sum(${value}) ${filter(when)}, 0)`,
  avg: ([value, when]) => fragment`(avg(${value}) ${filter(when)})`,
  min: (args, node) => extreme(EXTREMES.min, args, node),
  max: (args, node) => extreme(EXTREMES.max, args, node),
} satisfies Partial<Postgres>

function filter(when: Fragment | undefined): Fragment {
  return when === undefined ? fragment`` : fragment`filter (where ${when})`
}

/** The functions for conditions and for all else. */
const EXTREMES = {
  min: { every: fragment`bool_and`, other: fragment`min` },
  max: { every: fragment`bool_or`, other: fragment`max` },
}

/** Texts are compared by bytes, and false is less than true. */
function extreme(
  { every, other }: (typeof EXTREMES)['min' | 'max'],
  [value, when]: readonly [value: Fragment, when?: Fragment],
  node: Applied,
): Fragment {
  switch (firstType(node)) {
    case 'String':
      return fragment`(${other}(${startOfText(value)} collate "C") ${filter(when)})`
    case 'Bool':
      return fragment`(${every}(${value}) ${filter(when)})`
    case 'UUID':
      return fragment`(${other}((${value})::text collate "C") ${filter(when)})::uuid`
    default:
      return fragment`(${other}(${value}) ${filter(when)})`
  }
}
