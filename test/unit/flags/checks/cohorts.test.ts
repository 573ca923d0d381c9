import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { COHORT_DEPTH_MAX } from '../../../../src/core/limits/limits.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { judgeCohort, judgeRemoval } from '../../../../src/flags/checks/cohort-uses.ts'
import { validateCohortFilters } from '../../../../src/flags/checks/validate-cohort.ts'
import { compilingCohorts } from '../../../../src/flags/cohorts.ts'
import type { CohortDefinition, FlagDefinition } from '../../../../src/flags/definition.ts'
import { workAtOnce } from '../../../support/work-at-once.ts'

const within = (id: number): Json => ({ type: 'cohort', key: 'id', value: id })

function cohort(id: number, ...inner: number[]): CohortDefinition {
  const filters = { properties: inner.map(within) }
  return { id, name: '', isStatic: false, deleted: false, filters }
}

function sourcesOf(cohorts: readonly CohortDefinition[]) {
  return { cohorts, flags: [], groupTypes: new Map<number, string>(), timezone: 'UTC' }
}

/** Each contains the next. */
function chain(length: number): CohortDefinition[] {
  return Array.from({ length }, (_, at) =>
    at + 1 < length ? cohort(at + 1, at + 2) : cohort(at + 1),
  )
}

t.test('conditions nest as deeply as they are read', async (t) => {
  const nested = (depth: number) => {
    let part: Json = { key: 'plan', value: 'pro' }
    for (let at = 0; at < depth; at++) part = { type: 'AND', values: [part] }
    return validateCohortFilters({ properties: part })
  }
  t.ok(nested(COHORT_DEPTH_MAX).ok)
  t.match(nested(COHORT_DEPTH_MAX + 1), { ok: false, error: { attr: 'filters' } })
  t.match(nested(10_000), { ok: false, error: { attr: 'filters' } })
})

t.test('a change may not make a cohort that contains it too deep', async (t) => {
  const most = chain(COHORT_DEPTH_MAX)
  t.equal(workAtOnce(compilingCohorts(most, zoneOf('UTC'))).byId.get(1)?.failure, undefined)
  t.ok(judgeCohort(COHORT_DEPTH_MAX, sourcesOf(most)).ok)
  const deeper = chain(COHORT_DEPTH_MAX + 1)
  t.match(judgeCohort(COHORT_DEPTH_MAX, sourcesOf(deeper)), {
    error: { detail: 'Cohort 1, which contains it, would be too deep.', attr: 'filters' },
  })
  t.match(judgeCohort(1, sourcesOf(deeper)), { ok: false })
  t.match(judgeCohort(1, sourcesOf([cohort(1, 2), cohort(2, 3), cohort(3, 1)])), {
    error: { detail: 'The cohort would contain itself, or be too deep.' },
  })
})

t.test('a cohort that a flag or a cohort uses stays', async (t) => {
  const flag = (filters: Json, deleted = false) => {
    const flags = [{ key: 'f', deleted, filters } as unknown as FlagDefinition]
    return judgeRemoval(3, { flags, cohorts: [cohort(1, 2), cohort(2, 3)] }, 'deleted')
  }
  const used = { error: { detail: 'The feature flag f uses this cohort.', attr: 'deleted' } }
  t.match(flag({ groups: [{ properties: [within(3)] }] }), used)
  t.match(
    flag({ groups: [{ properties: [] }, { properties: [within(1)] }] }),
    used,
    'within others',
  )
  t.match(flag({ properties: [within(3)] }), used, 'filters without sets')
  const inCohort = { error: { detail: 'Cohort 2 uses this cohort.' } }
  t.match(flag({ groups: [{ properties: [within(1)] }] }, true), inCohort, 'a deleted flag')
  t.match(flag(null), inCohort)
  const hidden = { ...cohort(2, 3), deleted: true }
  t.ok(judgeRemoval(3, { flags: [], cohorts: [hidden] }, null).ok)
})
