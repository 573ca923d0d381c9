import fc from 'fast-check'
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { FLAG_FILTERS_MAX } from '../../../../src/core/limits/limits.ts'
import type { CohortDefinition, FlagDefinition } from '../../../../src/flags/definition.ts'
import { LOCAL_CHAIN_KEYS_MAX } from '../../../../src/flags/local/local-dependencies.ts'
import { localDefinitions } from '../../../../src/flags/local/local-evaluation.ts'
import { workAtOnce } from '../../../support/work-at-once.ts'
import { ask, cohort, flag, oneSet, person, resultFor, snapshot } from '../support.ts'

const inCohort = (id: number, operator?: string) => ({
  ...{ key: 'id', type: 'cohort', value: id },
  ...(operator === undefined ? {} : { operator }),
})
const onFlag = (key: unknown, value: unknown = true) => ({
  ...{ key, type: 'flag', value, operator: 'flag_evaluates_to' },
})

function given(
  flags: readonly FlagDefinition[],
  cohorts: readonly CohortDefinition[] = [],
  withCohorts = false,
) {
  const sources = { flags, cohorts, groupTypes: new Map(), timezone: 'UTC' }
  return workAtOnce(localDefinitions(sources, { withCohorts }))
}

/** Filters of the only flag, beside cohorts that are not asked for. */
function filtersOf(filters: unknown, cohorts: readonly CohortDefinition[] = []): unknown {
  return given([flag(1, 'f', filters)], cohorts).flags[0]?.filters
}

t.test('filters are given as saved, keys in their order', async (t) => {
  const saved = {
    multivariate: { variants: [{ rollout_percentage: 100, name: 'A', key: 'a' }] },
    holdout: { id: 1, exclusion_percentage: 5 },
    payloads: { a: '{"x": 1}' },
    early_exit: true,
    groups: [{ rollout_percentage: 12.5, properties: [person('email', 'x')], note: 'kept' }],
  }
  t.equal(JSON.stringify(filtersOf(saved)), JSON.stringify(saved))
  t.same(filtersOf({ groups: [] }), { groups: [] })
})

t.test('deleted flags are left out, inactive ones sent, in the order of ids', async (t) => {
  const { flags } = given([
    flag(3, 'c', {}),
    flag(1, 'a', {}, { active: false }),
    flag(2, 'b', {}, { deleted: true }),
  ])
  t.same(
    flags.map(({ key, active }) => [key, active]),
    [
      ['a', false],
      ['c', true],
    ],
  )
})

t.test('the single set of an older row stands among groups', async (t) => {
  const properties = [person('a', 1)]
  const groups = [{ properties, rollout_percentage: 40 }]
  t.match(filtersOf({ properties, rollout_percentage: 40 }), { groups })
  t.match(filtersOf({}), { groups: [{ properties: [], rollout_percentage: null }] })
  t.match(filtersOf(null), { groups: [{ properties: [], rollout_percentage: null }] })
})

t.test('payloads are texts', async (t) => {
  const payloads = { true: { a: [1] }, other: '"text"' }
  t.match(filtersOf({ ...oneSet([]), payloads }), {
    payloads: { true: '{"a":[1]}', other: '"text"' },
  })
})

t.test('a flag names those it depends on by key, with the order of evaluation', async (t) => {
  const { flags } = given([
    flag(1, 'base', oneSet([])),
    flag(2, 'middle', oneSet([onFlag('1')])),
    flag(3, 'top', oneSet([onFlag(2, 'blue'), person('a', 1), onFlag('base', false)])),
  ])
  const [, middle, top] = flags
  t.match(middle?.filters, {
    groups: [{ properties: [{ key: 'base', dependency_chain: ['base'] }] }],
  })
  t.match(top?.filters, {
    groups: [
      {
        properties: [
          { key: 'middle', value: 'blue', dependency_chain: ['base', 'middle'] },
          { key: 'a' },
          { key: 'base', value: false, dependency_chain: ['base'] },
        ],
      },
    ],
  })
})

t.test('a cycle has an empty chain, and what is not there none', async (t) => {
  const { flags } = given([
    flag(1, 'a', oneSet([onFlag('2')])),
    flag(2, 'b', oneSet([onFlag('1')])),
    flag(3, 'c', oneSet([onFlag('1'), onFlag('99'), onFlag('4'), { ...onFlag(1), operator: 'x' }])),
    flag(4, 'gone', oneSet([]), { deleted: true }),
  ])
  t.match(flags[2]?.filters, {
    groups: [
      {
        properties: [
          { key: 'a', dependency_chain: [] },
          { key: '99', dependency_chain: undefined },
          { key: '4', dependency_chain: undefined },
          { key: 1, dependency_chain: undefined },
        ],
      },
    ],
  })
})

