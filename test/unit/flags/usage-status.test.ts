import t from 'tap'
import { isForEverybody, usageStatus } from '../../../src/flags/usage-status.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-06-30T12:00:00Z')
const EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }
const HALF = { groups: [{ properties: [], rollout_percentage: 50 }] }
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }

/** An old flag, on for half of the persons, in a project whose libraries report calls. */
const FLAG = {
  ...{ active: true, filters: HALF, calledAtMs: undefined, hasReports: true },
  ...{ createdAtMs: NOW_MS - 90 * DAY_MS, changedAtMs: NOW_MS - 60 * DAY_MS },
}
const called = (days: number) => ({ calledAtMs: NOW_MS - days * DAY_MS })

t.test('a flag is active for 30 days after a call, and stale then', (t) => {
  t.equal(usageStatus({ ...FLAG, ...called(29.9) }, NOW_MS).status, 'active')
  t.strictSame(usageStatus({ ...FLAG, ...called(31) }, NOW_MS), {
    status: 'stale',
    reason: 'No library has reported a call for 31 days.',
  })
  t.equal(usageStatus({ ...FLAG, ...called(1), active: false }, NOW_MS).status, 'off')
  t.end()
})

t.test('a flag that was never called is judged by its age and by the reports of others', (t) => {
  t.equal(usageStatus(FLAG, NOW_MS).status, 'stale', 'others are called, and it is not')
  t.equal(usageStatus({ ...FLAG, hasReports: false }, NOW_MS).status, 'unknown')
  const young = { ...FLAG, createdAtMs: NOW_MS - DAY_MS, changedAtMs: NOW_MS - DAY_MS }
  t.equal(usageStatus(young, NOW_MS).status, 'new')
  const over = { ...FLAG, filters: EVERYBODY, hasReports: false }
  t.match(usageStatus(over, NOW_MS), { status: 'stale', reason: /unchanged for 60 days/ })
  t.equal(usageStatus({ ...over, changedAtMs: NOW_MS - DAY_MS }, NOW_MS).status, 'unknown')
  t.end()
})

t.test('a flag is for everybody when its first set gives all persons one value', (t) => {
  const red = { key: 'red', rollout_percentage: 60 }
  const blue = { key: 'blue', rollout_percentage: 40 }
  const split = { ...EVERYBODY, multivariate: { variants: [red, blue] } }
  const all = { ...EVERYBODY, multivariate: { variants: [{ ...red, rollout_percentage: 100 }] } }
  const forced = { ...split, groups: [{ properties: [], variant: 'red' }] }
  for (const filters of [EVERYBODY, all, forced, { groups: [{}] }]) {
    t.ok(isForEverybody(filters), JSON.stringify(filters))
  }
  const some = { groups: [{ properties: [PRO], rollout_percentage: 100 }, ...EVERYBODY.groups] }
  const ofGroups = { ...EVERYBODY, aggregation_group_type_index: 0 }
  for (const filters of [HALF, split, some, ofGroups, { groups: [] }, {}, null, 'x']) {
    t.notOk(isForEverybody(filters), JSON.stringify(filters))
  }
  t.end()
})
