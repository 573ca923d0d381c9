import t from 'tap'
import type { DecideQuestion__Output } from '../../../../proto/gen/sluice/v1/DecideQuestion.ts'
import { AppError } from '../../../../src/core/code.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createDecideService } from '../../../../src/project/decide.ts'
import { createDecideBatch } from '../../../../src/rpc/hot/decide-handlers.ts'
import { createMemberAuth, sameToken } from '../../../../src/rpc/server/member-auth.ts'
import { question } from '../../../support/workers/fake-workers.ts'
import { createTestProjects, ONE, TWO } from '../../../support/workers/projects.ts'
import { testHealth } from '../../../support/workers/test-health.ts'

const TOKEN = 'of the cluster'

function setUp() {
  const test = createTestProjects()
  const { snapshots, clock } = test
  const nothing = async () => new Map()
  const service = createDecideService({
    store: { persons: nothing, groups: nothing, keepContinuity: async () => {} },
    health: testHealth(clock),
    clock,
  })
  const handler = createDecideBatch({
    memberAuth: createMemberAuth(sameToken(TOKEN)),
    snapshots,
    service,
    log,
  })
  const decide = async (questions: DecideQuestion__Output[], token = TOKEN) => {
    const metadata = new Map([['authorization', `Bearer ${token}`]])
    const context = { metadata, signal: new AbortController().signal, timeoutMs: 1_000 }
    return (await handler({ questions }, context)).answers
  }
  return { ...test, decide }
}

function ask(project: number, more: Partial<DecideQuestion__Output> = {}): DecideQuestion__Output {
  return { ...question(project), distinct_id: 'one', ...more }
}

t.test('nobody but a member is answered', async (t) => {
  const { decide, store } = setUp()
  await t.rejects(decide([ask(ONE)], 'another'), { code: 'unauthenticated' })
  t.same(store.asked, [])
})

t.test('each question is refused by itself, and the answers keep their places', async (t) => {
  const { decide, store } = setUp()
  store.revisions.delete(TWO)
  const broken = ask(ONE, { person_properties: '{' })
  const answers = await decide([ask(TWO), ask(ONE), ask(-1), broken, ask(TWO), ask(0), ask(ONE)])
  t.same(
    answers.map(({ code, revision }) => [code, revision]),
    [
      ['not_found', 0],
      ['', 1],
      ['internal', 0],
      ['internal', 0],
      ['not_found', 0],
      ['internal', 0],
      ['', 1],
    ],
  )
})

t.test('a batch of trusted projects asks the database nothing', async (t) => {
  const { decide, projects, store } = setUp()
  await projects.activate(ONE)
  await projects.activate(TWO)
  store.asked.length = 0
  const answers = await decide([ask(ONE), ask(TWO), ask(ONE)])
  t.ok(answers.every(({ code }) => code === ''))
  t.same(store.asked, [])
})

t.test('all others of a batch are compared by one statement', async (t) => {
  const { decide, projects, store, world } = setUp()
  await projects.activate(ONE)
  await projects.activate(TWO)
  store.asked.length = 0
  world.epoch = undefined
  store.revisions.set(TWO, 4)
  const answers = await decide([ask(TWO), ask(ONE), ask(ONE), ask(TWO)])
  t.same(
    answers.map(({ revision }) => revision),
    [4, 1, 1, 4],
  )
  t.same(store.asked, ['compare 1 2', 'load 2'])
})

t.test('while the database is away, only what is known is answered', async (t) => {
  const { decide, projects, store, world } = setUp()
  await projects.activate(ONE)
  world.fresh = false
  store.mode = 'away'
  const [known, unknown] = await decide([ask(ONE), ask(TWO)])
  t.match(known, { code: '', revision: 1 })
  t.match(unknown, { code: new AppError('unavailable', '').code })
})
