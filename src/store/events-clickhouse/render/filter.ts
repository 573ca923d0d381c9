/** Writes filters as SQL of ClickHouse. */
import type { FilterNode, Test } from '../../../events/trees/filter.ts'
import type { Relation } from '../../../events/trees/members.ts'
import { type Fragment, fragment, join } from '../../pool/fragment.ts'
import { decimalOfMember, keyOfDecimal, normalDecimal } from './decimals.ts'
import { expressionIn, ofPersons } from './expression.ts'
import { hasMember, isNumberMember, memberText } from './json-member.ts'
import { inClickHouse } from './patterns.ts'
import { timeOf } from './readings.ts'
import { lower } from './texts.ts'

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
      return toTest(fragment`e.properties`, node.key, node.test)
    case 'group':
    case 'cohort':
      throw ofPersons()
    default:
      return node satisfies never
  }
}

function toTest(json: Fragment, key: string, test: Test): Fragment {
  const text = memberText(json, key)
  switch (test.kind) {
    case 'one_of':
      return negatedIf(test.negated, isOneOf(text, test.values))
    case 'contains': {
      const low = lower(text)
      const parts = test.values.map(
        (value) => fragment`position(${low}, ${lower(fragment`${value}`)}) > 0`,
      )
      return negatedIf(test.negated, join(parts, 'or'))
    }
    case 'regex':
      return negatedIf(test.negated, fragment`match(${text}, ${inClickHouse(test.pattern)})`)
    case 'compare':
      return compare(json, key, test)
    case 'present':
      return negatedIf(test.negated, hasMember(json, key))
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
  return negated ? fragment`(not ifNull(${positive}, false))` : fragment`(${positive})`
}

function isOneOf(text: Fragment, values: readonly string[]): Fragment {
  const [only, ...others] = values
  if (only === undefined) return fragment`false`
  if (others.length === 0) return fragment`${text} = ${only}`
  return fragment`${text} in (JSONExtract(${JSON.stringify(values)}, 'Array(String)'))`
}

const SIGNS: Readonly<Record<Relation, Fragment>> = {
  gt: fragment`>`,
  gte: fragment`>=`,
  lt: fragment`<`,
  lte: fragment`<=`,
}

/** Numbers with all their digits, and what a text spells. */
function compare(
  json: Fragment,
  key: string,
  { relation, number }: Extract<Test, { kind: 'compare' }>,
): Fragment {
  const value = decimalOfMember(memberText(json, key), isNumberMember(json, key))
  const bound = keyOfDecimal(fragment`${normalDecimal(number)}`)
  return fragment`(${keyOfDecimal(value)} ${SIGNS[relation]} ${bound})`
}

function isWithin(time: Fragment, test: Extract<Test, { kind: 'time' }>): Fragment {
  const parts: Fragment[] = []
  if (test.from !== undefined) parts.push(fragment`${time} >= toInt64(${test.from})`)
  if (test.after !== undefined) parts.push(fragment`${time} > toInt64(${test.after})`)
  if (test.before !== undefined) parts.push(fragment`${time} < toInt64(${test.before})`)
  return fragment`(${join(parts, 'and')})`
}
