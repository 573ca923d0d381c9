import t from 'tap'
import { projectId } from '../../../../../src/core/ids.ts'
import {
  DEFINITION_SEEN_MS,
  IngestMemory,
} from '../../../../../src/event-store/postgres/flush/ingest-memory.ts'
import { judgedOf } from '../../../../../src/event-store/postgres/flush/quiet-sql.ts'
import { createFakeClock } from '../../../../support/fake-clock.ts'
import { makeEvent } from '../../../../support/ingest/ingest-store.ts'

const rowOf = (project: number, event: string, distinctId = 'd') => ({
  projectId: projectId(project),
  event: makeEvent({ event, distinctId }),
  batch: 0,
})

t.test(
  'a definition is seen again once it was seen too long ago, each of its project',
  async (t) => {
    const clock = createFakeClock()
    const memory = new IngestMemory(clock, () => '')
    const namesOf = (project: number, ...names: string[]) =>
      memory.unseenOf(names.map((name) => rowOf(project, name))).seenDefinitions.map((d) => d.name)
    t.same(namesOf(1, 'a', 'a', 'b'), ['a', 'b'])
    memory.learn(memory.unseenOf([rowOf(1, 'a')]), () => true)
    t.same(namesOf(1, 'a', 'b', 'a'), ['b'])
    t.same(namesOf(2, 'a'), ['a'], 'not of another project')
    t.same(namesOf(1, 'a'), [])
    await clock.advance(DEFINITION_SEEN_MS)
    t.same(namesOf(1, 'a'), ['a'], 'nor for ever')
    memory.learn(memory.unseenOf([rowOf(1, 'a')]), () => true)
    t.same(namesOf(1, 'a'), [])
  },
)

t.test('a required value of a person is looked at once', async (t) => {
  const [a, b] = [
    { names: '["x"]', set: '' },
    { names: '["x"]', set: '{"y":1}' },
  ] as const
  const none = { names: '', set: '' }
  const rows = ['p', 'p', 'q', 'p', 'r'].map((id) => rowOf(1, 'e', id))
  const judged = judgedOf(rows, [a, a, a, b, none])
  t.same(
    judged.map(({ distinctId, expected }) => [distinctId, expected]),
    [
      ['p', a],
      ['q', a],
      ['p', b],
    ],
  )
})
