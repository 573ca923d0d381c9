/** Asks 61 questions at once about the persons of `stored-sizes.test.ts`: `… URL PROJECT`. */
import { systemClock as clock } from '../../../src/core/clock.ts'
import { projectId, revision } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { createDecideService, type DecideAnswer } from '../../../src/project/decide.ts'
import type { ProjectState } from '../../../src/project/project-state.ts'
import {
  insertContinuity,
  loadGroups,
  loadPersons,
} from '../../../src/store/projects/decide-store.ts'
import { flag, oneSet, person, snapshot } from '../../unit/flags/support.ts'

const [url = '', project = ''] = process.argv.slice(2)
const sql = createSql(url, {
  ...{ applicationName: 'child', connectionsMax: 4, lookupsOnly: true, log },
})
// The point is memory, not time.
const health = { isAway: false, reads: () => ({ ask: <T>(read: () => Promise<T>) => read() }) }
const service = createDecideService({
  store: {
    persons: (lookups) => loadPersons(sql, lookups, () => true),
    groups: (lookups) => loadGroups(sql, lookups, () => true),
    keepContinuity: (id, rows) => insertContinuity(sql, id, rows),
  },
  ...{ health, clock },
})
const filters = (key: string) => oneSet([person(key, 'is_set', 'is_set')])
const stateOf = (flags: ReturnType<typeof flag>[]): ProjectState => ({
  ...{ id: projectId(Number(project)), revision: revision(1), apiToken: 'phc_x' },
  ...{ anonymizeIps: false, flags: snapshot(flags), plugins: undefined },
})
const both = stateOf([flag(1, 'plan', filters('plan')), flag(2, 'bio', filters('bio'))])
const onlyPlan = stateOf([flag(1, 'plan', filters('plan'))])

const ask = async (distinctId: string, state: ProjectState): Promise<DecideAnswer[]> => [
  ...(await service.decide([{ state, request: { distinctId } }])),
]
const summary = (answer: DecideAnswer | undefined) => ({
  failed: answer?.evaluation.errorsWhileComputingFlags,
  on: answer?.evaluation.results
    .filter(({ value }) => value !== false)
    .map(({ key }) => key)
    .sort(),
})
const answers = await Promise.all([
  ask('plain', both),
  ...Array.from({ length: 60 }, (_, n) => ask(`large ${n}`, onlyPlan)),
])
const isRight = answers.flat().filter(({ evaluation }) => !evaluation.errorsWhileComputingFlags)
const [large] = await ask('large 0', both)
const report = {
  plain: summary(answers[0]?.[0]),
  large: summary(large),
  answers: isRight.length,
}
process.stdout.write(JSON.stringify(report))
await sql.end({ timeout: 1 })
