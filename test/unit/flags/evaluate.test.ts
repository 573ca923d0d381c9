import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../src/core/json.ts'
import { bucketOf } from '../../../src/flags/bucketing.ts'
import { evaluate } from '../../../src/flags/evaluate.ts'
import { ask, flag, oneSet, person, resultFor, snapshot, valuesOf } from './support.ts'

const ON = { properties: [], rollout_percentage: 100 }
const OFF = { properties: [], rollout_percentage: 0 }
const VARIANTS = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
}
const PRO = { properties: [person('plan', 'pro')], rollout_percentage: 100 }

function reasonOf(filters: object, request = {}, stored = {}) {
  const result = resultFor(ask(snapshot([flag(1, 'f', filters)]), request, stored), 'f')
  return [result?.value, result?.reason.code, result?.reason.conditionIndex]
}

t.test('inactive and deleted flags are left out of the answer', async (t) => {
  const flags = [
    flag(1, 'gone', oneSet([]), { deleted: true }),
    flag(2, 'off', oneSet([]), { active: false }),
    flag(3, 'on', oneSet([])),
  ]
  t.same(valuesOf(ask(snapshot(flags))), { on: true })
})

t.test('broken stored filters match nobody and take nothing else down', async (t) => {
  const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
  const broken = [null, 5, 'x', [], { groups: 5 }, { groups: [null, 7, { properties: 'x' }] }]
  const odd = [
    oneSet([null]),
    oneSet([{ type: 'person' }]),
    oneSet([{ type: 'behavioral', key: 'x' }]),
    oneSet([{ type: 'cohort', value: {} }]),
    oneSet([{ type: 'group', key: 'x', value: 'x', group_type_index: 9 }]),
    { groups: [{ properties: [], rollout_percentage: 'half' }] },
    { groups: deep, multivariate: deep, payloads: deep, super_groups: deep, holdout: deep },
  ]
  const flags = [...broken, ...odd].map((filters, at) => flag(at + 1, `f${at}`, filters))
  const answer = ask(snapshot([...flags, flag(100, 'fine', oneSet([]))]))
  t.equal(answer.results.length, flags.length + 1)
  for (const result of answer.results) t.equal(result.value, result.key === 'fine', result.key)
  t.equal(answer.errorsWhileComputingFlags, false)
})

t.test('hostile requests are harmless', async (t) => {
  const compiled = snapshot([
    flag(1, 'proto', oneSet([person('__proto__', 'x', 'is_set')])),
    flag(2, 'constructor', oneSet([person('constructor', 'x', 'is_set')])),
    flag(3, 'group', { ...oneSet([]), aggregation_group_type_index: 0 }),
  ])
  t.same(valuesOf(ask(compiled)), { proto: false, constructor: false, group: false })
  const sent = JSON.parse('{"__proto__":{"plan":"pro"}}')
  t.same(valuesOf(ask(compiled, { personProperties: sent, groups: sent, groupProperties: sent })), {
    ...{ proto: true, constructor: false, group: false },
  })
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (a, b, distinctId) => {
      const loose = { personProperties: a, groups: b, groupProperties: a, flagKeys: b }
      const request = JSON.parse(JSON.stringify({ distinctId, ...loose, evaluationContexts: a }))
      const first = evaluate(compiled, request, { personProperties: request.groups }, 0)
      t.same(evaluate(compiled, request, { personProperties: request.groups }, 0), first)
    }),
  )
})

