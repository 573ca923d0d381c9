import t from 'tap'
import type { FlagRequest } from '../../../src/flags/subject.ts'
import { ask, cohort, flag, oneSet, person, resultFor, snapshot, valuesOf } from './support.ts'

function on(key: string, value: unknown): object {
  return { key, type: 'flag', operator: 'flag_evaluates_to', value }
}

function inCohort(value: unknown, operator?: string): object {
  return { key: 'id', type: 'cohort', value, ...(operator === undefined ? {} : { operator }) }
}

const MULTI = {
  groups: [{ properties: [], rollout_percentage: 100, variant: 'test' }],
  multivariate: { variants: [{ key: 'test', rollout_percentage: 100 }] },
}

t.test(
  'flags that depend on themselves are failed, their dependents just see them off',
  async (t) => {
    const compiled = snapshot([
      flag(1, 'a', oneSet([on('2', true)])),
      flag(2, 'b', oneSet([on('1', true)])),
      flag(3, 'self', oneSet([on('3', false)])),
      flag(4, 'after', oneSet([on('1', false)])),
    ])
    const answer = ask(compiled)
    t.same(valuesOf(answer), { a: false, b: false, self: false, after: true })
    t.equal(answer.errorsWhileComputingFlags, true)
    t.match(resultFor(answer, 'a'), { failed: true, reason: { code: 'dependency_cycle_flag' } })
  },
)

t.test('a dependency that does not exist switches the flag off without an error', async (t) => {
  const filters = { groups: [...MULTI.groups, { properties: [on('99', false)] }] }
  const answer = ask(snapshot([flag(1, 'f', filters)]))
  t.match(resultFor(answer, 'f'), { value: false, reason: { code: 'missing_dependency' } })
  t.equal(answer.errorsWhileComputingFlags, false)
})

t.test('inactive, deleted and left out dependencies count as off', async (t) => {
  const compiled = snapshot([
    flag(1, 'inactive', oneSet([]), { active: false }),
    flag(2, 'deleted', oneSet([]), { deleted: true }),
    flag(3, 'server', oneSet([]), { evaluationRuntime: 'server' }),
    flag(4, 'f', oneSet([on('1', false), on('2', false), on('3', false)])),
    flag(5, 'g', oneSet([on('1', true)])),
  ])
  t.same(valuesOf(ask(compiled, { evaluationRuntime: 'client' })), { f: true, g: false })
})

t.test('a variant is matched exactly, true matches any', async (t) => {
  const compiled = snapshot([
    flag(9, 'mv', MULTI),
    flag(1, 'any', oneSet([on('9', true)])),
    flag(2, 'same', oneSet([on('9', 'test')])),
    flag(3, 'case', oneSet([on('9', 'Test')])),
    flag(4, 'off', oneSet([on('9', false)])),
    flag(5, 'by-key', oneSet([on('mv', true)])),
    flag(6, 'exact', oneSet([{ ...on('9', true), operator: 'exact' }])),
  ])
  const answer = ask(compiled)
  const rest = { any: true, same: true, case: false, off: false, 'by-key': true, exact: false }
  t.same(valuesOf(answer), { ...rest, mv: 'test' })
  t.same(Object.keys(valuesOf(answer)), [...Object.keys(rest), 'mv'], 'in the order of ids')
})

t.test('dependencies are evaluated though the request does not ask for them', async (t) => {
  const compiled = snapshot([
    flag(1, 'c', oneSet([on('2', true)])),
    flag(2, 'b', oneSet([on('3', true)])),
    flag(3, 'a', oneSet([person('plan', 'pro')])),
    flag(4, 'other', oneSet([person('seats', 5)])),
  ])
  const request: Partial<FlagRequest> = { flagKeys: ['c'], personProperties: { plan: 'pro' } }
  const answer = ask(compiled, request)
  t.same(valuesOf(answer), { c: true })
  t.equal(answer.dependsOnStored, false)
})

t.test('a chain of ten thousand flags is evaluated', async (t) => {
  const flags = Array.from({ length: 10_000 }, (_, at) =>
    flag(at + 1, `f${at}`, oneSet(at === 9_999 ? [] : [on(String(at + 2), true)])),
  )
  const answer = ask(snapshot(flags))
  t.ok(answer.results.every((result) => result.value === true))
})

const VIP = { key: 'vip', value: 'true', type: 'person' }

