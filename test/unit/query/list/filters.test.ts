import fc from 'fast-check'
import t from 'tap'
import { isPattern } from '../../../../src/conditions/patterns/store-patterns.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  EVENT_FILTER_CHARS_MAX,
  EXPRESSION_NODES_MAX,
} from '../../../../src/core/limits/limits-query.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { filterSql } from '../../../../src/event-store/postgres/renderer/filter-sql.ts'
import {
  asksOfPerson,
  type FilterNode,
  patternsIn,
  withoutPatterns,
} from '../../../../src/events/trees/filter.ts'
import { render } from '../../../../src/postgres/fragment.ts'
import { inPostgres } from '../../../../src/postgres/patterns.ts'
import { EXPRESSION_CHARS_MAX } from '../../../../src/query/language/expressions.ts'
import {
  EVENT_FILTER_DEPTH_MAX,
  EVENT_FILTER_VALUES_MAX,
  EVENT_FILTERS_MAX,
  parseFilters,
} from '../../../../src/query/list/filters.ts'
import { codePoint } from '../../../support/code-points.ts'
import { conditionOf } from '../../../support/conditions/conditions.ts'

const read = (text: string) => parseFilters(text, { nowMs: 0, zone: zoneOf('UTC') })
const parse = (json: unknown) => read(JSON.stringify(json))
const test = (json: unknown) => {
  const parsed = parse([json])
  if (!parsed.ok || !('nodes' in parsed.value)) return parsed
  const [node] = parsed.value.nodes
  return node?.kind === 'property' ? node.condition.value : node
}

t.test('unreadable JSON is nobody’s fault in particular', async (t) => {
  for (const text of ['{', 'nonsense', '[1', '\0']) {
    t.match(read(text), { ok: false, error: { attr: null } })
  }
})

t.test('a filter without such a form is refused, never skipped', async (t) => {
  const key = { key: 'k' }
  const wrong: unknown[] = [
    7,
    'text',
    null,
    [null],
    [[]],
    [{}],
    [{ key: '', value: 1 }],
    [{ key: 1, value: 1 }],
    [{ key: 'x'.repeat(1_001), value: 1 }],
    [{ ...key }],
    [{ ...key, value: null }],
    [{ ...key, value: {} }],
    [{ ...key, value: [null] }],
    [{ ...key, value: [[1]] }],
    [{ ...key, value: 1, operator: 'between' }],
    [{ ...key, value: 1, operator: 'toString' }],
    [{ ...key, value: 1, type: 'planet' }],
    [{ ...key, value: [1, 2], operator: 'gt' }],
    [{ ...key, value: true, operator: 'gt' }],
    [{ ...key, value: ' 1e3 ', operator: 'gt' }],
    [{ ...key, value: [9, 1], operator: 'between' }],
    [{ ...key, value: '(', operator: 'regex' }],
    [{ ...key, value: 'x(?=y)', operator: 'regex' }],
    [{ ...key, value: '1.2.3.4', operator: 'semver_gte' }],
    [{ ...key, value: 'x', operator: 'is_date_after' }],
    { type: 'XOR', values: [] },
    { type: 'AND', values: {} },
    {
      type: 'AND',
      values: [
        { ...key, value: 1 },
        { type: 'OR', values: [] },
      ],
    },
  ]
  for (const json of wrong) {
    t.match(parse(json), { ok: false, error: { attr: 'properties' } }, JSON.stringify(json))
  }
  for (const type of ['element', 'cohort', 'session']) {
    t.match(parse([{ ...key, value: 1, type }]), { ok: false, error: { detail: /unsupported/ } })
  }
})

t.test('every bound holds at its edge', async (t) => {
  const filter = { key: 'k', value: 1 }
  t.ok(parse(Array.from({ length: EVENT_FILTERS_MAX }, () => filter)).ok)
  t.notOk(parse(Array.from({ length: EVENT_FILTERS_MAX + 1 }, () => filter)).ok)
  const values = Array.from({ length: EVENT_FILTER_VALUES_MAX }, (_, index) => index)
  t.ok(parse([{ key: 'k', value: values }]).ok)
  t.notOk(parse([{ key: 'k', value: [...values, 1] }]).ok)
  const nested = (depth: number): unknown =>
    depth === 1 ? { type: 'OR', values: [filter] } : { type: 'AND', values: [nested(depth - 1)] }
  t.ok(parse(nested(EVENT_FILTER_DEPTH_MAX)).ok)
  t.notOk(parse(nested(EVENT_FILTER_DEPTH_MAX + 1)).ok)
  t.notOk(read(`["${'x'.repeat(EVENT_FILTER_CHARS_MAX)}"]`).ok)
})

