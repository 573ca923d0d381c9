import fc from 'fast-check'
import t from 'tap'
import { evaluate } from '../../../src/flags/evaluate.ts'
import type { FlagTrace } from '../../../src/flags/flag-trace.ts'
import type { FlagRequest, StoredData } from '../../../src/flags/subject.ts'
import { ask, cohort, flag, NOW, oneSet, person, snapshot } from './support.ts'

type Flags = ReturnType<typeof flag>[]

function traced(flags: Flags, request: Partial<FlagRequest> = {}, stored: StoredData = {}) {
  const traces = new Map<string, FlagTrace | undefined>()
  const question = { distinctId: 'u1', ...request }
  const evaluation = evaluate(snapshot(flags, COHORTS), question, stored, NOW, (result, each) => {
    traces.set(result.key, each?.trace())
  })
  return { evaluation, traces }
}

const COHORTS = [cohort(1, { properties: [person('plan', 'pro')] })]

const property = fc.constantFrom(
  person('plan', 'pro'),
  person('plan', '^p', 'regex'),
  person('age', 30, 'gt'),
  person('never', 'x'),
  { key: 'id', type: 'cohort', value: 1 },
  { key: 'id', type: 'cohort', value: 404 },
  { key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true },
  'no filter at all',
)
const set = fc.record({
  properties: fc.array(property, { maxLength: 3 }),
  rollout_percentage: fc.constantFrom(0, 30, 70, 100, null),
  variant: fc.constantFrom(null, 'a'),
  aggregation_group_type_index: fc.constantFrom(undefined, 0),
})
const filters = fc.record({
  groups: fc.array(set, { maxLength: 4 }),
  early_exit: fc.boolean(),
  multivariate: fc.constantFrom(null, {
    variants: [
      { key: 'a', rollout_percentage: 40 },
      { key: 'b', rollout_percentage: 60 },
    ],
  }),
  holdout: fc.constantFrom(undefined, { id: 7, exclusion_percentage: 20 }),
  feature_enrollment: fc.constantFrom(undefined, true),
})
const request = fc.record({
  distinctId: fc.constantFrom('u1', 'u2', 'u3', 'u4'),
  personProperties: fc.constantFrom({}, { plan: 'pro' }, { age: 31 }, { plan: 'free', age: 2 }),
  groups: fc.constantFrom({}, { company: 'acme' }),
})

t.test('a trace says how decide came to its answer, and changes no answer', async (t) => {
  const stored = { personProperties: 'unavailable' } as const
  const property = fc.property(
    fc.array(filters, { minLength: 1, maxLength: 4 }),
    request,
    fc.constantFrom({}, stored),
    (all, asked, data) => {
      const flags = all.map((each, at) => flag(at + 1, `f${at}`, each))
      const plain = ask(snapshot(flags, COHORTS), asked, data)
      const { evaluation, traces } = traced(flags, asked, data)
      const seen = (answer: typeof plain) =>
        answer.results.map(({ key, value, reason }) => ({ key, value, reason }))
      t.strictSame(seen(evaluation), seen(plain))
      for (const { key, value, reason, failed } of plain.results) {
        const trace = traces.get(key)
        if (trace === undefined || failed) continue
        const reached = trace.sets.filter(({ isReached }) => isReached)
        const decided = reached.findIndex(({ outcome }) => outcome === 'condition_match')
        if (reason.code === 'condition_match') {
          t.equal(decided, reason.conditionIndex)
          t.equal(reached.length, decided + 1, 'what comes after it was not reached')
          t.equal(reached[decided]?.variant, value)
        } else {
          t.equal(decided, -1)
        }
        for (const { outcome, filters, bucket = 0, threshold } of reached) {
          const all = filters.every(({ holds }) => holds)
          if (outcome === 'condition_match') t.ok(all && (threshold >= 1 || bucket <= threshold))
          if (outcome === 'out_of_rollout_bound') t.ok(all && bucket > threshold)
          if (outcome === 'no_condition_match') t.notOk(all)
        }
      }
    },
  )
  fc.assert(property, { numRuns: 400 })
})

t.test('each condition shows what it asks for and what is there, as it is stored', async (t) => {
  const cohortFirst = [
    { key: 'id', type: 'cohort', value: 1 },
    person('plan', 'pro'),
    person('missing', 'x', 'is_not_set'),
  ]
  const flags = [flag(1, 'f', oneSet(cohortFirst, 25))]
  const { traces } = traced(flags, { personProperties: { plan: 'free' } })
  const [set] = traces.get('f')?.sets ?? []
  t.same(set?.filters, [
    { place: 0, holds: false, actual: undefined },
    { place: 1, holds: false, actual: 'free' },
    { place: 2, holds: true, actual: undefined },
  ])
  t.equal(set?.threshold, 0.25)
  t.type(set?.bucket, 'number')
})
