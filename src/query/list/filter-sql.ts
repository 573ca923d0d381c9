/** Writes filters as SQL. */
import type { ProjectId } from '../../core/ids.ts'
import { needsPerson } from '../../events/trees/expression.ts'
import { isMember } from '../../store/cohorts/cohort-sql.ts'
import { isGroupOfEvent } from '../../store/events/group-of-event.ts'
import { instant } from '../../store/events/instants.ts'
import { expressionSql } from '../../store/events-postgres/expression-sql.ts'
import { numberOf, timeOf } from '../../store/events-postgres/readings.ts'
import { type Fragment, fragment, join } from '../../store/pool/fragment.ts'
import type { Condition } from '../condition.ts'
import { isNegated, type Relation, type Test } from './filter-test.ts'
import type { FilterNode } from './filters.ts'

/**
 * The tree as SQL. Keys and values are bound, so the statement has no text of a request.
 * @param project whose groups are read.
 * @param refused patterns that Postgres does not accept. Their tests match nothing.
 */
export function toCondition(
  node: FilterNode,
  project: ProjectId,
  refused: ReadonlySet<string> = new Set(),
): Condition {
  const writing = { project, refused, needsPerson: false, patterns: [] as string[] }
  const where = toWhere(node, writing)
  return { where, needsPerson: writing.needsPerson, patterns: writing.patterns }
}

type Writing = {
  readonly project: ProjectId
  readonly refused: ReadonlySet<string>
  /** Found on the way. */
  needsPerson: boolean
  readonly patterns: string[]
}

function toWhere(node: FilterNode, writing: Writing): Fragment {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.map((each) => toWhere(each, writing))
      return fragment`(${join(parts, node.kind)})`
    }
    case 'expression':
      if (needsPerson(node.tree)) writing.needsPerson = true
      return fragment`(${expressionSql(node.tree)})`
    case 'property': {
      if (isRefused(node.test, writing)) return fragment`false`
      if (node.source === 'event') return toTest(fragment`e.properties`, node.key, node.test)
      writing.needsPerson = true
      return toTest(fragment`p.properties`, node.key, node.test)
    }
    case 'group': {
      if (isRefused(node.test, writing)) return fragment`false`
      const test = toTest(fragment`g.properties`, node.key, node.test)
      const isTolerant = isNegated(node.test)
      const group = isGroupOfEvent(writing.project, node.index, fragment`g`)
      return isTolerant
        ? fragment`not exists (select from groups g where ${group} and not coalesce(${test}, false))`
        : fragment`exists (select from groups g where ${group} and ${test})`
    }
    case 'cohort': {
      writing.needsPerson = true
      const isIn = isMember(node.members)
      return node.negated ? fragment`(not ${isIn})` : isIn
    }
    default:
      return node satisfies never
  }
}

function isRefused(test: Test, { refused, patterns }: Writing): boolean {
  if (test.kind !== 'regex') return false
  if (refused.has(test.pattern)) return true
  patterns.push(test.pattern)
  return false
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
      return negatedIf(test.negated, fragment`${text} ~ ${test.pattern}`)
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
