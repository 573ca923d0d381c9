/** Writes filters as SQL of Postgres. */
import type { ProjectId } from '../../../core/ids.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Members } from '../../../events/trees/members.ts'
import { commas, type Fragment, fragment, join, numbered } from '../../../postgres/fragment.ts'
import { isMember } from './cohort-sql.ts'
import { conditionSql } from './condition-sql.ts'
import { expressionSql } from './expression-sql.ts'
import { isGroupOfEvent } from './group-of-event.ts'

/**
 * The condition over the row aliases `e` (events) and, where `asksOfPerson`, `p` (the event's
 * person). Keys and values are bound, so the statement has no text of a request.
 * @param project whose groups are read.
 */
export function filterSql(node: FilterNode, project: ProjectId): Fragment {
  return cohortsOnce([node], (memberOf) => filterWith(node, project, memberOf))
}

/** Writes that the person `p` is a member. */
export type MemberOf = (members: Members) => Fragment

/**
 * An expression made of trees, in which a cohort that is named several times is worked out once: it
 * is a column of `named` then. Without one it is the expression itself.
 */
export function cohortsOnce(
  trees: readonly FilterNode[],
  write: (memberOf: MemberOf) => Fragment,
): Fragment {
  const namings = new Map<Members, number>()
  for (const tree of trees) countNamings(tree, namings)
  const shared = [...namings].filter(([, count]) => count > 1).map(([members]) => members)
  if (shared.length === 0) return write(isMember)
  const places = new Map(shared.map((members, place) => [members, place]))
  const columns = shared.map(
    (members, place) => fragment`${isMember(members)} as ${numbered('cohort', place)}`,
  )
  const expression = write((members) => {
    const place = places.get(members)
    return place === undefined ? isMember(members) : fragment`named.${numbered('cohort', place)}`
  })
  return fragment`(select ${expression} from (select ${commas(columns)} offset 0) named)`
}

function countNamings(node: FilterNode, namings: Map<Members, number>): void {
  if (node.kind === 'cohort') namings.set(node.members, (namings.get(node.members) ?? 0) + 1)
  else if (node.kind === 'and' || node.kind === 'or') {
    for (const each of node.nodes) countNamings(each, namings)
  }
}

/** @param memberOf see `cohortsOnce`. */
export function filterWith(node: FilterNode, project: ProjectId, memberOf: MemberOf): Fragment {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.map((each) => filterWith(each, project, memberOf))
      return fragment`(${join(parts, node.kind)})`
    }
    case 'named':
      return fragment`e.event = ${node.event}`
    case 'expression':
      return fragment`(${expressionSql(node.tree)})`
    case 'property': {
      const properties = node.source === 'event' ? fragment`e.properties` : fragment`p.properties`
      return conditionSql(node.condition, properties, [node.key])
    }
    case 'group': {
      const test = conditionSql(node.condition, fragment`g.properties`, [node.key])
      const isTolerant = node.condition.whenMissing
      const group = isGroupOfEvent(project, node.index, fragment`g`)
      return isTolerant
        ? fragment`not exists (select from groups g where ${group} and not ${test})`
        : fragment`exists (select from groups g where ${group} and ${test})`
    }
    case 'cohort': {
      const isIn = memberOf(node.members)
      return node.negated ? fragment`(not ${isIn})` : isIn
    }
    default:
      return node satisfies never
  }
}
