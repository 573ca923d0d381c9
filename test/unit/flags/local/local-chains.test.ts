import t from 'tap'
import { listOf, objectOf, own } from '../../../../src/core/json.ts'
import { localDefinitions } from '../../../../src/flags/local/local-evaluation.ts'
import { localEvaluation } from '../../../../src/manage/flags/flag-evaluation.ts'
import { workAtOnce } from '../../../support/work-at-once.ts'
import { flag } from '../support.ts'

const FLAGS = 100
const CONDITIONS = 50

/** Flags of which each names the one before in all of its conditions. */
const chained = {
  flags: Array.from({ length: FLAGS }, (_, place) => {
    const before = { key: String(place), type: 'flag', value: true, operator: 'flag_evaluates_to' }
    const properties = place === 0 ? [] : Array.from({ length: CONDITIONS }, () => before)
    return flag(place + 1, `f${place}`, { groups: [{ properties }] })
  }),
  cohorts: [],
  groupTypes: new Map(),
  timezone: 'UTC',
}

t.test(
  'a dependency of a flag is found once, however many of its conditions name it',
  async (t) => {
    const { flags } = workAtOnce(localDefinitions(chained, { withCohorts: true }))
    const [set] = listOf(own(objectOf(flags[40]?.filters), 'groups'))
    const chains = listOf(own(objectOf(set), 'properties')).map((each) =>
      own(objectOf(each), 'dependency_chain'),
    )
    t.equal(chains.length, CONDITIONS)
    t.equal(new Set(chains).size, 1, 'all conditions share the list')
    t.same(
      chains[0],
      Array.from({ length: 40 }, (_, place) => `f${place}`),
    )
  },
)

t.test('a chain of flags is given as messages a flag at a time', async (t) => {
  const work = localEvaluation(chained, { withCohorts: true })
  const steps: number[] = []
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      t.equal(step.value.flags?.length, FLAGS)
      break
    }
    steps.push(step.value)
  }
  const values = steps.slice(-FLAGS)
  t.equal(steps.length, 3 * FLAGS, 'read, looked through and written')
  t.ok((values[40] ?? 0) > CONDITIONS * 40 * 0.1, 'who depends on many is told as more work')
})