t.test('chains are bounded over all flags', async (t) => {
  const count = Math.ceil(Math.sqrt(3 * LOCAL_CHAIN_KEYS_MAX))
  const flags = Array.from({ length: count }, (_, at) =>
    flag(at + 1, `flag-${at + 1}`, oneSet(at === 0 ? [] : [onFlag(at)])),
  )
  const texts = given(flags).flags.map((each) => JSON.stringify(each.filters))
  const keys = texts.reduce((sum, text) => sum + (text.match(/"flag-/g)?.length ?? 0), 0)
  t.ok(keys < LOCAL_CHAIN_KEYS_MAX + 2 * count, `${keys} keys`)
  t.match(texts.at(-1), `"key":"flag-${count - 1}"`)
  t.notMatch(texts.at(-1), 'dependency_chain')
})

t.test('a simple cohort is expanded into the groups of its flag', async (t) => {
  const a = person('a', 1)
  const b = person('b', 2)
  const cases: [string, unknown, unknown[][]][] = [
    ['a leaf', a, [[a]]],
    ['a list', [a, b], [[a, b]]],
    ['an AND', { type: 'AND', values: [a, b] }, [[a, b]]],
    ['an OR', { properties: { type: 'OR', values: [a, b] } }, [[a], [b]]],
    ['an OR of ANDs', { type: 'OR', values: [{ type: 'AND', values: [a, b] }, a] }, [[a, b], [a]]],
    ['an AND of one OR', { type: 'AND', values: [{ type: 'OR', values: [a, b] }] }, [[a], [b]]],
    ['everybody', {}, [[]]],
  ]
  for (const [name, definition, sets] of cases) {
    const filters = {
      groups: [{ properties: [inCohort(5)], rollout_percentage: 30, variant: 'x' }],
    }
    const groups = sets.map((properties) => ({ properties, rollout_percentage: 30, variant: 'x' }))
    t.same(filtersOf(filters, [cohort(5, definition)]), { groups }, name)
  }
})

t.test(
  'sets keep their places, and filters beside a cohort stay beside what it becomes',
  async (t) => {
    const [a, b, c] = [person('a', 1), person('b', 2), person('c', 3)]
    const sets = [
      { properties: [c] },
      { properties: [inCohort(5), b] },
      { properties: [inCohort(5)] },
    ]
    t.same(filtersOf({ groups: sets }, [cohort(5, a)]), {
      groups: [{ properties: [c] }, { properties: [b, a] }, { properties: [a] }],
    })
  },
)

t.test('a flag that groups cannot express stays with the server', async (t) => {
  const a = person('a', 1)
  const or = { type: 'OR', values: [a, person('b', 2)] }
  const only = oneSet([inCohort(5)])
  const cases: [string, object, CohortDefinition[]][] = [
    ['two cohorts', oneSet([inCohort(5), inCohort(6)]), [cohort(5, a), cohort(6, a)]],
    ['not in', oneSet([inCohort(5, 'not_in')]), [cohort(5, a)]],
    ['a negated leaf', only, [cohort(5, { ...a, negation: true })]],
    ['a static cohort', only, [cohort(5, a, { isStatic: true })]],
    ['an unknown cohort', only, []],
    ['a deleted cohort', only, [cohort(5, a, { deleted: true })]],
    ['a cohort within', only, [cohort(5, inCohort(6)), cohort(6, a)]],
    ['a behaviour', only, [cohort(5, { type: 'behavioral', value: 'performed_event' })]],
    ['an AND of ORs', only, [cohort(5, [or, or])]],
    ['an AND of a leaf and an OR', only, [cohort(5, [a, or])]],
    ['an OR beside other filters', oneSet([inCohort(5), a]), [cohort(5, or)]],
    ['a flag about groups', { ...only, aggregation_group_type_index: 0 }, [cohort(5, a)]],
    ['a super group', { ...only, super_groups: [{ properties: [inCohort(5)] }] }, [cohort(5, a)]],
    [
      'more filters than a flag may hold',
      only,
      [cohort(5, { type: 'OR', values: Array.from({ length: FLAG_FILTERS_MAX }, () => a) })],
    ],
  ]
  for (const [name, filters, cohorts] of cases) t.same(filtersOf(filters, cohorts), filters, name)
})

t.test(
  'cohorts are given with those within, in one form, as far as a library can tell',
  async (t) => {
    const a = person('a', 1)
    const cohorts = [
      cohort(1, { properties: { type: 'or', values: [a, inCohort(2)] } }),
      cohort(2, [a, { type: 'OR', values: [a] }]),
      cohort(3, a, { isStatic: true }),
      cohort(4, { values: [{ type: 'behavioral' }] }),
      cohort(5, inCohort(6)),
      cohort(6, inCohort(5)),
      cohort(7, a),
      cohort(8, {}),
    ]
    const ids = [1, 3, 4, 5, 8, 99]
    const flags = ids.map((id) => flag(id, `f${id}`, oneSet([inCohort(id)])))
    const { flags: sent, cohorts: found } = given(flags, cohorts, true)
    t.same(Object.fromEntries(found ?? []), {
      1: { type: 'OR', values: [a, inCohort(2)] },
      2: {
        type: 'AND',
        values: [
          { type: 'AND', values: [a] },
          { type: 'OR', values: [a] },
        ],
      },
      8: { type: 'AND', values: [] },
    })
    t.same(sent[0]?.filters, oneSet([inCohort(1)]), 'and the flags keep them')
    t.equal(given(flags, cohorts).cohorts, undefined)
  },
)

const filter = fc
  .record({
    key: fc.constantFrom('a', 'b'),
    value: fc.constantFrom<unknown>('x', ['x', 'y'], 3),
    operator: fc.constantFrom('exact', 'is_not', 'is_set', 'is_not_set', 'gt', 'icontains'),
    type: fc.constantFrom('person', 'event', undefined),
  })
  .map(({ type, ...rest }) => (type === undefined ? rest : { ...rest, type }))
const leaf = fc
  .tuple(filter, fc.constantFrom(true, false, undefined))
  .map(([rest, negation]) => (negation === undefined ? rest : { ...rest, negation }))
const group = (values: fc.Arbitrary<unknown>) =>
  fc.record({
    type: fc.constantFrom('AND', 'OR', 'or'),
    values: fc.array(values, { maxLength: 3 }),
  })
const plain = fc.oneof(filter, group(filter), group(fc.oneof(filter, group(filter))))
const anything = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.constantFrom({}, null, inCohort(2), inCohort(3, 'not_in'), { type: 'behavioral' }),
)
const definition = fc.oneof(plain, group(fc.oneof(anything, plain, group(anything))))
const conditionSet = fc.record({
  properties: fc.oneof(
    { weight: 3, arbitrary: fc.constant([inCohort(1)]) },
    fc.array(fc.oneof(filter, fc.constantFrom(inCohort(1), inCohort(1, 'not_in'), inCohort(2))), {
      maxLength: 3,
    }),
  ),
  rollout_percentage: fc.constantFrom(null, 50, 100),
  variant: fc.constantFrom(null, 'v', 'w'),
})
const flagFilters = fc.record({
  groups: fc.array(conditionSet, { maxLength: 3 }),
  early_exit: fc.boolean(),
  multivariate: fc.constant({
    variants: [
      { key: 'v', rollout_percentage: 50 },
      { key: 'w', rollout_percentage: 50 },
    ],
  }),
})
const property = fc.constantFrom<Json>('x', 'X', 4)
const properties = fc.record({ a: property, b: property }, { requiredKeys: [] })

t.test('a flag that a library evaluates by itself has the same outcome here', async () => {
  const world = { one: definition, two: definition, three: definition }
  fc.assert(
    fc.property(fc.record(world), flagFilters, properties, fc.string(), (defs, filters, p, id) => {
      const cohorts = [cohort(1, defs.one), cohort(2, defs.two), cohort(3, defs.three)]
      const flags = [flag(1, 'f', filters)]
      const request = { distinctId: id, personProperties: p }
      const expected = resultFor(ask(snapshot(flags, cohorts), request), 'f')
      const asSets = given(flags, cohorts)
      if (!JSON.stringify(asSets.flags[0]?.filters).includes('"cohort"')) {
        const local = resultFor(ask(snapshot(asSets.flags), request), 'f')
        if (local?.value !== expected?.value) return false
      }
      const whole = given(flags, cohorts, true)
      const known = [...(whole.cohorts ?? [])].map(([each, group]) => cohort(each, group))
      const local = resultFor(ask(snapshot(whole.flags, known), request), 'f')
      // A cohort that was left out is an unknown one, of which a library asks the server.
      return local?.failed === true || local?.value === expected?.value
    }),
    { numRuns: 2_000 },
  )
})
