import t from 'tap'
import { flagWarnings } from '../../../../src/flags/checks/flag-warnings.ts'
import { oneSet, person } from '../support.ts'

t.test(
  'a stored condition that nothing can meet is told with its set and its reason',
  async (t) => {
    const filters = {
      groups: [
        { properties: [person('plan', 'pro', 'exact')], rollout_percentage: 100 },
        { properties: [person('plan', 'x', 'equals'), person('age', '2026-01-01', 'gt')] },
        {
          properties: [
            { type: 'cohort', key: 'id', value: 1 },
            { type: 'flag', key: '1', value: true },
          ],
        },
      ],
    }
    t.match(flagWarnings(filters), [
      /^Condition set 2 matches nobody: "plan" never holds\. The operator must be one of /,
      'Condition set 2 matches nobody: "age" never holds. The operator gt needs a number.',
    ])
  },
)

t.test('so are those of the gates of a flag, and of an older row', async (t) => {
  const set = { properties: [person('plan', 'x', 'equals')] }
  const gates = { groups: [], super_groups: [set, set], holdout_groups: [set] }
  t.match(flagWarnings(gates), [
    /^The early access group matches nobody: "plan" never holds\./,
    /^The holdout matches nobody: "plan" never holds\./,
  ])
  t.match(flagWarnings(set), [/^Condition set 1 matches nobody: "plan" never holds\./])
})

t.test('whatever is stored, warnings are few and nothing is thrown', async (t) => {
  for (const filters of [
    undefined,
    null,
    7,
    [],
    { groups: 5 },
    { groups: [null, { properties: 1 }] },
  ]) {
    t.strictSame(flagWarnings(filters), [])
  }
  const many = Array.from({ length: 500 }, () => person('a', '(', 'regex'))
  t.equal(flagWarnings(oneSet(many)).length, 20)
})
