import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eventFiltersOf, parametersOf } from '../../../gateway/console/kit/filters/event-filters.ts'
import { asProperties, propertyOf } from '../../../gateway/console/kit/filters/expression.ts'
import { operandFilter } from '../../../gateway/console/kit/filters/expression-filters.ts'
import { filtersOf, sentenceOf, wordsOf } from '../../../gateway/console/kit/filters/filter.ts'
import { isOperator } from '../../../src/conditions/read-condition.ts'
import { packageRoot } from '../../../src/core/package-root.ts'

t.test('comparisons have words', async (t) => {
  const words = {
    ...{ exact: 'is', is_not: 'is not', icontains: 'contains', not_icontains: 'does not contain' },
    ...{ not_starts_with: 'does not start with', ends_with: 'ends with', regex: 'matches' },
    ...{ not_regex: 'does not match', gte: '≥', between: 'between', is_not_set: 'is not set' },
    ...{ is_date_exact: 'is on', is_date_before: 'is before', is_date_after: 'is after' },
    ...{ semver_lt: 'version <', semver_caret: 'version caret', not_in: 'not in cohort' },
    ...{ constructor: 'constructor' },
  }
  for (const [operator, said] of Object.entries(words)) t.equal(wordsOf(operator), said)
})

t.test('the dialog offers comparisons that conditions have, and no other', async (t) => {
  const dialog = join(packageRoot, 'gateway/console/kit/filters/filter-dialog.tsx')
  const [, list = ''] =
    /const OPERATORS =\n((?: +'.*' ?\+?\n)+)/.exec(readFileSync(dialog, 'utf8')) ?? []
  const offered = list.match(/[a-z_]+/g) ?? []
  t.ok(offered.length > 25)
  t.strictSame(
    offered.filter((each) => !isOperator(each)),
    [],
  )
})

t.test('an address of events holds filters on properties as questions do', (t) => {
  const json = [
    { type: 'event', key: 'plan', operator: 'exact', value: ['Pro'] },
    { type: 'event', key: 'plan', operator: 'icontains', value: 'p' },
    { type: 'person', key: 'age', operator: 'between', value: ['1', '20'] },
    { type: 'person', key: 'email', operator: 'is_set' },
  ]
  const name = { type: 'event_metadata', key: 'event', operator: 'exact', value: ['paid'] }
  const unknown = { ...name, operator: 'gt', value: 'a' }
  const filters = filtersOf(JSON.stringify([name, ...json, unknown]))
  const parameters = parametersOf(filters)
  t.strictSame(parameters, {
    where: "event = 'paid'",
    properties: JSON.stringify([...json, unknown]),
  })
  const address = new URLSearchParams(parameters as Record<string, string>)
  t.strictSame(eventFiltersOf(address), filters)
  t.strictSame(asProperties(filters.slice(1)), [...json, unknown], 'the same filters')
  t.strictSame(filters.map(sentenceOf), [
    ...['event is paid', 'plan is Pro', 'plan contains p', 'age between 1 and 20'],
    ...['email is set', 'event > a'],
  ])
  t.end()
})

t.test('an expression of a link stays an expression', (t) => {
  const where = "properties.plan = 'Pro' and notEmpty(properties.a)"
  const filters = eventFiltersOf(new URLSearchParams({ where }))
  t.strictSame(
    filters.map(({ type, key }) => [type, key]),
    [
      ['hogql', "properties.plan = 'Pro'"],
      ['hogql', 'notEmpty(properties.a)'],
    ],
  )
  t.strictSame(parametersOf(filters), {
    where: JSON.stringify(["properties.plan = 'Pro'", 'notEmpty(properties.a)']),
    properties: undefined,
  })
  t.end()
})

t.test('the values of a facet are of what its expression names', (t) => {
  const named = { event: 'event_metadata', distinct_id: 'event_metadata' }
  for (const [key, type] of Object.entries(named)) t.strictSame(operandFilter(key), { type, key })
  for (const type of ['event', 'person'] as const) {
    for (const key of ['plan', 'my `key`', 'in', 'event']) {
      t.strictSame(operandFilter(propertyOf(type, key)), { type, key })
    }
  }
  for (const none of [
    '',
    'timestamp',
    'event = 1',
    'properties.a.b',
    'lower(event)',
    'properties',
  ]) {
    t.equal(operandFilter(none), undefined, none)
  }
  t.end()
})