t.test('values are compared as text', async (t) => {
  t.match(test({ key: 'k', value: 1 }), { kind: 'one_of', texts: ['1'], negated: false })
  t.match(test({ key: 'k', value: [true, 'X', 0.5] }), { texts: ['true', 'x', '0.5'] })
  t.match(test({ key: 'k', value: [], operator: 'is_not' }), { texts: [], negated: true })
  t.match(test({ key: 'k', value: 'a\0b' }), { texts: ['a\ufffdb'] })
  t.match(test({ key: 'k', operator: null, value: 'x' }), { kind: 'one_of' })
  t.match(test({ key: 'k', operator: 'gt', value: '1e3' }), { kind: 'number', number: 1_000 })
  t.match(test({ key: 'k', operator: 'is_date_after', value: '1970-01-01' }), {
    ...{ kind: 'time', relation: 'gt' },
    bound: { ms: 0 },
  })
  t.match(test({ key: 'k', operator: 'is_date_after', value: '-1d' }), {
    bound: { ms: -86_400_000 },
  })
  t.match(test({ key: 'k', operator: 'is_date_exact', value: '1970-01-01' }), {
    ...{ kind: 'day', from: 0 },
    before: 86_400_000,
  })
})

t.test('lists, groups and flat objects', async (t) => {
  t.match(read('  '), { value: { kind: 'and', nodes: [] } })
  t.match(parse([]), { value: { kind: 'and', nodes: [] } })
  t.match(parse({}), { value: { kind: 'and', nodes: [] } })
  t.match(parse({ type: 'OR', values: [] }), { value: { kind: 'and', nodes: [] } })
  t.match(parse({ type: 'OR', values: [{ key: 'k', value: 1 }] }), { value: { kind: 'or' } })
  t.match(parse({ key: 'k', value: 1 }), { value: { kind: 'property', key: 'k' } })
  const flat = { a__icontains: 'x', b: [1], c__d: 2, e__f__gt: 3, __proto__gt: 1 }
  t.match(parse(flat), {
    value: {
      nodes: [
        { key: 'a', condition: { value: { kind: 'text' } } },
        { key: 'b', condition: { value: { kind: 'one_of' } } },
        { key: 'c__d', condition: { value: { kind: 'one_of' } } },
        { key: 'e__f', condition: { value: { kind: 'number' } } },
      ],
    },
  })
})

t.test('patterns are spelled as Postgres spells them', async (t) => {
  t.equal(inPostgres('\\bfoo\\B'), '\\yfoo\\Y')
  t.equal(inPostgres('a\\z'), 'a\\Z')
  t.equal(inPostgres('(?P<year>\\d+)'), '(\\d+)')
  t.equal(inPostgres('(?<year>\\d+)'), '(\\d+)')
  t.equal(inPostgres('[(?P<]x\\\\b'), '[(?P<]x\\\\b')
  t.equal(inPostgres('[]b]\\b'), '[]b]\\y')
  for (const pattern of ['(', '(a)\\1', '(?=a)', 'a**', 'x'.repeat(1_001), '((a?){30}){30}']) {
    t.notOk(isPattern(pattern), pattern)
  }
})

