import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { SessionEventOptions } from '../../../../src/event-store/session-events.ts'
import { createPasses } from '../../../../src/query/insights/passes.ts'
import { everyEvent } from '../../../../src/query/insights/reader.ts'
import type { BlockPlan } from '../../../../src/query/insights/session-blocks/read-blocks.ts'
import { createSessionReads, type TooMany } from '../../../../src/query/insights/session-reads.ts'

const PROJECT = projectId(1)
const NONE = { members: new Map(), items: new Map(), actors: [] }

/** Reads over a store that answers `stored`, and a plan of blocks that answers `told`. */
function readsOver(told: Awaited<ReturnType<BlockPlan['read']>>, stored: TooMany | typeof NONE) {
  const asked: SessionEventOptions['actors'][] = []
  const plan: BlockPlan = { serves: () => true, read: async () => told }
  const reads = createSessionReads({
    read: async (_selection, _roles, { actors }) => {
      asked.push(actors)
      return stored
    },
    selectionOf: () => everyEvent(PROJECT),
    planBlocks: async () => plan,
    passes: createPasses(async () => []),
    bounds: { eventsMax: 10, valuesMax: 10 },
  })
  const ask = () =>
    reads({
      selection: {
        project: PROJECT,
        range: { fromMs: 0, untilMs: 1 },
        personId: undefined,
        distinctId: undefined,
        isNamed: false,
      },
      roles: [],
      members: [],
      items: [],
      open: () => () => undefined,
    })
  return { ask, asked }
}

for (const told of ['too_many_events', 'too_many_values'] as const) {
  t.test(`events with ${told} for blocks are read from the store`, async (t) => {
    const { ask, asked } = readsOver(told, NONE)
    t.equal(await ask(), undefined)
    t.same(asked, ['unnamed'])
  })
}

t.test('a store that has too much of something says so', async (t) => {
  const { ask } = readsOver('too_many_values', 'too_many_events')
  t.equal(await ask(), 'too_many_events')
})