function memberOf(filters: unknown, properties: object, operator?: string) {
  const compiled = snapshot([flag(1, 'f', oneSet([inCohort(1, operator)]))], [cohort(1, filters)])
  return resultFor(ask(compiled, { personProperties: { ...properties } }), 'f')?.value
}

t.test('an empty cohort holds everyone, a broken one nobody', async (t) => {
  for (const empty of [
    {},
    [],
    { properties: {} },
    { values: [] },
    { type: 'OR', values: [] },
    null,
  ]) {
    t.equal(memberOf(empty, {}), true, JSON.stringify(empty))
    t.equal(memberOf(empty, {}, 'not_in'), false)
  }
  for (const broken of ['x', 5, { properties: 'x' }, { type: 'OR', values: ['x'] }]) {
    t.equal(memberOf(broken, {}), false, JSON.stringify(broken))
  }
})

t.test('cohorts nest, and a leaf may be negated', async (t) => {
  const definition = {
    type: 'OR',
    values: [
      { type: 'AND', values: [VIP, { key: 'plan', value: 'x', negation: true }] },
      { type: 'AND', values: [{ key: 'age', value: 90, operator: 'gt' }] },
    ],
  }
  t.equal(memberOf({ properties: definition }, { vip: true }), true)
  t.equal(memberOf(definition, { vip: true, plan: 'X' }), false)
  t.equal(memberOf(definition, { age: 91 }), true)
  t.equal(memberOf([VIP], { vip: 'true' }), true)
  t.equal(memberOf([VIP], {}, 'exact'), false)
  t.equal(memberOf([VIP], {}, 'is_not'), false)
})

t.test('unknown cohorts, deleted ones and cycles fail the flag', async (t) => {
  const cohorts = [
    cohort(1, [inCohort(2)]),
    cohort(2, [inCohort(1)]),
    cohort(3, [inCohort(99)]),
    cohort(4, [VIP], { deleted: true }),
    cohort(5, [inCohort(3), VIP]),
  ]
  const codes = {
    1: 'dependency_cycle_cohort',
    3: 'dependency_not_found_cohort',
    4: 'dependency_not_found_cohort',
    5: 'dependency_not_found_cohort',
    77: 'dependency_not_found_cohort',
  }
  for (const [id, code] of Object.entries(codes)) {
    for (const operator of ['in', 'not_in']) {
      const compiled = snapshot([flag(1, 'f', oneSet([inCohort(Number(id), operator)]))], cohorts)
      const answer = ask(compiled, { personProperties: { vip: true } })
      t.match(resultFor(answer, 'f'), { value: false, failed: true, reason: { code } }, id)
      t.equal(answer.errorsWhileComputingFlags, true)
    }
  }
  const guarded = snapshot([flag(1, 'f', oneSet([inCohort(77), person('plan', 'x')]))], cohorts)
  t.equal(ask(guarded).errorsWhileComputingFlags, false, 'not reached')
})

t.test('static and behavioural cohorts read stored membership', async (t) => {
  const cohorts = [
    cohort(1, {}, { isStatic: true }),
    cohort(2, [{ type: 'behavioral', key: 'x' }]),
    cohort(3, [{ ...inCohort(1), negation: true }]),
  ]
  const flags = [1, 2, 3].map((id) => flag(id, `in-${id}`, oneSet([inCohort(id)])))
  const compiled = snapshot(flags, cohorts)
  const stored = { staticCohortIds: new Set([1, 2]) }
  t.same(valuesOf(ask(compiled, {}, stored)), { 'in-1': true, 'in-2': true, 'in-3': false })
  const none = ask(compiled)
  t.same(valuesOf(none), { 'in-1': false, 'in-2': false, 'in-3': true })
  t.equal(none.dependsOnStored, true)
})

t.test('cohorts that share inner ones are not evaluated exponentially often', async (t) => {
  const levels = 60
  const cohorts = Array.from({ length: levels }, (_, at) => {
    const inner = at === levels - 1 ? VIP : inCohort(at + 2)
    return cohort(at + 1, { type: 'OR', values: [inner, inner] })
  })
  const compiled = snapshot([flag(1, 'f', oneSet([inCohort(1)]))], cohorts)
  t.same(valuesOf(ask(compiled)), { f: false })
  const deeper = Array.from({ length: 200 }, (_, at) => cohort(at + 1, [inCohort(at + 2)]))
  const last = snapshot([flag(1, 'f', oneSet([inCohort(1)]))], [...deeper, cohort(201, [])])
  t.match(resultFor(ask(last), 'f'), { failed: true })
})
