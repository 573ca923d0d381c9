import fc from 'fast-check'
import t from 'tap'
import {
  type SavedFlag,
  type ValidationContext,
  validateFlagFilters,
} from '../../../../src/flags/checks/validate.ts'
import { cohort, oneSet, person } from '../support.ts'

const CONTEXT: ValidationContext = { key: 'f', cohorts: new Map(), otherFlags: [] }
const VARIANTS = [
  { key: 'a', rollout_percentage: 33.3 },
  { key: 'b', rollout_percentage: 66.7 },
]

function saved(id: number, key: string, filters: unknown = {}, deleted = false): SavedFlag {
  return { id, key, deleted, filters }
}

function faultOf(filters: unknown, context: Partial<ValidationContext> = {}) {
  const checked = validateFlagFilters(filters, { ...CONTEXT, ...context })
  return checked.ok ? undefined : checked.error
}

t.test('malformed filters are refused', async (t) => {
  const group = (rest: object) => ({ groups: [{ properties: [], ...rest }] })
  const malformed: unknown[] = [
    ...[undefined, null, [], 'x', { groups: 5 }, { groups: [5] }, group({ properties: {} })],
    ...[group({ rollout_percentage: 101 }), group({ rollout_percentage: -1 })],
    ...[group({ rollout_percentage: '50' }), group({ variant: 'a' }), group({ variant: 5 })],
    ...[
      oneSet([5]),
      oneSet([{ type: 'person', value: 'x' }]),
      oneSet([{ ...person('a', 1, 'x'), type: 'x' }]),
    ],
    ...[{ aggregation_group_type_index: 5 }, { aggregation_group_type_index: 0.5 }],
    group({ aggregation_group_type_index: 'x' }),
    ...[
      { multivariate: 5 },
      { multivariate: { variants: 5 } },
      { multivariate: { variants: [5] } },
    ],
    {
      multivariate: {
        variants: [{ ...VARIANTS[0] }, { ...VARIANTS[0], rollout_percentage: 66.7 }],
      },
    },
    { multivariate: { variants: [{ key: 'a', rollout_percentage: '100' }] } },
    ...[{ payloads: 5 }, { payloads: { a: '1' } }],
    { payloads: { true: '1' }, multivariate: { variants: VARIANTS } },
    { groups: Array.from({ length: 1_001 }, () => ({})) },
  ]
  for (const filters of malformed) {
    t.match(faultOf(filters), { code: 'invalid_input', attr: 'filters' }, JSON.stringify(filters))
  }
})

t.test('variant percentages must sum to 100, and no field is blamed', async (t) => {
  const variants = [{ key: 'a', rollout_percentage: 99 }]
  t.match(faultOf({ multivariate: { variants } }), { code: 'invalid_input', attr: null })
  t.equal(faultOf({ multivariate: { variants: VARIANTS } }), undefined)
  t.equal(faultOf({ multivariate: { variants: [] } }), undefined)
})

t.test('filters that evaluation handles are accepted, unknown keys included', async (t) => {
  const tier = { key: 'tier', type: 'group', group_type_index: 0, value: 'gold' }
  const flagOn = { key: '9', type: 'flag', operator: 'flag_evaluates_to', value: true }
  const accepted = [
    ...[{}, { groups: [] }, oneSet([]), oneSet([person('a', 1)], null)],
    oneSet([person('a', '(?i)^x(?!y)', 'regex'), person('b', '-7d', 'is_date_after'), flagOn]),
    { ...oneSet([tier]), aggregation_group_type_index: 0 },
    { groups: [{ properties: [tier, person('a', 1)], aggregation_group_type_index: 0 }] },
    { ...oneSet([]), super_groups: 5, holdout: 'x', early_exit: true, whatever: {} },
    { ...oneSet([]), multivariate: null, payloads: { true: '1' } },
    {
      groups: [{ properties: [], variant: 'a', rollout_percentage: 12.5 }],
      multivariate: { variants: VARIANTS },
      payloads: { b: { any: 'JSON' } },
    },
  ]
  for (const filters of accepted) t.equal(faultOf(filters), undefined, JSON.stringify(filters))
})

