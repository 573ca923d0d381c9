import t from 'tap'
import { createMailbox } from '../../../src/actor/mailbox.ts'
import { AppError } from '../../../src/core/code.ts'
import { projectId, revision } from '../../../src/core/ids.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { createNewsHub, type ProjectNews } from '../../../src/core/project-news.ts'
import { compileSnapshot } from '../../../src/flags/compile.ts'
import type { ProjectState, StateChange } from '../../../src/project/ports.ts'
import { createProjects, type ProjectsDeps } from '../../../src/project/projects.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const ONE = projectId(1)

function stateOf(n: number): ProjectState {
  return {
    id: ONE,
    revision: revision(n),
    apiToken: 'phc_one',
    anonymizeIps: false,
    flags: compileSnapshot({ flags: [], cohorts: [], groupTypes: new Map() }),
  }
}

/** Projects over a store that keeps one project, until it is removed. */
function setUp(more: Partial<ProjectsDeps> = {}) {
  const told: ProjectNews[] = []
  const news = createNewsHub(log)
  news.subscribe((each) => told.push(each))
  const store = { isThere: true, revision: 1 }
  const load = async () => {
    if (!store.isThere) throw new AppError('not_found', 'no project 1')
    return stateOf(store.revision)
  }
  const projects = createProjects({
    load,
    async commit<T>(_project: unknown, change: StateChange<T>) {
      await load()
      const result = await change(noTransaction)
      store.revision += 1
      return { result, state: stateOf(store.revision) }
    },
    async remove() {
      await load()
      store.isThere = false
    },
    createMailbox: () => createMailbox({ turnsMax: 10 }),
    sink: { submit: async () => ({ kind: 'no_project' }) },
    news,
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

t.test('a worker that has lost the shard forgets the project, whatever it was to do', async (t) => {
  const fenced = () => Promise.reject(new AppError('fenced', 'shard 1 has a newer owner'))
  const { projects } = setUp({ remove: fenced, commit: fenced })
  for (const call of [() => projects.remove(ONE, nothing), () => projects.mutate(ONE, nothing)]) {
    await projects.activate(ONE)
    await t.rejects(call(), { code: 'fenced' })
    t.equal(projects.peek(ONE), undefined)
  }
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
      return stateOf(1)
    },
  })
  await projects.activate(ONE)
  isAway = true
  await t.rejects(projects.refresh(ONE), { code: 'unavailable' })
})
