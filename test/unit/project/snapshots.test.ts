import t from 'tap'
import { AWAY_PROBE_MS, LATE_PROBE_ATTEMPT_MS } from '../../../src/core/database-health.ts'
import { epoch, projectId, revision } from '../../../src/core/ids.ts'
import { REVISIONS_READ_MS, SNAPSHOT_STALE_MAX_MS } from '../../../src/core/limits/limits.ts'
import { createTestProjects, ONE, TWO } from '../../support/workers/projects.ts'

type World = ReturnType<typeof createTestProjects>

/** With both projects active and nothing asked yet. */
async function setUp() {
  const world = createTestProjects()
  await world.projects.activate(ONE)
  await world.projects.activate(TWO)
  world.store.asked.length = 0
  return world
}

async function revisionOf({ snapshots }: World, project = ONE): Promise<number> {
  return (await snapshots.of(project)).revision
}

t.test('a trusted project is answered at once, and the database is not asked', async (t) => {
  const world = await setUp()
  t.equal(world.snapshots.peek(ONE)?.revision, 1)
  t.equal(await revisionOf(world), 1)
  t.same(world.store.asked, [])
})

t.test('projects that are not trusted are compared by one statement', async (t) => {
  const { world, snapshots, store } = await setUp()
  world.fresh = false
  t.equal(snapshots.peek(ONE), undefined)
  store.revisions.set(TWO, 5)
  const outcomes = await snapshots.read([TWO, ONE, TWO])
  t.match(outcomes.get(ONE), { kind: 'state', state: { revision: 1 } })
  t.match(outcomes.get(TWO), { kind: 'state', state: { revision: 5 } })
  t.same(store.asked, ['compare 1 2', 'load 2'], 'only what is behind is read')
})

t.test('trust ends with any of its conditions', async (t) => {
  const ends: Record<string, (world: World['world']) => void> = {
    'others may have declared this worker dead': (world) => (world.confirmed = false),
    'another worker is not heard': (world) => (world.fresh = false),
    'the shard is not held': (world) => (world.epoch = undefined),
    'changes may have been missed': (world) => (world.interruptions = 1),
    'the shard was lost and gained again': (world) => (world.epoch = epoch(3n)),
  }
  for (const [why, end] of Object.entries(ends)) {
    const { world, snapshots } = await setUp()
    t.ok(snapshots.peek(ONE), why)
    end(world)
    t.equal(snapshots.peek(ONE), undefined, why)
  }
})

t.test('a project active before its shard was gained is compared once, then trusted', async (t) => {
  const test = createTestProjects()
  const { world, snapshots, store } = test
  world.epoch = undefined
  t.equal(await revisionOf(test), 1)
  // Another worker owns it, and changes it.
  store.revisions.set(ONE, 2)
  world.epoch = epoch(9n)
  store.asked.length = 0
  t.equal(snapshots.peek(ONE), undefined)
  t.equal(await revisionOf(test), 2)
  t.ok(snapshots.peek(ONE))
  t.equal(await revisionOf(test), 2)
  t.same(store.asked, ['compare 1', 'load 1'])
})

t.test('a comparison that began before the shard was gained does not count', async (t) => {
  const { world, snapshots, store } = await setUp()
  world.epoch = undefined
  store.mode = 'held'
  const read = snapshots.of(ONE)
  await Promise.resolve()
  // Its statement has run; the owner changes the project, and then gives the shard away.
  store.revisions.set(ONE, 2)
  world.epoch = epoch(4n)
  store.release()
  t.equal((await read).revision, 1, 'right at the time of the question')
  t.equal(snapshots.peek(ONE), undefined)
})

t.test('changes of a newer revision end the trust before it is read', async (t) => {
  const test = await setUp()
  const { snapshots, projects, store } = test
  store.revisions.set(ONE, 2)
  store.mode = 'away'
  await t.rejects(projects.noteRevision(ONE, revision(2)), { code: 'unavailable' })
  t.equal(snapshots.peek(ONE), undefined, 'also when it cannot be read')
  store.mode = 'here'
  t.equal(await revisionOf(test), 2)
  t.ok(snapshots.peek(ONE))
})

t.test('a project that is gone is not found, and forgotten', async (t) => {
  const { world, snapshots, projects, store } = await setUp()
  world.confirmed = false
  store.revisions.delete(ONE)
  await t.rejects(snapshots.of(ONE), { code: 'not_found' })
  t.equal(projects.peek(ONE), undefined)
  await t.rejects(snapshots.of(projectId(99)), { code: 'not_found' })
  t.match((await snapshots.read([ONE, TWO])).get(TWO), { kind: 'state' })
})

