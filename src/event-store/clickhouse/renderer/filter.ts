/** Writes filters as SQL of ClickHouse. */
import type { FilterNode } from '../../../events/trees/filter.ts'
import { type Fragment, fragment, join } from '../../../postgres/fragment.ts'
import { conditionIn } from './condition.ts'
import { expressionIn, ofPersons } from './expression.ts'

/**
 * Condition on `e` that replaces a filter on persons or groups, which are in Postgres. It is called
 * per node, so a caller that wants one answer for several nodes splits the tree before.
 */
export type Resolved = (node: FilterNode) => Fragment | undefined

const UNRESOLVED: Resolved = () => undefined

/**
 * Condition over the row alias `e` (events); null counts as false. Keys and values are bound, so
 * the statement has no text of a request. Run it with `READ_SETTINGS`.
 * @throws {ColumnError} `not_here` for persons or groups for which `resolved` has no condition.
 */
export function filterIn(node: FilterNode, resolved: Resolved = UNRESOLVED): Fragment {
  const known = resolved(node)
  if (known !== undefined) return known
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.map((each) => filterIn(each, resolved))
      return fragment`(${join(parts, node.kind)})`
    }
    case 'named':
      return fragment`e.event = ${node.event}`
    case 'expression':
      return fragment`(${expressionIn(node.tree).sql})`
    case 'property':
      if (node.source === 'person') throw ofPersons()
      return conditionIn(node.condition, fragment`e.properties`, node.key)
    case 'group':
    case 'cohort':
      throw ofPersons()
    default:
      return node satisfies never
  }
}
