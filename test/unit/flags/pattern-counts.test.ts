import { RE2JS } from 're2js'
import t, { type Test } from 'tap'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { validateFlagFilters } from '../../../src/flags/checks/validate.ts'
import { compilingCohorts, inspectDefinition } from '../../../src/flags/cohorts.ts'
import { cohortMembers } from '../../../src/store/cohorts/cohort-members.ts'
import { workAtOnce } from '../../support/work-at-once.ts'
import { cohort } from './support.ts'

const PATTERNS = 50

/** How often each pattern is compiled while the test runs. */
function countCompilations(t: Test): Map<string, number> {
  const counts = new Map<string, number>()
  const { compile } = RE2JS
  RE2JS.compile = (pattern, flags) => {
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
    return compile.call(RE2JS, pattern, flags)
  }
  t.teardown(() => {
    RE2JS.compile = compile
  })
  return counts
}

function patterns(name: string): object[] {
  return Array.from({ length: PATTERNS }, (_, number) => {
    return { type: 'person', key: 'email', operator: 'regex', value: `^${name}-${number}-[a-z]+$` }
  })
}

function of(values: readonly object[]): unknown {
  return JSON.parse(JSON.stringify({ properties: { type: 'OR', values } }))
}

t.test('a cohort that is named again and again has its patterns compiled once', async (t) => {
  const counts = countCompilations(t)
  const outer = [{ type: 'cohort', key: 'id', value: 1 }]
  const definitions = [cohort(1, of(patterns('members'))), cohort(2, of([...outer, ...outer]))]
  const members = cohortMembers(definitions, { nowMs: 0, zone: zoneOf('UTC') })
  const found = members(1)
  t.ok(found.ok)
  for (let naming = 0; naming < 100; naming++) members(1 + (naming % 2))
  const again = members(1)
  t.ok(found.ok && again.ok && found.value === again.value, 'all share one tree')
  t.equal(counts.size, PATTERNS)
  // Once for what flags understand by it and once for what filters of events do.
  t.strictSame([...new Set(counts.values())], [2])
})

t.test(
  'a flag that names a cohort in each filter reads it once, and compiles nothing',
  async (t) => {
    const counts = countCompilations(t)
    const definition = cohort(1, of(patterns('validated')))
    const properties = Array.from({ length: 900 }, () => {
      return { type: 'cohort', key: 'id', value: 1, operator: 'in' }
    })
    const filters = JSON.parse(JSON.stringify({ groups: [{ properties }] }))
    const context = { key: 'f', cohorts: new Map([[1, definition]]), otherFlags: [] }
    t.ok(validateFlagFilters(filters, context).ok)
    t.equal(inspectDefinition(definition.filters), inspectDefinition(definition.filters))
    t.equal(counts.size, 0)
  },
)

t.test('a pattern that a cohort has compiled is shared by the next snapshot', async (t) => {
  const counts = countCompilations(t)
  const definitions = [cohort(1, of(patterns('shared')))]
  const first = workAtOnce(compilingCohorts(definitions, zoneOf('UTC')))
  const second = workAtOnce(
    compilingCohorts(JSON.parse(JSON.stringify(definitions)), zoneOf('UTC')),
  )
  t.equal(first.list.length + second.list.length, 2)
  t.equal(counts.size, PATTERNS)
  t.strictSame([...new Set(counts.values())], [1])
})
