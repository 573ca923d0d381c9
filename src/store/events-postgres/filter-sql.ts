/** Writes filters as SQL of Postgres. */
import type { ProjectId } from '../../core/ids.ts'
import { type FilterNode, isNegated, type Test } from '../../events/trees/filter.ts'
import type { Members, Relation } from '../../events/trees/members.ts'
import { isMember } from '../cohorts/cohort-sql.ts'
import { isGroupOfEvent } from '../events/group-of-event.ts'
import { instant } from '../events/instants.ts'
import { commas, type Fragment, fragment, join, numbered } from '../pool/fragment.ts'
import { inPostgres } from '../pool/patterns.ts'
import { expressionSql } from './expression-sql.ts'
import { numberOf, timeOf } from './readings.ts'

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
      return toTest(properties, node.key, node.test)
    }
    case 'group': {
      const test = toTest(fragment`g.properties`, node.key, node.test)
      const isTolerant = isNegated(node.test)
      const group = isGroupOfEvent(project, node.index, fragment`g`)
      return isTolerant
        ? fragment`not exists (select from groups g where ${group} and not coalesce(${test}, false))`
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

function toTest(properties: Fragment, key: string, test: Test): Fragment {
  const text = fragment`(${properties} ->> ${key})`
  switch (test.kind) {
    case 'one_of':
      return negatedIf(test.negated, isOneOf(text, test.values))
    case 'contains': {
      const parts = test.values.map(
        (value) => fragment`strpos(lower(${text}), lower(${value})) > 0`,
      )
      return negatedIf(test.negated, join(parts, 'or'))
    }
    case 'regex':
      return negatedIf(test.negated, fragment`${text} ~ ${inPostgres(test.pattern)}`)
    case 'compare':
      return compare(properties, key, test)
    case 'present':
      return negatedIf(test.negated, fragment`jsonb_exists(${properties}, ${key})`)
    case 'time':
      return isWithin(timeOf(text), test)
    case 'never':
      return fragment`false`
    default:
      return test satisfies never
  }
}

/** A test of a missing property is null. Only a negated test makes a match of it. */
function negatedIf(negated: boolean, positive: Fragment): Fragment {
  return negated ? fragment`not coalesce((${positive}), false)` : fragment`(${positive})`
}

function isOneOf(text: Fragment, values: readonly string[]): Fragment {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return fragment`${text} = ${only}`
  const list = JSON.stringify(values)
  return fragment`${text} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`
}

const SIGNS: Readonly<Record<Relation, Fragment>> = {
  gt: fragment`>`,
  gte: fragment`>=`,
  lt: fragment`<`,
  lte: fragment`<=`,
}

/** Compares numbers as they are stored. A pattern tells whether a text is a number. */
function compare(
  properties: Fragment,
  key: string,
  { relation, number }: Extract<Test, { kind: 'compare' }>,
): Fragment {
  const value = fragment`(${properties} -> ${key})`
  const sign = SIGNS[relation]
  return fragment`case jsonb_typeof(${value})
    when 'number' then ${value} ${sign} ${number}::numeric::text::jsonb
    else ${numberOf(fragment`(${properties} ->> ${key})`)} ${sign} ${number}::numeric end`
}

function isWithin(time: Fragment, test: Extract<Test, { kind: 'time' }>): Fragment {
  const parts: Fragment[] = []
  if (test.from !== undefined) parts.push(fragment`(${time}) >= ${instant(test.from)}`)
  if (test.after !== undefined) parts.push(fragment`(${time}) > ${instant(test.after)}`)
  if (test.before !== undefined) parts.push(fragment`(${time}) < ${instant(test.before)}`)
  return fragment`(${join(parts, 'and')})`
}
