import { type Fragment, fragment, join } from '../store/fragment.ts'
import type { Relation, Test } from './filter-test.ts'
import type { FilterNode } from './filters.ts'

/** A condition over the row aliases `e` (events) and `p` (the event's person, where needed). */
export type Condition = {
  readonly where: Fragment
  readonly needsPerson: boolean
  /** Patterns that Postgres must be asked about first: it refuses some that RE2 takes. */
  readonly patterns: readonly string[]
}

/**
 * The tree as SQL. Keys and values are bound; no text of the request becomes text of the statement.
 * @param refused patterns that Postgres does not take: their tests match nothing.
 */
export function toCondition(node: FilterNode, refused: ReadonlySet<string> = new Set()): Condition {
  const found = { needsPerson: false, patterns: [] as string[] }
  const where = toWhere(node, refused, found)
  return { where, ...found }
}

type Found = { needsPerson: boolean; patterns: string[] }

function toWhere(node: FilterNode, refused: ReadonlySet<string>, found: Found): Fragment {
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
      return compare(numberOf(properties, key), test.relation, test.number)
    case 'present':
      return negatedIf(test.negated, fragment`jsonb_exists(${properties}, ${key})`)
    case 'time':
      return isWithin(timeOf(properties, key), test)
    case 'never':
      return fragment`false`
    default:
      return test satisfies never
  }
}

/** A missing property makes a test null, which only a negated one turns into a match. */
function negatedIf(negated: boolean, positive: Fragment): Fragment {
  return negated ? fragment`not coalesce((${positive}), false)` : fragment`(${positive})`
}

function isOneOf(text: Fragment, values: readonly string[]): Fragment {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return fragment`${text} = ${only}`
  const list = JSON.stringify(values)
  return fragment`${text} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`
}

/** A JSON number, or a text that spells one; else null, since a cast that fails ends the query. */
function numberOf(properties: Fragment, key: string): Fragment {
  const text = fragment`(${properties} ->> ${key})`
  return fragment`case jsonb_typeof(${properties} -> ${key})
    when 'number' then ${text}::numeric
    when 'string' then case when ${text} ~ (
      '^[[:space:]]*[-+]?([0-9]{1,100}([.][0-9]{0,100})?|[.][0-9]{1,100})'
      || '([eE][-+]?[0-9]{1,3})?[[:space:]]*$'
    ) then ${text}::numeric end
    end`
}

function compare(left: Fragment, relation: Relation, number: string): Fragment {
  switch (relation) {
    case 'gt':
      return fragment`(${left}) > ${number}::numeric`
    case 'gte':
      return fragment`(${left}) >= ${number}::numeric`
    case 'lt':
      return fragment`(${left}) < ${number}::numeric`
    case 'lte':
      return fragment`(${left}) <= ${number}::numeric`
    default:
      return relation satisfies never
  }
}

/**
 * Unix seconds (a number, or digits in a text) or ISO 8601; else null. The pattern admits days that
 * exist only, leap years included, because a cast of February 30 ends the query.
 */
function timeOf(properties: Fragment, key: string): Fragment {
  const text = fragment`(${properties} ->> ${key})`
  return fragment`case jsonb_typeof(${properties} -> ${key})
    when 'number' then case when ${text}::numeric between -62135596800 and 253402300799
      then to_timestamp(${text}::float8) end
    when 'string' then case
      when ${text} ~ '^[0-9]{1,11}([.][0-9]{1,9})?$' then to_timestamp(${text}::float8)
      when ${text} ~ ${ISO_TIME} then ${text}::timestamptz end
    end`
}

const ISO_TIME = isoTimePattern()

function isoTimePattern(): Fragment {
  return fragment`(
    '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-'
    || '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])'
    || '|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
    || '|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)'
    || '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'
    || '([Zz]|[-+](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?$'
  )`
}

function isWithin(time: Fragment, test: Extract<Test, { kind: 'time' }>): Fragment {
  const parts: Fragment[] = []
  if (test.from !== undefined) parts.push(fragment`(${time}) >= ${instant(test.from)}`)
  if (test.after !== undefined) parts.push(fragment`(${time}) > ${instant(test.after)}`)
  if (test.before !== undefined) parts.push(fragment`(${time}) < ${instant(test.before)}`)
  return fragment`(${join(parts, 'and')})`
}

/** Bound as a number: Postgres reads no year 0000, and the driver would cut microseconds. */
function instant(micros: string): Fragment {
  return fragment`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
}
