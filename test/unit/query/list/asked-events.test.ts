import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import { EVENT_NAME_LENGTH_MAX } from '../../../../src/core/limits/limits.ts'
import { type AskedEvent, createAskedEvents } from '../../../../src/query/list/asked-events.ts'

const ONE = projectId(1)
const TWO = projectId(2)

function setUp(entriesMax = 10) {
  const written: (readonly AskedEvent[])[] = []
  const store = { isAway: false, hold: Promise.resolve() }
  const asked = createAskedEvents(
    async (counts) => {
      written.push(counts)
      await store.hold
      if (store.isAway) throw new Error('no store')
    },
    { entriesMax },
  )
  return { asked, written, store }
}

t.test('questions are counted by project and name, and written once', async (t) => {
  const { asked, written } = setUp()
  for (const [project, event] of [
    [ONE, 'a'],
    [ONE, 'a'],
    [ONE, 'b'],
    [TWO, 'a'],
  ] as const) {
    asked.add(project, event)
  }
  await asked.flush()
  await asked.flush()
  t.same(written, [
    [
      { projectId: ONE, event: 'a', count: 2 },
      { projectId: ONE, event: 'b', count: 1 },
      { projectId: TWO, event: 'a', count: 1 },
    ],
  ])
})

t.test('nothing is written when nothing was asked', async (t) => {
  const { asked, written } = setUp()
  await asked.flush()
  t.same(written, [])
})

t.test('a failed write is told, and its counts are written with the next', async (t) => {
  const { asked, written, store } = setUp()
  asked.add(ONE, 'a')
  store.isAway = true
  await t.rejects(asked.flush(), { message: 'no store' })
  asked.add(ONE, 'a')
  store.isAway = false
  await asked.flush()
  t.same(written.at(-1), [{ projectId: ONE, event: 'a', count: 2 }])
})

t.test('a request during a write belongs to the next, and writes do not overlap', async (t) => {
  const { asked, written, store } = setUp()
  let letGo = () => {}
  store.hold = new Promise((resolve) => {
    letGo = resolve
  })
  asked.add(ONE, 'a')
  const first = asked.flush()
  await Promise.resolve()
  asked.add(ONE, 'b')
  const second = asked.flush()
  await Promise.resolve()
  t.equal(written.length, 1)
  letGo()
  await Promise.all([first, second])
  t.same(written[1], [{ projectId: ONE, event: 'b', count: 1 }])
})

t.test('a name is cleaned as stored ones are, so that the store takes it', async (t) => {
  const { asked, written } = setUp()
  asked.add(ONE, 'a\0b')
  asked.add(ONE, 'a\ufffdb')
  await asked.flush()
  t.same(written, [[{ projectId: ONE, event: 'a\ufffdb', count: 2 }]])
})

t.test('no more names are held than the bound, nor longer ones than events have', async (t) => {
  const { asked, written } = setUp(3)
  const longest = '😀'.repeat(EVENT_NAME_LENGTH_MAX)
  asked.add(ONE, `${longest}x`)
  for (const event of ['a', longest, 'b', 'c', 'a']) asked.add(ONE, event)
  await asked.flush()
  t.same(
    written[0]?.map(({ event, count }) => [event, count]),
    [
      ['a', 2],
      [longest, 1],
      ['b', 1],
    ],
  )
})
