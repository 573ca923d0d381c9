import t from 'tap'
import { callErrors, callErrorsIn } from '../../../scripts/api/call-errors.ts'
import { endpoints } from '../../api/generated/endpoints.ts'
import { BESIDE, type Shows } from '../../api/support/case.ts'
import { readFamilies } from '../../api/support/families.ts'
import { SEED_ENDPOINTS } from '../../api/support/seed-endpoints.ts'
import { coverageOf } from '../../support/api/api-coverage.ts'

const families = await readFamilies()
const all = endpoints()
const names = new Set(all.map(({ name }) => name))

t.test('every endpoint has cases of success, error, permission and tenancy', (t) => {
  const coverage = coverageOf(families)
  const byHand = coverageOf(families.filter(({ name }) => name !== 'generated'))
  for (const { name, policy } of all) {
    t.ok(byHand.of(name, 'success').length > 0, `${name}: success`)
    t.ok(coverage.of(name, 'error').length > 0, `${name}: error`)
    // A call that anybody may make belongs to nobody.
    const guarded: readonly Shows[] = policy.parent === 'public' ? [] : ['permission', 'tenancy']
    for (const shows of guarded) t.ok(coverage.of(name, shows).length > 0, `${name}: ${shows}`)
  }
  t.end()
})

t.test('every case is about an endpoint of the contract', (t) => {
  for (const { path, cases } of families) {
    const unknown = cases.filter(
      ({ endpoint }) => !names.has(endpoint) && !BESIDE.includes(endpoint),
    )
    t.same(
      unknown.map(({ name }) => name),
      [],
      path,
    )
  }
  t.end()
})

t.test('the cases of a file have names of their own', (t) => {
  for (const { path, cases } of families) {
    const seen = new Set<string>()
    const twice = cases.filter(({ name }) => seen.size === seen.add(name).size)
    t.same(
      twice.map(({ name }) => name),
      [],
      path,
    )
  }
  t.end()
})

t.test('every endpoint that was asked for is in the contract', (t) => {
  for (const name of SEED_ENDPOINTS) t.ok(names.has(name), name)
  t.end()
})

t.test('the document names the codes of failures that cases show', (t) => {
  const shown = callErrorsIn(families.flatMap(({ cases }) => cases))
  t.strictSame(callErrors(), shown, 'else run "npm run gen"')
  t.end()
})
