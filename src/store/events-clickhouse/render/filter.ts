/** Writes filters as SQL of ClickHouse. */
import type { FilterNode } from '../../../events/trees/filter.ts'
import { type Fragment, fragment, join } from '../../pool/fragment.ts'
import { conditionIn } from './condition.ts'
import { expressionIn, ofPersons } from './expression.ts'

/**
 * What is asked of persons and groups, who are in Postgres: the condition on `e` that it comes to.
 * Persons are asked per node, so whoever wants one answer for several nodes splits the tree before.
 */
export type Elsewhere = (node: FilterNode) => Fragment | undefined

const NOBODY_KNOWS: Elsewhere = () => undefined

/**
 * The condition over the row alias `e` (events); null counts as false. Keys and values are bound,
 * so the statement has no text of a request. Run it with `READ_SETTINGS`.
 * @throws {ColumnError} `not_here` where it asks of persons or groups and `elsewhere` has no answer.
 */
export function filterIn(node: FilterNode, elsewhere: Elsewhere = NOBODY_KNOWS): Fragment {
  const known = elsewhere(node)
  if (known !== undefined) return known
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.map((each) => filterIn(each, elsewhere))
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
