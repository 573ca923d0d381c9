import t from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { projectId } from '../../../src/core/ids.ts'
import { createLog } from '../../../src/core/log.ts'
import type { PersonsChanged } from '../../../src/events/event-batch.ts'
import { createCacheGeneration } from '../../../src/project/cache-generation.ts'
import { createPersonForgetter } from '../../../src/project/person-forgetter.ts'

const changed = (project: number, ...distinctIds: string[]): PersonsChanged => ({
  projectId: projectId(project),
  distinctIds,
  groups: [],
})

function setUp(forget: (project: number, ids: readonly string[]) => Promise<void>) {
  const generation = createCacheGeneration('w')
  const said: string[] = []
  const log = createLog({}, { write: (line) => said.push(line) })
  const forgetter = createPersonForgetter({
    cache: { forgetPersons: forget },
    generation,
    clock,
    log,
  })
  return { forgetter, generation, said }
}

t.test(
  'answers that could not be deleted are void by a new generation, and logged once',
  async (t) => {
    let isAway = true
    const { forgetter, generation, said } = setUp(async () => {
      if (isAway) throw new AppError('unavailable', 'away')
    })
    await forgetter.onPersonsChanged([changed(1, 'ann')])
    t.equal(generation.current(), 'w.1')
    await forgetter.onPersonsChanged([changed(1, 'bob')])
    t.equal(generation.current(), 'w.2', 'for every change')
    t.equal(said.length, 1)
    isAway = false
    await forgetter.onPersonsChanged([changed(1, 'ann')])
    t.equal(generation.current(), 'w.2')
    t.equal(said.length, 2)
  },
)

t.test('a throw at once, and one project of several, are failures too', async (t) => {
  const { forgetter, generation } = setUp((project) => {
    if (project === 2) throw new Error('at once')
    return Promise.resolve()
  })
  await forgetter.onPersonsChanged([changed(1, 'ann'), changed(2, 'bob'), changed(3, 'eve')])
  t.equal(generation.current(), 'w.1')
})

t.test('the new generation stands before the change may be acknowledged', async (t) => {
  let fail = (_error: Error) => {
    // Replaced when it is asked.
  }
  const { forgetter, generation } = setUp(
    () =>
      new Promise((_resolve, reject) => {
        fail = reject
      }),
  )
  let acknowledged = false
  const done = forgetter.onPersonsChanged([changed(1, 'ann')]).then(() => {
    acknowledged = true
    return generation.current()
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.notOk(acknowledged, 'not before it is known')
  fail(new Error('late'))
  t.equal(await done, 'w.1')
})

t.test('each project is told once, of each distinct id once', async (t) => {
  const told: [number, readonly string[]][] = []
  const { forgetter, generation } = setUp(async (project, ids) => {
    told.push([project, ids])
  })
  await forgetter.onPersonsChanged([])
  await forgetter.onPersonsChanged([{ ...changed(1), groups: [{ type: 'a', key: 'b' }] }])
  t.strictSame(told, [])
  await forgetter.onPersonsChanged([changed(1, 'a', 'b'), changed(2, 'a'), changed(1, 'b', 'c')])
  t.strictSame(told, [
    [1, ['a', 'b', 'c']],
    [2, ['a']],
  ])
  t.equal(generation.current(), 'w.0')
})

t.test('without a cache of its own a worker voids those that gateways may have', async (t) => {
  const generation = createCacheGeneration('w')
  const log = createLog({ level: 'silent' })
  const forgetter = createPersonForgetter({ cache: undefined, generation, clock, log })
  await forgetter.onPersonsChanged([changed(1)])
  t.equal(generation.current(), 'w.0')
  await forgetter.onPersonsChanged([changed(1, 'ann')])
  t.equal(generation.current(), 'w.1')
})
