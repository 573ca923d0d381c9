import t from 'tap'
import { storedNeeds } from '../../../src/flags/needs.ts'
import { cohort, flag, oneSet, person, snapshot } from './support.ts'

const NOTHING = {
  ...{ personProperties: [], groups: [], hashKeyOverrides: false },
  ...{ staticCohorts: false, continuityWrites: false },
}

t.test('flags that only roll out need nothing stored', async (t) => {
  const compiled = snapshot([flag(1, 'a', oneSet([], 50)), flag(2, 'b', oneSet([]))])
  t.same(storedNeeds(compiled, { distinctId: 'x', anonDistinctId: 'y' }), NOTHING)
})

t.test('properties that the request brings along are not fetched', async (t) => {
  const filters = oneSet([person('plan', 'pro'), person('distinct_id', 'x')])
  const compiled = snapshot([flag(1, 'a', filters)])
  t.same(storedNeeds(compiled, { distinctId: 'x', personProperties: { plan: null } }), NOTHING)
  t.same(storedNeeds(compiled, { distinctId: 'x' }).personProperties, ['plan'])
})

t.test('a first value may be derived from two others, and all three are fetched', async (t) => {
  const compiled = snapshot([flag(1, 'a', oneSet([person('$initial_browser', 'Safari')]))])
  const fetched = storedNeeds(compiled, { distinctId: 'x' }).personProperties
  t.same(fetched, ['$initial_browser', 'browser', '$browser'])
})

t.test('only flags that are asked for, and their dependencies, count', async (t) => {
  const on = { key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true }
  const compiled = snapshot([
    flag(1, 'a', oneSet([person('plan', 'pro')])),
    flag(2, 'b', oneSet([on])),
    flag(3, 'c', oneSet([])),
    flag(4, 'd', oneSet([person('x', 'y')]), { active: false }),
  ])
  const needs = (flagKeys: string[]) =>
    storedNeeds(compiled, { distinctId: 'x', flagKeys }).personProperties
  t.same(needs(['c']), [])
  t.same(needs(['b']), ['plan'])
  t.same(needs(['d']), [])
})

t.test('groups are fetched when the request names them', async (t) => {
  const tier = { key: 'tier', type: 'group', group_type_index: 0, value: 'gold' }
  const compiled = snapshot([flag(1, 'a', oneSet([tier]))])
  const request = { distinctId: 'x', groups: { company: 'c', project: 'p' } }
  t.same(storedNeeds(compiled, request).groups, [
    { type: 'company', key: 'c', properties: ['tier'] },
  ])
  t.same(storedNeeds(compiled, { distinctId: 'x' }).groups, [])
  const sent = { ...request, groupProperties: { company: { tier: 'x' } } }
  t.same(storedNeeds(compiled, sent).groups, [])
})

t.test('cohorts need their inner properties and stored membership', async (t) => {
  const inner = { key: 'id', type: 'cohort', value: 1 }
  const cohorts = [
    cohort(1, [person('plan', 'pro')]),
    cohort(2, [inner]),
    cohort(3, {}, { isStatic: true }),
  ]
  const needs = (value: number) =>
    storedNeeds(snapshot([flag(1, 'a', oneSet([{ ...inner, value }]))], cohorts), {
      distinctId: 'x',
    })
  t.same(needs(2), { ...NOTHING, personProperties: ['plan'] })
  t.same(needs(3), { ...NOTHING, staticCohorts: true })
})

t.test('an early access opt-in needs the property it reads', async (t) => {
  const compiled = snapshot([flag(1, 'a', { ...oneSet([]), feature_enrollment: true })])
  t.same(storedNeeds(compiled, { distinctId: 'x' }).personProperties, ['$feature_enrollment/a'])
  const personProperties = { '$feature_enrollment/a': true }
  t.same(storedNeeds(compiled, { distinctId: 'x', personProperties }), NOTHING)
})

t.test('continuity needs stored keys only where a hash decides', async (t) => {
  const kept = { ensureExperienceContinuity: true }
  const hashed = snapshot([flag(1, 'a', oneSet([], 50), kept)])
  t.same(storedNeeds(hashed, { distinctId: 'x' }), { ...NOTHING, hashKeyOverrides: true })
  const everybody = snapshot([flag(1, 'a', oneSet([]), kept)])
  t.same(storedNeeds(everybody, { distinctId: 'x' }), NOTHING)
  const identified = { distinctId: 'x', anonDistinctId: 'y' }
  t.same(storedNeeds(everybody, identified), { ...NOTHING, continuityWrites: true })
})