t.test('any filters whatever compile and evaluate without throwing', async (t) => {
  const leaf = fc.record(
    {
      key: fc.oneof(fc.string(), fc.jsonValue()),
      type: fc.constantFrom('person', 'group', 'cohort', 'flag', 'event', null, 5),
      operator: fc.constantFrom('exact', 'regex', 'in', 'flag_evaluates_to', 'is_date_after', null),
      value: fc.jsonValue(),
      group_type_index: fc.constantFrom(0, 1, 9, 'x', null),
    },
    { requiredKeys: [] },
  )
  const set = fc.record(
    {
      properties: fc.oneof(fc.array(leaf), fc.jsonValue()),
      rollout_percentage: fc.oneof(fc.double(), fc.jsonValue()),
      variant: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const filters = fc.record(
    {
      groups: fc.oneof(fc.array(set), fc.jsonValue()),
      multivariate: fc.oneof(fc.constant(VARIANTS), fc.jsonValue()),
      payloads: fc.jsonValue(),
      super_groups: fc.oneof(fc.array(set), fc.jsonValue()),
      holdout_groups: fc.oneof(fc.array(set), fc.jsonValue()),
      holdout: fc.jsonValue(),
      aggregation_group_type_index: fc.constantFrom(undefined, null, 0, 7, 'x'),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(filters, fc.dictionary(fc.string(), fc.jsonValue()), (raw, properties) => {
      const answer = ask(snapshot([flag(1, 'f', raw)]), {
        personProperties: properties as JsonObject,
      })
      t.equal(answer.results.length, 1)
      t.doesNotThrow(() => JSON.parse(`{${answer.results[0]?.fragments.detailed}}`))
    }),
  )
})

t.test('each reason names the best set that did not match, the later among equals', async (t) => {
  const vip = { properties: [person('plan', 'vip')], rollout_percentage: 100 }
  t.same(reasonOf({ groups: [] }), [false, 'no_condition_match', null])
  t.same(reasonOf({ groups: [PRO, vip] }), [false, 'no_condition_match', 1])
  t.same(reasonOf({ groups: [OFF, PRO] }), [false, 'out_of_rollout_bound', 0])
  t.same(reasonOf({ groups: [OFF, OFF, PRO] }), [false, 'out_of_rollout_bound', 1])
  t.same(reasonOf({ groups: [PRO, ON] }), [true, 'condition_match', 1])
  const byGroup = { ...ON, aggregation_group_type_index: 0 }
  t.same(reasonOf({ groups: [byGroup, byGroup] }), [false, 'no_group_type', 1])
  t.same(reasonOf({ groups: [PRO, byGroup] }), [false, 'no_condition_match', 0])
})

t.test('early exit stops after a set that failed only on its rollout', async (t) => {
  const filters = { groups: [PRO, OFF, ON], early_exit: true }
  t.same(reasonOf(filters), [false, 'out_of_rollout_bound', 1])
  t.same(reasonOf({ ...filters, early_exit: false }), [true, 'condition_match', 2])
  t.same(reasonOf({ groups: [PRO, ON], early_exit: true }), [true, 'condition_match', 1])
})

t.test('sets keep their listed order, forced variants or not', async (t) => {
  const groups = [ON, { ...ON, variant: 'test' }]
  t.same(reasonOf({ groups, multivariate: VARIANTS }), ['control', 'condition_match', 0])
  t.same(reasonOf({ groups: groups.toReversed(), multivariate: VARIANTS })[0], 'test')
})

t.test('group flags hash the group key, which may be a number', async (t) => {
  const filters = { groups: [{ ...ON, rollout_percentage: 40 }], aggregation_group_type_index: 0 }
  for (const company of ['c1', 'c2', 'c3', 'c4', 'c5', 23]) {
    const inside = bucketOf('f.', String(company), '') <= 0.4
    t.equal(reasonOf(filters, { groups: { company } })[0], inside)
  }
  const all = { groups: [ON], aggregation_group_type_index: 0 }
  t.equal(reasonOf(all, { groups: { company: 7 } })[0], true)
  for (const company of ['', null, true, {}, []]) {
    t.same(reasonOf(all, { groups: { company } }), [false, 'no_group_type', 0])
  }
  t.same(reasonOf({ ...all, aggregation_group_type_index: 4 }, { groups: { company: 'c' } }), [
    ...[false, 'no_group_type', 0],
  ])
})

t.test('a filter reads the source that its own type names', async (t) => {
  const tier = { key: 'tier', type: 'group', group_type_index: 0, value: 'gold' }
  const request = { groups: { company: 'c' }, groupProperties: { company: { tier: 'gold' } } }
  t.equal(reasonOf(oneSet([tier, person('plan', 'pro')]), request)[0], false)
  const both = { ...request, personProperties: { plan: 'pro' } }
  t.equal(reasonOf(oneSet([tier, person('plan', 'pro')]), both)[0], true)
  const stored = { groupProperties: new Map([['company', { tier: 'gold' }]]) }
  t.equal(reasonOf(oneSet([tier]), { groups: { company: 'c' } }, stored)[0], true)
  t.equal(reasonOf(oneSet([tier]), {}, stored)[0], false)
  const inherited = { key: 'tier', type: 'group', value: 'gold' }
  t.equal(reasonOf({ ...oneSet([inherited]), aggregation_group_type_index: 0 }, request)[0], true)
})

t.test('request properties win over stored ones, null included', async (t) => {
  const filters = oneSet([person('plan', 'pro')])
  const stored = { personProperties: { plan: 'pro' } }
  t.equal(reasonOf(filters, {}, stored)[0], true)
  t.equal(reasonOf(filters, { personProperties: { plan: null } }, stored)[0], false)
  t.equal(reasonOf(filters, { personProperties: { plan: 'pro' } })[0], true)
})

t.test('initial properties are derived from the present ones when missing', async (t) => {
  const filters = oneSet([person('$initial_utm_source', 'ads')])
  t.equal(reasonOf(filters, { personProperties: { utm_source: 'ads' } })[0], true)
  t.equal(reasonOf(filters, {}, { personProperties: { utm_source: 'ads' } })[0], true)
  const both = { $initial_utm_source: 'mail', utm_source: 'ads' }
  t.equal(reasonOf(filters, { personProperties: both })[0], false)
  const browser = oneSet([person('$initial_browser', 'Chrome')])
  t.equal(reasonOf(browser, { personProperties: { $browser: 'Chrome' } })[0], true)
})

t.test('an early access opt-in is final where it applies', async (t) => {
  const key = '$feature_enrollment/f'
  const superGroup = { properties: [person(key, ['true'], 'exact')], rollout_percentage: 100 }
  const filters = { groups: [OFF], super_groups: [superGroup] }
  const sent = (value: unknown) => ({ personProperties: { [key]: value } })
  t.same(reasonOf(filters, sent(true)), [true, 'super_condition_value', 0])
  t.same(reasonOf({ ...filters, groups: [ON] }, sent('no')), [false, 'super_condition_value', 0])
  t.same(reasonOf(filters), [false, 'out_of_rollout_bound', 0])
  const none = { ...filters, super_groups: [{ ...superGroup, rollout_percentage: 0 }] }
  t.same(reasonOf(none, sent('true')), [false, 'super_condition_value', 0])
  const enrolled = { ...none, feature_enrollment: true }
  t.same(reasonOf(enrolled, sent('true')), [true, 'super_condition_value', 0])
  t.same(reasonOf(enrolled, sent(1)), [false, 'super_condition_value', 0])
  const grouped = { ...filters, groups: [ON], aggregation_group_type_index: 0 }
  t.same(reasonOf(grouped, { ...sent(true), groups: { company: 'c' } })[1], 'condition_match')
})

t.test('holdouts come before the sets and ignore the flag key', async (t) => {
  const filters = { groups: [ON], holdout: { id: 42, exclusion_percentage: 80 } }
  const request = { distinctId: 'some_distinct_id' }
  t.same(reasonOf(filters, request), ['holdout-42', 'holdout_condition_value', null])
  t.same(reasonOf({ ...filters, holdout: { id: 42, exclusion_percentage: 70 } }, request)[0], true)
  const old = { properties: [], rollout_percentage: 80, variant: 'holdout-9' }
  t.same(reasonOf({ groups: [OFF], holdout_groups: [old] }, request)[0], 'holdout-9')
  t.same(reasonOf({ groups: [ON], holdout: { id: 1, exclusion_percentage: 400 } })[0], 'holdout-1')
  t.same(reasonOf({ groups: [ON], holdout: { id: 1 } })[0], true)
  const grouped = { ...filters, aggregation_group_type_index: 0 }
  t.same(reasonOf(grouped, request), [false, 'no_group_type', 0])
  t.same(reasonOf(grouped, { groups: { company: 'some_distinct_id' } })[0], 'holdout-42')
})

t.test('rows without condition sets are read as one', async (t) => {
  t.same(reasonOf({}), [true, 'condition_match', 0])
  t.same(reasonOf({ properties: [person('plan', 'pro')] })[0], false)
  t.same(reasonOf({ properties: [], rollout_percentage: 0 })[1], 'out_of_rollout_bound')
  t.same(
    reasonOf(oneSet([{ key: 'plan', value: 'pro', type: 'event' }], null), {
      personProperties: { plan: 'pro' },
    })[0],
    true,
  )
})

t.test('payloads are texts, of flags that are on and not encrypted', async (t) => {
  const filters = { groups: [ON], payloads: { true: { a: 1 } } }
  const payload = (raw: object, rest = {}) =>
    ask(snapshot([flag(1, 'f', raw, rest)])).results[0]?.payload
  t.equal(payload(filters), '{"a":1}')
  t.equal(payload({ ...filters, payloads: { true: '"hi"' } }), '"hi"')
  t.equal(payload({ ...filters, groups: [OFF] }), undefined)
  t.equal(payload(filters, { hasEncryptedPayloads: true }), undefined)
  t.equal(payload({ ...filters, multivariate: VARIANTS }), undefined)
})

t.test('flags of another runtime or context are left out', async (t) => {
  const compiled = snapshot([
    flag(1, 'all', oneSet([])),
    flag(2, 'server', oneSet([]), { evaluationRuntime: 'server' }),
    flag(3, 'client', oneSet([]), { evaluationRuntime: 'client', evaluationContexts: ['web'] }),
  ])
  const keys = (request: object) => Object.keys(valuesOf(ask(compiled, request)))
  t.same(keys({}), ['all', 'server', 'client'])
  t.same(keys({ evaluationRuntime: 'client' }), ['all', 'client'])
  t.same(keys({ evaluationRuntime: 'server' }), ['all', 'server'])
  t.same(keys({ evaluationContexts: ['ios'] }), ['all', 'server'])
  t.same(keys({ evaluationContexts: ['ios', 'web'] }), ['all', 'server', 'client'])
  t.same(keys({ flagKeys: ['client', 'nope'], evaluationRuntime: 'server' }), [])
})

t.test('a device id is hashed where the flag says so and the request has one', async (t) => {
  const compiled = snapshot([
    flag(1, 'simple-flag', oneSet([], 45), { bucketingIdentifier: 'device_id' }),
  ])
  const valueFor = (request: object) => resultFor(ask(compiled, request), 'simple-flag')?.value
  t.equal(valueFor({ distinctId: 'distinct_id_0' }), false)
  t.equal(valueFor({ distinctId: 'distinct_id_0', deviceId: 'distinct_id_1' }), true)
})

t.test('an answer depends on stored data only if that was looked at', async (t) => {
  const rollout = snapshot([flag(1, 'f', { ...oneSet([], 50), multivariate: VARIANTS })])
  t.equal(ask(rollout).dependsOnStored, false)
  const filtered = snapshot([flag(1, 'f', oneSet([person('plan', 'pro')]))])
  t.equal(ask(filtered).dependsOnStored, true, 'also when nothing is stored')
  t.equal(ask(filtered, { personProperties: { plan: 'x' } }).dependsOnStored, false)
  const own = snapshot([flag(1, 'f', oneSet([person('distinct_id', 'u1')]))])
  t.equal(ask(own).dependsOnStored, false)
})

t.test('an answer depends on time only by a relative date that was looked at', async (t) => {
  const joined = (value: string) =>
    snapshot([flag(1, 'f', oneSet([person('joined', value, 'is_date_after')]))])
  const request = { personProperties: { joined: '2024-04-30' } }
  t.equal(ask(joined('-7d'), request).timeDependent, true)
  t.equal(ask(joined('2024-01-01'), request).timeDependent, false)
  t.equal(ask(joined('-7d')).timeDependent, false)
})

t.test('flags that read what the store cannot answer are failed, the others are not', async (t) => {
  const compiled = snapshot([
    flag(1, 'plain', oneSet([])),
    flag(2, 'not', oneSet([person('plan', 'pro', 'is_not')])),
  ])
  const answer = ask(compiled, {}, { personProperties: 'unavailable' })
  t.same(valuesOf(answer), { plain: true, not: false })
  t.equal(answer.errorsWhileComputingFlags, true)
  t.match(resultFor(answer, 'not'), { failed: true, reason: { code: 'database_unavailable' } })
  const sent = ask(
    compiled,
    { personProperties: { plan: 'x' } },
    { personProperties: 'unavailable' },
  )
  t.same(valuesOf(sent), { plain: true, not: true })
  t.equal(sent.errorsWhileComputingFlags, false)
})

t.test(
  'costly regular expressions stop matching once the evaluation has done enough',
  async (t) => {
    const pattern = `(?:${'(a|b)'.repeat(20)})*c`
    const many = Array.from({ length: 200 }, (_, id) =>
      flag(id + 1, `f${id}`, oneSet([person('text', `${pattern}|a$`, 'regex')])),
    )
    const answer = ask(snapshot(many), { personProperties: { text: 'a'.repeat(1_000) } })
    const on = answer.results.filter((result) => result.value === true).length
    t.ok(on > 0 && on < many.length, `${on} of ${many.length}`)
    t.equal(answer.errorsWhileComputingFlags, false)
  },
)
