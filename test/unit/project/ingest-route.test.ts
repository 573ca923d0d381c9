import t from 'tap'
import { AppError } from '../../../src/core/code.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { EventBatch, IngestOutcome } from '../../../src/events/event-batch.ts'
import { createIngestRoute, INGEST_ACTIVATION_MS } from '../../../src/project/ingest-route.ts'
import { ACTIVATION_LOAD_MS } from '../../../src/project/projects.ts'
import { createTestProjects, ONE, TWO } from '../../support/workers/projects.ts'

const SPILLED: IngestOutcome = { kind: 'spilled' }

/** A route beside the actors' own way to the writer, so that one is told from the other. */
function setUp() {
  const test = createTestProjects()
  const unrouted: ProjectId[] = []
  const route = createIngestRoute({
    projects: test.projects,
    sink: {
      async submit({ projectId }) {
        unrouted.push(projectId)
        return SPILLED
      },
    },
    clock: test.clock,
    log,
  })
  const batch = (project: ProjectId): EventBatch => ({ projectId: project, events: [], bytes: 0 })
  return { ...test, unrouted, take: (project: ProjectId) => route.ingest(batch(project)) }
}

t.test('events of a project that is gone are refused', async (t) => {
  const { take, store, unrouted } = setUp()
  store.revisions.delete(ONE)
  t.same(await take(ONE), { kind: 'no_project' })
  t.same(unrouted, [])
})

t.test('while the database is away, events go on without their actor', async (t) => {
  const { take, store, submitted, unrouted } = setUp()
  store.mode = 'away'
  t.same(await take(ONE), SPILLED)
  t.same(unrouted, [ONE])
  t.same(submitted, [])
})

t.test('an activation that hangs is waited for once, by all who come', async (t) => {
  const { take, store, clock, unrouted } = setUp()
  store.mode = 'held'
  const first = take(ONE)
  await clock.advance(INGEST_ACTIVATION_MS - 1)
  const second = take(ONE)
  t.same(unrouted, [])
  await clock.advance(1)
  t.same(await Promise.all([first, second]), [SPILLED, SPILLED])
  t.same(await take(ONE), SPILLED, 'nor does who comes later wait')
  t.same(store.asked, ['load 1'])
  await clock.advance(ACTIVATION_LOAD_MS)
  t.same(unrouted, [ONE, ONE, ONE])
})

t.test('once the database is back, events go to the actor again', async (t) => {
  const { take, store, clock, submitted } = setUp()
  store.mode = 'held'
  const first = take(ONE)
  await clock.advance(INGEST_ACTIVATION_MS)
  await first
  store.release()
  await clock.advance(0)
  t.match(await take(ONE), { kind: 'stored' })
  t.equal(submitted.length, 1)
})

t.test('a project that waits keeps no other one', async (t) => {
  const { take, store, clock } = setUp()
  store.mode = 'held'
  const slow = take(ONE)
  await clock.advance(1)
  store.mode = 'here'
  t.match(await take(TWO), { kind: 'stored' })
  store.release()
  t.match(await slow, { kind: 'stored' })
})

t.test('events need no activation when there is no room for one', async (t) => {
  const full = new AppError('resource_exhausted', 'every activation is busy')
  const route = createIngestRoute({
    projects: { peek: () => undefined, activate: () => Promise.reject(full) },
    sink: { submit: async () => SPILLED },
    clock: setUp().clock,
    log,
  })
  t.same(await route.ingest({ projectId: ONE, events: [], bytes: 0 }), SPILLED)
})