t.test('a project loaded for the question is not asked about again', async (t) => {
  const { world, snapshots, store } = createTestProjects()
  world.epoch = undefined
  await snapshots.read([ONE, TWO])
  t.same(store.asked, ['load 1', 'load 2'])
})

t.test('a load that began before the question is compared with the database', async (t) => {
  const { world, snapshots, projects, store, clock } = createTestProjects()
  world.epoch = undefined
  store.mode = 'held'
  const earlier = projects.activate(ONE)
  await clock.advance(10)
  store.revisions.set(ONE, 2)
  const read = snapshots.of(ONE)
  store.release()
  await earlier
  t.equal((await read).revision, 2)
})

t.test('while the database is away the last snapshot holds, for ten minutes', async (t) => {
  const test = await setUp()
  const { world, revisions, snapshots, store, clock } = test
  world.confirmed = false
  store.mode = 'away'
  t.equal(await revisionOf(test), 1)
  t.equal(await revisions.away(), true)
  await clock.advance(SNAPSHOT_STALE_MAX_MS)
  t.equal(await revisionOf(test), 1)
  await clock.advance(1)
  await t.rejects(snapshots.of(ONE), { code: 'unavailable' })
  store.mode = 'here'
  await clock.advance(AWAY_PROBE_MS)
  // The first one finds out, beside its answer.
  await t.rejects(snapshots.of(ONE), { code: 'unavailable' })
  t.equal(await revisionOf(test), 1)
  t.equal(await revisions.away(), false)
})

t.test(
  'a snapshot older than what another worker told of serves nobody while it is away',
  async (t) => {
    const { world, snapshots, projects, store } = await setUp()
    world.confirmed = false
    store.mode = 'away'
    await t.rejects(projects.noteRevision(ONE, revision(2)), { code: 'unavailable' })
    await t.rejects(
      snapshots.of(ONE),
      { code: 'unavailable' },
      'the other worker has the newer one',
    )
    t.equal((await snapshots.of(TWO)).revision, 1)
  },
)

t.test('the ten minutes begin with the last trusted answer, not with the load', async (t) => {
  const test = await setUp()
  const { world, snapshots, store, clock } = test
  await clock.advance(SNAPSHOT_STALE_MAX_MS)
  t.ok(snapshots.peek(ONE))
  store.mode = 'away'
  world.fresh = false
  await clock.advance(SNAPSHOT_STALE_MAX_MS)
  t.equal(await revisionOf(test), 1)
  await t.rejects(snapshots.of(TWO), { code: 'unavailable' })
})

t.test('a database that hangs is waited for once, then asked beside the answers', async (t) => {
  const test = await setUp()
  const { world, snapshots, store, clock } = test
  world.confirmed = false
  store.mode = 'held'
  const first = snapshots.of(ONE)
  await clock.advance(REVISIONS_READ_MS)
  t.equal((await first).revision, 1)
  await clock.advance(LATE_PROBE_ATTEMPT_MS)
  for (let n = 0; n < 50; n++) t.equal(await revisionOf(test), 1)
  t.same(store.asked, ['compare 1', 'probe'], 'the late read and its probe')
  await clock.advance(AWAY_PROBE_MS)
  for (let n = 0; n < 50; n++) await revisionOf(test)
  t.same(store.asked, ['compare 1', 'probe', 'probe'], 'one at a time')
  store.revisions.set(ONE, 2)
  store.release()
  await clock.advance(0)
  t.equal(await revisionOf(test), 2)
})

t.test('a late answer counts when nobody waits for it any more', async (t) => {
  const test = await setUp()
  const { world, projects, snapshots, store, clock } = test
  world.confirmed = false
  store.revisions.set(ONE, 3)
  store.mode = 'held'
  const first = snapshots.of(ONE)
  await clock.advance(REVISIONS_READ_MS)
  t.equal((await first).revision, 1)
  store.release()
  await clock.advance(0)
  t.equal(projects.peek(ONE)?.state().revision, 3)
})

t.test('a project that cannot be read does not take the others along', async (t) => {
  const { world, revisions, snapshots, store, projects } = await setUp()
  world.confirmed = false
  const actor = projects.peek(ONE)
  t.ok(actor)
  store.revisions.set(ONE, 2)
  store.revisions.set(TWO, 2)
  const answer = Reflect.get(store, 'answer')
  Reflect.set(store, 'answer', async (statement: string) => {
    await answer(statement)
    if (statement === 'load 1') throw new Error('a flag that cannot be compiled')
  })
  const outcomes = await snapshots.read([ONE, TWO])
  t.match(outcomes.get(ONE), { state: { revision: 1 } }, 'the last good one')
  t.match(outcomes.get(TWO), { state: { revision: 2 } })
  t.equal(await revisions.away(), false)
})
