import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parametersOf } from '../../../gateway/console/kit/filters/event-filters.ts'
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

t.test('a filter that no expression covers is one of its own in an address', async (t) => {
  const json = [
    { type: 'event', key: 'plan', operator: 'exact', value: ['pro'] },
    { type: 'event', key: 'plan', operator: 'starts_with', value: 'p' },
    { type: 'person', key: 'age', operator: 'between', value: ['1', '20'] },
  ]
  const filters = filtersOf(JSON.stringify(json))
  t.strictSame(filters, json)
  t.strictSame(parametersOf(filters), {
    where: "properties.plan = 'pro'",
    properties: JSON.stringify(json.slice(1)),
  })
  t.strictSame(filters.slice(1).map(sentenceOf), ['plan starts with p', 'age between 1 and 20'])
})