t.test('filters must suit what their set is about', async (t) => {
  const tier = { key: 'tier', type: 'group', group_type_index: 0, value: 'gold' }
  const refused = [
    oneSet([tier]),
    oneSet([{ key: 'x', type: 'behavioral', value: 1 }]),
    { ...oneSet([tier]), aggregation_group_type_index: 1 },
    { ...oneSet([person('a', 1)]), aggregation_group_type_index: 0 },
    { groups: [{ properties: [tier], aggregation_group_type_index: 1 }] },
  ]
  for (const filters of refused) {
    t.match(faultOf(filters), { code: 'invalid_input', attr: 'filters' }, JSON.stringify(filters))
  }
})

t.test('event filters are refused, and so are filters without a type, which are such', (t) => {
  for (const type of [{}, { type: null }, { type: 'event' }]) {
    const filters = oneSet([{ key: 'a', value: 1, ...type }])
    t.match(faultOf(filters), { code: 'invalid_input', attr: 'filters', detail: /event filter/ })
    t.equal(faultOf(filters, { isStored: true }), undefined, 'saved ones mean persons')
    const ofGroups = { ...filters, aggregation_group_type_index: 0 }
    t.match(faultOf(ofGroups, { isStored: true }), { attr: 'filters' })
  }
  t.end()
})

t.test('dates and regular expressions that cannot be evaluated are refused', async (t) => {
  for (const value of ['?*', '(a)\\1', '(?=', 'x'.repeat(1_001), null, '(a{0,90}){0,90}']) {
    t.match(faultOf(oneSet([person('a', value, 'regex')])), { code: 'invalid_input' }, `${value}`)
    t.match(faultOf(oneSet([person('a', value, 'not_regex')])), { code: 'invalid_input' })
  }
  for (const value of ['soon', 5, '2022-13-01', '99999d', null]) {
    const filters = oneSet([person('a', value, 'is_date_before')])
    t.match(faultOf(filters), { code: 'invalid_input', attr: 'filters' }, `${value}`)
  }
})

t.test('cohorts must exist, inner ones too, and have no behavioural criteria', async (t) => {
  const filter = (value: unknown) => ({ key: 'id', type: 'cohort', value })
  const cohorts = new Map(
    [
      cohort(1, [person('a', 1)]),
      cohort(2, [filter(3)]),
      cohort(4, [], { deleted: true }),
      cohort(5, [{ type: 'behavioral' }]),
      cohort(6, [filter(5)]),
      cohort(7, [filter(7), filter(1)]),
    ].map((one) => [one.id, one]),
  )
  const codeOf = (value: unknown) => faultOf(oneSet([filter(value)]), { cohorts })?.code
  t.equal(codeOf(1), undefined)
  t.equal(codeOf('1'), undefined)
  for (const id of [2, 4, 99]) t.equal(codeOf(id), 'cohort_does_not_exist')
  for (const id of [5, 6]) t.equal(codeOf(id), 'behavioral_cohort_found')
  for (const id of ['x', null, 1.5]) t.equal(codeOf(id), 'invalid_input')
  t.equal(codeOf(7), undefined, 'a cycle among cohorts is found at evaluation')
})

t.test('a flag may not depend on itself through others', async (t) => {
  const on = (key: string) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true })
  const otherFlags = [
    saved(1, 'f', oneSet([])),
    saved(2, 'b', oneSet([on('3')])),
    saved(3, 'c', oneSet([on('1')])),
    saved(4, 'd', oneSet([on('5')])),
    saved(5, 'e', oneSet([on('4')])),
  ]
  const faulty = (key: string, id: number | undefined = 1) =>
    faultOf(oneSet([on(key)]), { id, otherFlags })
  for (const key of ['1', '2', '3', 'b', 'f']) {
    t.match(faulty(key), { code: 'invalid_input', attr: 'filters' }, key)
  }
  t.equal(faulty('4'), undefined, 'a cycle of others is theirs')
  t.equal(faulty('99'), undefined, 'an unknown flag is a missing dependency at evaluation')
})

t.test('no filters whatever make the checks throw', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const odd = { groups: [{ properties: [a, b], variant: a }], multivariate: b, payloads: a }
      for (const filters of [a, odd, { groups: a, multivariate: { variants: b } }]) {
        validateFlagFilters(filters, CONTEXT)
      }
    }),
  )
  t.pass()
})
