import t from 'tap'
import { WORK_OF_TURN, type Work, workInTurns } from '../../../../src/core/work/turns.ts'
import { compilingSnapshot } from '../../../../src/flags/compile.ts'
import { countTurns } from '../../../support/turns.ts'
import { workAtOnce } from '../../../support/work-at-once.ts'
import { cohort, flag } from '../../flags/support.ts'

function* steps(count: number, seen: string[], name: string): Work<string> {
  for (let step = 0; step < count; step++) {
    seen.push(name)
    yield WORK_OF_TURN
  }
  return name
}

t.test('long computations of several take turns, one at a time', async (t) => {
  const seen: string[] = []
  const turns = countTurns()
  const names = ['a', 'b', 'c']
  const answers = await Promise.all(names.map((name) => workInTurns(steps(10, seen, name))))
  turns.end()
  t.strictSame(answers, names)
  t.ok(turns.count() >= 25, 'others had a turn between any two steps')
  t.strictSame(seen.slice(0, 9).join(''), 'abcabcabc', 'all are served alike')
  t.equal(workAtOnce(steps(3, seen, 'd')), 'd')
})

t.test('a project of many patterns is compiled in many turns', async (t) => {
  const patterns = (name: string) =>
    Array.from({ length: 200 }, (_, number) => {
      return { type: 'person', key: 'email', operator: 'regex', value: `^${name}-${number}$` }
    })
  const turns = countTurns()
  const snapshot = await workInTurns(
    compilingSnapshot({
      flags: [flag(1, 'patterned', { groups: [{ properties: patterns('flag') }] })],
      cohorts: [cohort(1, { properties: { type: 'OR', values: patterns('cohort') } })],
      groupTypes: new Map(),
      timezone: 'UTC',
    }),
  )
  turns.end()
  t.equal(snapshot.flags[0]?.sets[0]?.filters.length, 200)
  t.ok(turns.count() >= 20, `others had ${turns.count()} turns`)
})
