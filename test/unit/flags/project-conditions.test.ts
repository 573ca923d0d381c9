import t from 'tap'
import { judgeSum } from '../../../src/flags/checks/project-conditions.ts'
import { cohort, flag } from './support.ts'

function conditions(count: number): object[] {
  return Array.from({ length: count }, () => ({ type: 'person', key: 'a', value: 'b' }))
}

function of(values: readonly object[]): unknown {
  return JSON.parse(JSON.stringify({ properties: { type: 'OR', values } }))
}

t.test('flags and cohorts of a project have a bound together', async (t) => {
  const flags = [1, 2].map((id) => flag(id, `f${id}`, { groups: [{ properties: conditions(40) }] }))
  const nested = [{ type: 'AND', values: conditions(17) }]
  const cohorts = [cohort(1, of(nested))]
  // Two sets and 80 conditions; two groups, what holds them, and 17.
  const sum = 82 + 20
  t.ok(judgeSum({ flags, cohorts }, sum).ok)
  t.match(judgeSum({ flags, cohorts }, sum - 1), {
    ok: false,
    error: { code: 'invalid_input', attr: 'filters', detail: /have at most 101 conditions/ },
  })
  const gone = flags.map((each) => ({ ...each, deleted: true }))
  t.ok(judgeSum({ flags: gone, cohorts }, 20).ok, 'what is deleted does not count')
  t.ok(judgeSum({ flags: [], cohorts: cohorts.map((c) => ({ ...c, isStatic: true })) }, 0).ok)
})
