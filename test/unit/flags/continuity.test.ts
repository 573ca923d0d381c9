import t from 'tap'
import { continuityWrites, hashKeyOverrides } from '../../../src/flags/continuity.ts'
import { storedNeeds } from '../../../src/flags/needs.ts'
import { ask, flag, oneSet, snapshot, valuesOf } from './support.ts'

// Under the key of the golden vectors, distinct_id_0 is out at 45 % and distinct_id_1 is in.
const KEY = 'simple-flag'
const KEPT = { ensureExperienceContinuity: true }
const compiled = snapshot([flag(1, KEY, oneSet([], 45), KEPT), flag(2, 'plain', oneSet([]))])
const request = { distinctId: 'distinct_id_0', anonDistinctId: 'distinct_id_1' }

t.test('without an anonymous id or without such a flag nothing is stored', async (t) => {
  t.same(continuityWrites(compiled, { distinctId: 'x' }, ['p'], []), [])
  t.same(continuityWrites(compiled, { distinctId: 'x', anonDistinctId: '' }, ['p'], []), [])
  const others = snapshot([
    flag(1, 'plain', oneSet([])),
    flag(2, 'off', oneSet([]), { ...KEPT, active: false }),
    flag(3, 'group', { ...oneSet([], 50), aggregation_group_type_index: 0 }, KEPT),
    flag(4, 'device', oneSet([], 50), { ...KEPT, bucketingIdentifier: 'device_id' }),
  ])
  t.same(continuityWrites(others, request, ['p'], []), [])
  t.equal(storedNeeds(others, request).continuityWrites, false)
})

t.test('an unknown person stores nothing, and hashes the anonymous id all the same', async (t) => {
  t.same(continuityWrites(compiled, request, [undefined, undefined], []), [])
  t.equal(valuesOf(ask(compiled, request))[KEY], true)
})

t.test('each owner gets the anonymous id once, and the first entry stays', async (t) => {
  const existing = [{ person: 2, flagKey: KEY, hashKey: 'older' }]
  const rows = continuityWrites(compiled, request, [1, 2, 1, undefined], existing)
  t.same(rows, [{ person: 1, flagKey: KEY, hashKey: 'distinct_id_1' }])
  t.same(continuityWrites(compiled, request, [1, 2], [...existing, ...rows]), [])
})

t.test("stored keys of the distinct id's person come before the anonymous one's", async (t) => {
  const rows = [
    { person: 'anonymous', flagKey: KEY, hashKey: 'a' },
    { person: 'known', flagKey: KEY, hashKey: 'b' },
    { person: 'anonymous', flagKey: 'other', hashKey: 'c' },
    { person: 'stranger', flagKey: 'third', hashKey: 'd' },
  ]
  const overrides = hashKeyOverrides(['known', 'anonymous'], rows)
  t.same(
    [...overrides],
    [
      [KEY, 'b'],
      ['other', 'c'],
    ],
  )
})

t.test('a stored key wins over the anonymous id, and counts without one', async (t) => {
  const stored = { hashKeyOverrides: new Map([[KEY, 'distinct_id_0']]) }
  t.equal(valuesOf(ask(compiled, request, stored))[KEY], false)
  const kept = { hashKeyOverrides: new Map([[KEY, 'distinct_id_1']]) }
  const answer = ask(compiled, { distinctId: 'distinct_id_0' }, kept)
  t.equal(valuesOf(answer)[KEY], true)
  t.equal(answer.dependsOnStored, true)
})

t.test('group flags never read stored keys', async (t) => {
  const filters = { ...oneSet([], 45), aggregation_group_type_index: 0 }
  const groups = snapshot([flag(1, KEY, filters, KEPT)])
  const stored = { hashKeyOverrides: new Map([[KEY, 'distinct_id_1']]) }
  const asked = ask(groups, { ...request, groups: { company: 'distinct_id_0' } }, stored)
  t.same(valuesOf(asked), { [KEY]: false })
})

t.test(
  'when stored keys cannot be read these flags are failed, the others evaluated',
  async (t) => {
    const answer = ask(compiled, request, { hashKeyOverrides: 'unavailable' })
    t.same(valuesOf(answer), { [KEY]: false, plain: true })
    t.equal(answer.errorsWhileComputingFlags, true)
    t.equal(answer.results[0]?.failed, true)
  },
)
