import t from 'tap'
import { createMailbox } from '../../../src/actor/mailbox.ts'
import { createChangeFeed, type ProjectChange } from '../../../src/core/change-feed.ts'
import { AppError } from '../../../src/core/code.ts'
import { AWAY_PROBE_MS } from '../../../src/core/database-health.ts'
import { projectId, revision } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { StateChange } from '../../../src/project/ports.ts'
import type { StoredProject } from '../../../src/project/project-state.ts'
import {
  ACTIVATION_IDLE_MS,
  createProjects,
  type ProjectsDeps,
} from '../../../src/project/projects.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createTestProjects } from '../../support/workers/projects.ts'

const ONE = projectId(1)

function storedProject(n: number): StoredProject {
  return {
    id: ONE,
    revision: revision(n),
    apiToken: 'phc_one',
    anonymizeIps: false,
    sources: { flags: [], cohorts: [], groupTypes: new Map(), timezone: 'UTC' },
    plugins: undefined,
  }
}

/** Projects over a store that keeps one project, until it is removed. */
function setUp(more: Partial<ProjectsDeps> = {}) {
  const told: ProjectChange[] = []
  const feed = createChangeFeed(log)
  feed.subscribe((each) => told.push(each))
  const store = { isThere: true, revision: 1 }
  const load = async () => {
    if (!store.isThere) throw new AppError('not_found', 'no project 1')
    return storedProject(store.revision)
  }
  const projects = createProjects({
    load,
    async commit<T>(_project: unknown, change: StateChange<T>) {
      await load()
      const result = await change(noTransaction)
      store.revision += 1
      return { result, left: storedProject(store.revision) }
    },
    async remove() {
      await load()
      store.isThere = false
    },
    createMailbox: () => createMailbox({ turnsMax: 10 }),
    sink: { submit: async () => ({ kind: 'no_project' }) },
    feed,
    clock: createFakeClock(),
    log,
    ...more,
  })
  return { projects, store, told }
}

// These changes use none.
const noTransaction = Object.create(null)
const nothing = async () => undefined

t.test('a removed project is told, and its actor is gone with it', async (t) => {
  const { projects, told } = setUp()
  await projects.mutate(ONE, nothing)
  t.equal(projects.size(), 1)
  await projects.remove(ONE, nothing)
  t.same(told.at(-1), { kind: 'keys' })
  t.equal(projects.peek(ONE), undefined)
  t.equal(projects.size(), 0)
  await t.rejects(projects.activate(ONE), { code: 'not_found' })
  await t.rejects(projects.remove(ONE, nothing), { code: 'not_found' })
})

t.test('a change that waits behind the removal finds nothing to change', async (t) => {
  const { projects } = setUp()
  await projects.activate(ONE)
  let ran = false
  const removal = projects.remove(ONE, nothing)
  const change = projects.mutate(ONE, async () => {
    ran = true
  })
  await Promise.all([removal, t.rejects(change, { code: 'not_found' })])
  t.notOk(ran)
})

t.test('a removal that fails leaves the project and its actor as they were', async (t) => {
  const { projects, told } = setUp({
    remove: () => Promise.reject(new AppError('unavailable', 'no store')),
  })
  const actor = await projects.activate(ONE)
  await t.rejects(projects.remove(ONE, nothing), { code: 'unavailable' })
  t.equal(projects.peek(ONE), actor)
  t.same(told, [])
})

t.test('a fenced change says whose the project is, and the snapshot stays', async (t) => {
  const fenced = () => Promise.reject(new AppError('fenced', 'shard 1 has a newer owner'))
  const notOwner = () => new AppError('not_owner', 'ask another')
  const { projects } = setUp({ remove: fenced, commit: fenced, notOwner })
  for (const call of [() => projects.remove(ONE, nothing), () => projects.mutate(ONE, nothing)]) {
    const actor = await projects.activate(ONE)
    await t.rejects(call(), { code: 'not_owner' })
    t.equal(projects.peek(ONE), actor)
  }
})

