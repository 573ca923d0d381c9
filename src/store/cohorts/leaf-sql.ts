/** The conditions of cohorts on one property as SQL over its value `v.v`, a jsonb that is there. */
import type { Relation, ValueTest } from '../../events/trees/members.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'
import { inPostgres } from '../pool/patterns.ts'

const TEXT = fragment`flag_text(v.v)`
const LOWER = fragment`lower(flag_text(v.v) collate "C")`
const NUMBER = fragment`flag_number(v.v)`
const INSTANT = fragment`flag_instant(v.v)`

const SIGNS: Readonly<Record<Relation | 'eq', Fragment>> = {
  gt: fragment`>`,
  gte: fragment`>=`,
  lt: fragment`<`,
  lte: fragment`<=`,
  eq: fragment`=`,
}

/** Null counts as no match. */
export function valueSql(test: ValueTest): Fragment {
  switch (test.kind) {
    case 'always':
      return fragment`true`
    case 'never':
      return fragment`false`
    case 'one_of': {
      const isIn = isOneOf(test.texts)
      return test.negated ? fragment`not coalesce(${isIn}, false)` : isIn
    }
    case 'text': {
      return upTo(test, hasPart(test))
    }
    case 'regex':
      return upTo(test, fragment`${TEXT} ~ ${inPostgres(test.pattern, 'of_re2')}`)
    case 'number':
      return fragment`${NUMBER} ${SIGNS[test.relation]} ${String(test.number)}::float8`
    case 'between': {
      const bounds = fragment`${String(test.low)}::float8 and ${String(test.high)}::float8`
      return test.negated
        ? fragment`${NUMBER} not between ${bounds}`
        : fragment`${NUMBER} between ${bounds}`
    }
    case 'time':
      return fragment`${INSTANT} ${SIGNS[test.relation]} ${String(test.ms)}::float8`
    default:
      return test satisfies never
  }
}

/** ICU lowers a text as JavaScript does, whatever the language of the database. */
function isOneOf(texts: readonly string[]): Fragment {
  return fragment`lower(${TEXT} collate "und-x-icu") collate "C" = any(
    array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)))`
}

type TextTest = Extract<ValueTest, { kind: 'text' | 'regex' }>

function upTo({ negated, lengthMax }: TextTest, matches: Fragment): Fragment {
  const wanted = negated ? fragment`not (${matches})` : matches
  return fragment`(length(${TEXT}) <= ${String(lengthMax)}::integer and ${wanted})`
}

/** Many parts are one value: a statement has room for so many. */
function hasPart({ how, parts }: Extract<ValueTest, { kind: 'text' }>): Fragment {
  const [only, ...others] = parts
  if (only === undefined) return fragment`false`
  if (others.length === 0) return textMatches(how, fragment`${only}`)
  return fragment`exists (
    select from jsonb_array_elements_text(${JSON.stringify(parts)}::jsonb) w(part)
    where ${textMatches(how, fragment`w.part`)})`
}

function textMatches(how: Extract<ValueTest, { kind: 'text' }>['how'], wanted: Fragment): Fragment {
  const part = fragment`lower(${wanted} collate "C")`
  switch (how) {
    case 'includes':
      return fragment`strpos(${LOWER}, ${part}) > 0`
    case 'starts_with':
      return fragment`starts_with(${LOWER}, ${part})`
    case 'ends_with':
      return fragment`right(${LOWER}, length(${part})) = ${part}`
    default:
      return how satisfies never
  }
}
