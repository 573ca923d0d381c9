import t from 'tap'
import {
  PLUGIN_DRY_LOGS_MAX,
  PLUGIN_DRY_RUNS_MAX,
} from '../../../../src/plugins/runtime/dry-run.ts'
import {
  createRuntimeWorld,
  type FakePlugin,
  PROJECT,
  pluginError,
  SITE_URL,
  step,
} from '../../../support/plugins/plugin-runtime.ts'

const EVENT = { event: 'paid', distinct_id: 'u1', properties: { plan: 'pro' } }
const keep: FakePlugin = { processEvent: (event) => event }
const adding = (name: string): FakePlugin => ({
  processEvent(event) {
    event.properties[name] = true
    return event
  },
})

t.test(
  'a dry run shows the event after each step up to the config, and stores nothing',
  async (t) => {
    const { world, runtime } = createRuntimeWorld({
      1: adding('a'),
      2: adding('b'),
      3: keep,
      4: keep,
    })
    world.plan = [step(1), step(3), step(4)]
    const { steps } = await runtime.dryRun(PROJECT, 2, EVENT)
    t.match(steps, [
      { configId: 1, name: 'P1', outcome: 'kept', error: null, logs: [] },
      { configId: 2, name: 'P2', outcome: 'kept', error: null, logs: [] },
    ])
    t.equal(steps.length, 2)
    const [first, second] = steps.map(({ event }) => event)
    t.match(first, {
      team_id: 1,
      site_url: SITE_URL,
      ip: null,
      properties: { plan: 'pro', a: true },
    })
    t.notMatch(first, { properties: { b: true } }, 'as it was then')
    t.match(second, { properties: { plan: 'pro', a: true, b: true } })
    t.same(
      [world.submitted, world.logs, world.counts, world.failed, world.stored],
      [[], [], [], [], []],
    )
    t.same(world.said, [
      'load 1',
      'setup 1',
      'process 1 1',
      'teardown 1',
      'load 2',
      'setup 2',
      'process 2 1',
      'teardown 2',
    ])
  },
)

t.test('the given parts of the event are kept, the rest is made up', async (t) => {
  const { runtime } = createRuntimeWorld({ 1: keep })
  const given = {
    ...EVENT,
    uuid: 'mine',
    timestamp: '2024-05-01T12:00:00Z',
    team_id: 7,
    ip: '1.2.3.4',
    $set: { a: 1 },
  }
  const { steps } = await runtime.dryRun(PROJECT, 1, given)
  t.match(steps[0]?.event, {
    uuid: 'mine',
    timestamp: '2024-05-01T12:00:00.000000Z',
    team_id: 1,
    ip: '1.2.3.4',
    $set: { a: 1 },
    now: '2023-11-14T22:13:20.000Z',
  })
  const bare = await runtime.dryRun(PROJECT, 1, { event: 'e', distinct_id: 'd' })
  t.match(bare.steps[0]?.event, { uuid: /^[0-9a-f-]{36}$/, properties: {} })
})

t.test('a dropped event ends the run, a failed one continues as it was', async (t) => {
  const failing: FakePlugin = {
    processEvent(event) {
      event.properties['half'] = true
      throw new Error('no')
    },
  }
  const dropping: FakePlugin = { processEvent: () => undefined }
  const { world, runtime } = createRuntimeWorld({ 1: failing, 2: dropping, 3: keep })
  world.plan = [step(1), step(2), step(3)]
  const { steps } = await runtime.dryRun(PROJECT, 3, EVENT)
  t.match(steps, [
    { outcome: 'failed', error: 'no', event: { properties: { plan: 'pro' } } },
    { outcome: 'dropped', error: null, event: null },
  ])
  t.equal(steps.length, 2)
  t.notMatch(steps[0]?.event, { properties: { half: true } })
})

t.test('a plugin that cannot be set up, or returns no event, has failed', async (t) => {
  const { world, runtime } = createRuntimeWorld({
    1: { ...keep, setup: [pluginError('no token')] },
    2: { processEvent: () => 'text' },
    3: { onEvent: true },
    4: { process: async () => [] },
  })
  world.plan = [1, 2, 3, 4].map((id) => step(id))
  const { steps } = await runtime.dryRun(PROJECT, 4, EVENT)
  t.match(steps, [
    { outcome: 'failed', error: 'no token' },
    { outcome: 'failed', error: /no event/ },
    { outcome: 'kept', error: null },
    { outcome: 'failed', error: /no answer/ },
  ])
  t.equal(world.said.filter((said) => said.startsWith('teardown')).length, 4)
  t.same(world.failed, [])
})

t.test('console output of a plugin is shown, within a bound', async (t) => {
  const { world, runtime } = createRuntimeWorld({})
  world.plugins.set(1, {
    processEvent(event) {
      for (let n = 0; n <= PLUGIN_DRY_LOGS_MAX; n++) world.dryLog('LOG', `line ${n}`)
      return event
    },
  })
  const { steps } = await runtime.dryRun(PROJECT, 1, EVENT)
  t.match(steps[0]?.logs[0], { type: 'LOG', message: 'line 0' })
  t.equal(steps[0]?.logs.length, PLUGIN_DRY_LOGS_MAX)
})

t.test('an unknown config, a wrong event and too many at a time are refused', async (t) => {
  const { runtime, clock, world } = createRuntimeWorld({ 1: { ...keep } })
  await t.rejects(runtime.dryRun(PROJECT, 9, EVENT), { code: 'not_found' })
  await t.rejects(runtime.dryRun(PROJECT, 1, { event: '' }), { code: 'invalid_argument' })
  world.plugins.set(1, { ...keep, load: clock.sleep(10) })
  const running = Array.from({ length: PLUGIN_DRY_RUNS_MAX }, () =>
    runtime.dryRun(PROJECT, 1, EVENT),
  )
  await t.rejects(runtime.dryRun(PROJECT, 1, EVENT), { code: 'resource_exhausted' })
  await clock.advance(10)
  await Promise.all(running)
  t.match((await runtime.dryRun(PROJECT, 1, EVENT)).steps, [{ outcome: 'kept' }])
})