t.test('a change of what another worker owns loads nothing', async (t) => {
  const hold = () => Promise.reject(new AppError('not_owner', 'ask another'))
  let loads = 0
  const { projects } = setUp({
    hold,
    async load() {
      loads++
      return storedProject(1)
    },
  })
  await t.rejects(projects.mutate(ONE, nothing), { code: 'not_owner' })
  await t.rejects(projects.remove(ONE, nothing), { code: 'not_owner' })
  t.equal(loads, 0)
  t.equal(projects.size(), 0)
})

t.test('a project that has gone beside its actor is forgotten when it is read anew', async (t) => {
  const { projects, store } = setUp()
  await projects.activate(ONE)
  store.isThere = false
  // A flush awaits this: what others have in the same batch must not fail.
  await projects.refresh(ONE)
  t.equal(projects.peek(ONE), undefined)
  await projects.refresh(ONE)
})

t.test('another failure of reading anew is told', async (t) => {
  let isAway = false
  const { projects } = setUp({
    async load() {
      if (isAway) throw new AppError('unavailable', 'no store')
      return storedProject(1)
    },
  })
  await projects.activate(ONE)
  isAway = true
  await t.rejects(projects.refresh(ONE), { code: 'unavailable' })
})

t.test('an idle project stays while nothing can be loaded', async (t) => {
  const { projects, store, clock } = createTestProjects()
  await projects.activate(ONE)
  store.mode = 'away'
  await clock.advance(2 * ACTIVATION_IDLE_MS)
  await projects.sweep()
  t.equal(projects.size(), 1)
  store.mode = 'here'
  await clock.advance(AWAY_PROBE_MS)
  await projects.sweep()
  t.equal(projects.size(), 1, 'this one finds out')
  await clock.advance(0)
  await projects.sweep()
  t.equal(projects.size(), 0)
})

t.test('changes during the loading of a project are not lost', async (t) => {
  const { projects, snapshots, store } = createTestProjects()
  store.mode = 'held'
  const loaded = projects.activate(ONE)
  await Promise.resolve()
  store.revisions.set(ONE, 2)
  await projects.noteRevision(ONE, revision(2))
  store.release()
  t.equal((await loaded).state().revision, 1)
  t.equal(snapshots.peek(ONE), undefined)
  t.equal((await snapshots.of(ONE)).revision, 2)
})

t.test('a refresh does not wait for changes, and its older reading loses', async (t) => {
  const { projects, store } = createTestProjects()
  const actor = await projects.activate(ONE)
  store.mode = 'held'
  const refreshed = projects.refresh(ONE)
  await Promise.resolve()
  store.mode = 'here'
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let changed: Promise<void> | undefined
  await new Promise<void>((started) => {
    changed = projects.mutate(ONE, async () => {
      started()
      await released
    })
  })
  // The change is under way; the reading ends all the same.
  store.release()
  await refreshed
  t.equal(actor.busy(), true)
  release()
  await changed
  t.equal(actor.state().revision, 2)
})

t.test('a reading that began before a change does not undo it', async (t) => {
  const { projects, store } = createTestProjects()
  const actor = await projects.activate(ONE)
  store.mode = 'held'
  const refreshed = projects.refresh(ONE)
  await Promise.resolve()
  store.mode = 'here'
  await projects.mutate(ONE, nothing)
  store.release()
  await refreshed
  t.equal(actor.state().revision, 2)
})

t.test('refreshes that come while one runs share one more', async (t) => {
  const { projects, store } = createTestProjects()
  await projects.activate(ONE)
  store.mode = 'held'
  const first = projects.refresh(ONE)
  await Promise.resolve()
  store.revisions.set(ONE, 7)
  const later = [projects.refresh(ONE), projects.refresh(ONE), projects.refresh(ONE)]
  store.release()
  await Promise.all([first, ...later])
  t.same(store.asked, ['load 1', 'load 1', 'load 1'])
  t.equal(projects.peek(ONE)?.state().revision, 7)
})

t.test('a project read anew is not reported as a change', async (t) => {
  const { projects, store, told } = createTestProjects()
  await projects.activate(ONE)
  store.revisions.set(ONE, 2)
  await projects.noteRevision(ONE, revision(2))
  await projects.refresh(ONE)
  t.equal(projects.peek(ONE)?.state().revision, 2)
  t.same(told, [])
  await projects.mutate(ONE, nothing)
  t.same(told, [[{ kind: 'revision', projectId: ONE, revision: 3 }, 'own']])
})
