/** Writes filters as SQL. */
import { instant } from '../../store/events/event-selection.ts'
import { type Fragment, fragment, join } from '../../store/pool/fragment.ts'
import type { Condition } from '../condition.ts'
import { expressionSql, needsPerson } from '../language/expression-sql.ts'
import { numberOf, timeOf } from '../language/readings.ts'
import type { Relation, Test } from './filter-test.ts'
import type { FilterNode } from './filters.ts'

/**
 * The tree as SQL. Keys and values are bound, so the statement has no text of a request.
 * @param refused patterns that Postgres does not accept. Their tests match nothing.
 */
export function toCondition(node: FilterNode, refused: ReadonlySet<string> = new Set()): Condition {
  const found = { needsPerson: false, patterns: [] as string[] }
  const where = toWhere(node, refused, found)
  return { where, ...found }
}

type Found = { needsPerson: boolean; patterns: string[] }

function toWhere(node: FilterNode, refused: ReadonlySet<string>, found: Found): Fragment {
  if (node.kind === 'expression') {
    if (needsPerson(node.tree)) found.needsPerson = true
    return fragment`(${expressionSql(node.tree)})`
  }
  if (node.kind !== 'property') {
    const parts = node.nodes.map((each) => toWhere(each, refused, found))
    return fragment`(${join(parts, node.kind)})`
  }
  if (node.source === 'person') found.needsPerson = true
  if (node.test.kind === 'regex') {
    if (refused.has(node.test.pattern)) return fragment`false`
    found.patterns.push(node.test.pattern)
  }
  const properties = node.source === 'person' ? fragment`p.properties` : fragment`e.properties`
  return toTest(properties, node.key, node.test)
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