t.test('no text of a request becomes text of a statement', async (t) => {
  const marked = fc.string({ unit: codePoint, maxLength: 12 }).map((text) => `zq${text}'"$1;--`)
  const operator = fc.constantFrom(
    ...['exact', 'is_not', 'icontains', 'not_icontains', 'regex', 'not_regex', 'is_set'],
    ...['is_not_set'],
  )
  const filter = fc.record({
    key: marked,
    value: marked,
    operator,
    type: fc.constantFrom('event', 'person'),
  })
  const group = fc.record({
    type: fc.constantFrom('AND', 'OR'),
    values: fc.array(filter, { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.oneof(fc.array(filter, { maxLength: 4 }), group), (json) => {
      const parsed = parse(json)
      if (!parsed.ok) return false
      const written = render(filterSql(parsed.value, projectId(1)))
      const copy = JSON.parse(JSON.stringify(parsed.value)) as FilterNode
      t.strictSame(render(filterSql(copy, projectId(1))), written, 'a filter is data')
      const { text, values } = written
      const placeholders = text.match(/\$\d+::text/g) ?? []
      return !text.includes('zq') && placeholders.length === values.length
    }),
  )
})

t.test('the shape of a condition depends on its operators only', async (t) => {
  const shape = (key: string, value: string) => {
    const parsed = parse([{ key, value, operator: 'icontains' }])
    if (!parsed.ok) throw new Error(parsed.error.detail)
    return render(filterSql(parsed.value, projectId(1))).text
  }
  t.equal(shape('a', 'b'), shape("x') or true --", 'or_true--'))
  t.equal(shape('a', '1'), shape("x') or true --", "') or true"))
})

t.test(
  'persons are joined only for filters of persons, refused patterns match nothing',
  async (t) => {
    const node = (source: 'event' | 'person'): FilterNode => ({
      kind: 'property',
      source,
      key: 'k',
      condition: conditionOf('not_regex', 'p'),
    })
    t.notOk(asksOfPerson(node('event')))
    t.ok(asksOfPerson(node('person')))
    t.strictSame(patternsIn(node('event')), ['p'])
    const condition = conditionOf('not_regex', 'p')
    const group: FilterNode = { kind: 'group', index: 0, key: 'k', condition }
    for (const each of [node('event'), node('person'), group]) {
      const both: FilterNode = { kind: 'and', nodes: [each, { kind: 'named', event: 'e' }] }
      const left = withoutPatterns(both, new Set(['p']))
      t.equal(render(filterSql(left, projectId(1))).text, '((false) and e.event = $1::text)')
      t.equal(withoutPatterns(both, new Set()), both)
    }
  },
)

t.test('an expression is a filter among others', async (t) => {
  const expression = (key: unknown, more = {}) => parse([{ type: 'hogql', key, ...more }])
  t.match(expression("event = 'x'"), { value: { nodes: [{ kind: 'expression' }] } })
  t.match(expression('properties.flag', { operator: 'no such', value: {} }), { ok: true })
  const group = {
    type: 'OR',
    values: [
      { type: 'hogql', key: 'true' },
      { key: 'k', value: 1 },
    ],
  }
  t.match(parse(group), { value: { kind: 'or', nodes: [{ kind: 'expression' }, {}] } })
  for (const [key, detail] of [
    [1, 'The key of a filter of type hogql is a text.'],
    ['', 'Expected a value but found the end at character 1 of "".'],
    ['foo', 'Unknown field "foo" at character 1 of "foo".'],
    ['1', 'A number stands where a condition is needed at character 1 of "1".'],
    ['count() > 1', /^An aggregate has a place only in a query with select at character 1/],
    [`'${'x'.repeat(EXPRESSION_CHARS_MAX)}'`, /longer than/],
  ] as const) {
    t.match(expression(key), { ok: false, error: { attr: 'properties', detail } })
  }
  const half = Array.from({ length: EXPRESSION_NODES_MAX / 4 + 1 }, () => '1').join('+')
  const filter = { type: 'hogql', key: `${half} > 1` }
  t.ok(parse([filter]).ok)
  t.match(parse([filter, filter]), { error: { detail: /parts together/ } }, 'with one budget')
})

t.test('an expression is in brackets, and says whether it asks for a person', async (t) => {
  const condition = (key: string) => {
    const parsed = parse([{ type: 'hogql', key }])
    if (!parsed.ok) throw new Error(parsed.error.detail)
    return parsed.value
  }
  t.notOk(asksOfPerson(condition('event = distinct_id or true')))
  t.ok(asksOfPerson(condition('person_id is null')))
  const where = filterSql(condition('true or true'), projectId(1))
  t.match(render(where).text, /^\(\(\(\(\$1::text::boolean\) or \(\$2::text::boolean\)\)\)\)$/)
})
