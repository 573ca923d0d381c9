/** In which order a run starts its files, and how many run at a time. */
import t from 'tap'
import { longestFirst } from '../../../../scripts/testing/costs.mjs'
import { runJobs } from '../../../../scripts/testing/schedule.mjs'
import {
  allTests,
  groupOf,
  isUnit,
  testsAt,
  tierOf,
} from '../../../../scripts/testing/test-files.mjs'
import { packageRoot } from '../../../../src/core/package-root.ts'

t.test('the longest test is the first, one that nobody timed counts as its tier', async (t) => {
  const costs = { 'test/unit/a.test.ts': 9, 'test/integration/b/c.test.ts': 1 }
  const paths = ['test/unit/z.test.ts', 'test/unit/y.test.ts', 'test/faults/new.test.ts']
  t.same(longestFirst([...paths, ...Object.keys(costs)], costs), [
    'test/faults/new.test.ts',
    'test/unit/a.test.ts',
    'test/integration/b/c.test.ts',
    'test/unit/y.test.ts',
    'test/unit/z.test.ts',
  ])
})

t.test('no more runs at a time than weights allow, and nothing is overtaken', async (t) => {
  const events: string[] = []
  const ends = new Map<string, () => void>()
  const job = (name: string, weight: number) => ({
    weight,
    run: () => {
      events.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    },
  })
  const ran = runJobs([job('a', 2), job('b', 1), job('heavy', 2), job('c', 1)], 4)
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  t.same(events, ['a', 'b'])
  await end('b')
  t.same(events, ['a', 'b', 'heavy'])
  await end('a')
  t.same(events, ['a', 'b', 'heavy', 'c'])
  await end('heavy')
  await end('c')
  await ran
  t.pass('it ends when all have')
})

t.test('a job heavier than all may run at a time runs alone', async (t) => {
  const events: string[] = []
  const run = (name: string) => async () => {
    events.push(`${name} begins`)
    await new Promise(setImmediate)
    events.push(`${name} ends`)
  }
  await runJobs(
    [
      { weight: 9, run: run('heavy') },
      { weight: 1, run: run('light') },
    ],
    4,
  )
  t.same(events, ['heavy begins', 'heavy ends', 'light begins', 'light ends'])
})

t.test('tests are asked for by file and by folder', async (t) => {
  const below = testsAt(['test/unit/scripts'], packageRoot)
  t.ok(below.includes('test/unit/scripts/testing/order.test.ts'))
  t.ok(below.every((path) => path.startsWith('test/unit/scripts/')))
  const file = 'test/unit/scripts/testing/order.test.ts'
  t.same(
    testsAt([file, './test/unit/scripts/testing'], packageRoot).filter((path) => path === file),
    [file],
  )
  t.throws(() => testsAt(['test/unit/none'], packageRoot), { message: /is not there/ })
  t.throws(() => testsAt(['test/fixtures'], packageRoot), { message: /holds no test/ })
})

t.test('a tier is the first folder below test', async (t) => {
  t.equal(tierOf('test/integration/store/a.test.ts'), 'integration')
  t.equal(tierOf('test/tidy.test.ts'), '')
  const all = allTests()
  t.ok(all.includes('test/tidy.test.ts'))
  t.same(
    [...new Set(all.filter(isUnit).map(tierOf))].sort(),
    ['contract', 'unit'],
    'these start no server',
  )
  t.equal(groupOf('test/unit/core/a.test.ts'), 'units')
  t.equal(groupOf('test/integration/store/a.test.ts'), 'servers')
  t.equal(groupOf('test/console/a.test.ts'), 'browser')
  t.equal(groupOf('test/clients/trouble-browser.test.ts'), 'browser')
  t.equal(groupOf('test/clients/trouble.test.ts'), 'servers')
  t.equal(groupOf('test/integration/scripts/a.test.ts'), undefined, 'it has a process of its own')
})
