import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import {
  PLUGIN_ATTEMPTS_MAX,
  PLUGIN_RETRY_MS,
  SANDBOX_IDLE_MS,
} from '../../../../src/core/limits/limits-plugins.ts'
import type { IngestOutcome } from '../../../../src/events/event-batch.ts'
import {
  PLUGIN_IDLE_SWEEP_MS,
  PLUGIN_INSTANCES_MAX,
} from '../../../../src/plugins/runtime/instances.ts'
import { PLUGIN_DEFINITION_RETRY_MS } from '../../../../src/plugins/runtime/load-step.ts'
import { PLUGIN_FIRST_LOAD_MS } from '../../../../src/plugins/runtime/plugin-holder.ts'
import {
  batch,
  createRuntimeWorld,
  type FakePlugin,
  ingestEvent,
  PROJECT,
  pluginError,
  propertiesSubmitted,
  step,
} from '../../../support/plugins/plugin-runtime.ts'

const keep: FakePlugin = { processEvent: (event) => event }
const one = () => batch([ingestEvent()])
const retry = () => pluginError('later', { name: 'RetryError', isRetry: true })

t.test('a plugin is loaded and set up once, and says so', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep })
  t.same(world.said, [])
  await runtime.ingest([step(1)], one())
  await runtime.ingest([step(1)], one())
  t.same(world.said, ['load 1', 'setup 1', 'loaded 1', 'process 1 1', 'process 1 1'])
  t.same(world.logs, ['1 SYSTEM DEBUG Plugin loaded.', '1 SYSTEM DEBUG Plugin set up.'])
})

t.test('one that has been saved is loaded anew, and the old one ends', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep, 2: keep })
  await runtime.ingest([step(1), step(2)], one())
  world.said.length = 0
  world.stamp = 'two'
  await runtime.ingest([step(1, { stamp: 'two' }), step(2)], one())
  t.same(world.said.slice(-2), ['process 1 1', 'process 2 1'])
  const others = world.said.slice(0, -2).sort()
  t.same(others, ['flush 1', 'load 1', 'loaded 1', 'setup 1', 'teardown 1'])
})

t.test('events under way finish on the instance that they began with', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: { onEvent: true } })
  let store = (_outcome: IngestOutcome) => {}
  world.outcome = () =>
    new Promise((resolve) => {
      store = resolve
    })
  const old = runtime.ingest([step(1)], one())
  await new Promise((resolve) => setImmediate(resolve))
  const storeOld = store
  world.stamp = 'two'
  const later = runtime.ingest([step(1, { stamp: 'two' })], one())
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(world.said.filter((said) => said === 'load 1').length, 2)
  t.notOk(world.said.includes('teardown 1'))
  storeOld({ kind: 'spilled' })
  await old
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(world.stored.length, 1, 'it was told of its event')
  t.same(world.said.slice(-2), ['flush 1', 'teardown 1'])
  store({ kind: 'spilled' })
  await later
})

t.test('a plan that is older than what was read loads nothing twice', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep })
  world.stamp = 'two'
  await runtime.ingest([step(1, { stamp: 'one' })], one())
  await runtime.ingest([step(1, { stamp: 'two' })], one())
  await runtime.ingest([step(1, { stamp: 'one' })], one())
  t.equal(world.said.filter((said) => said === 'load 1').length, 1)
})

t.test('one that cannot be loaded or set up is disabled, and events go on', async (t) => {
  const cases: [FakePlugin, string[]][] = [
    [{ ...keep, loadError: pluginError('no token') }, ['load 1']],
    [{ ...keep, setup: [pluginError('no token')] }, ['load 1', 'setup 1', 'teardown 1']],
  ]
  for (const [plugin, said] of cases) {
    const { world, runtime } = createRuntimeWorld({ 1: plugin })
    await runtime.ingest([step(1)], one())
    await runtime.ingest([step(1)], one())
    t.same(world.said, said)
    t.same(world.failed, [{ config: 1, disable: true, message: 'no token', event: undefined }])
    t.match(world.logs.at(-1), /^1 SYSTEM ERROR Plugin disabled: .*\nError: no token$/)
    t.same(propertiesSubmitted(world.submitted), [{}, {}])
    t.same(world.counts, [])
  }
})

t.test('one without code is disabled', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: { code: { kind: 'none' } } })
  await runtime.ingest([step(1)], one())
  t.match(world.failed, [{ disable: true, message: /no index/ }])
  t.same(world.said, [])
})

t.test('a set-up that asks for it is tried again while events pass by', async (t) => {
  const plugin = { ...keep, setup: [retry(), retry()] }
  const { world, runtime, clock } = createRuntimeWorld({ 1: plugin })
  await runtime.ingest([step(1)], one())
  t.same(propertiesSubmitted(world.submitted), [{}], 'it did not fail')
  t.same(world.counts, [])
  await clock.advance(PLUGIN_RETRY_MS)
  t.equal(world.said.filter((said) => said === 'setup 1').length, 2)
  await clock.advance(2 * PLUGIN_RETRY_MS - 1)
  t.equal(world.said.filter((said) => said === 'setup 1').length, 2)
  await clock.advance(1)
  t.ok(world.said.includes('loaded 1'))
  t.same(world.failed, [])
  await runtime.ingest([step(1)], one())
  t.match(propertiesSubmitted(world.submitted)[1], { $plugins_succeeded: ['P1 (1)'] })
})

t.test('a set-up that always asks for another attempt is disabled after the last', async (t) => {
  const setup = Array.from({ length: 2 * PLUGIN_ATTEMPTS_MAX }, retry)
  const { world, runtime, clock } = createRuntimeWorld({ 1: { ...keep, setup } })
  await runtime.ingest([step(1)], one())
  await clock.advance(PLUGIN_RETRY_MS * 2 ** PLUGIN_ATTEMPTS_MAX)
  t.equal(world.said.filter((said) => said === 'setup 1').length, PLUGIN_ATTEMPTS_MAX)
  t.match(world.failed, [{ disable: true, message: 'later' }])
})

t.test('a config that is disabled stays so for the store, once it is back', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  world.plugins.set(1, { ...keep, setup: [pluginError('no')], load: clock.sleep(100) })
  const passing = runtime.ingest([step(1)], one())
  await clock.advance(50)
  world.storeAway = true
  await clock.advance(50)
  await passing
  t.same(world.failed, [])
  world.storeAway = false
  await clock.advance(PLUGIN_RETRY_MS)
  t.match(world.failed, [{ disable: true, message: 'no' }])
  await clock.advance(100 * PLUGIN_RETRY_MS)
  t.equal(world.failed.length, 1)
})

t.test('events wait for a first load, then go on without, which is to be seen', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep, 2: keep })
  world.plugins.set(1, { ...keep, load: clock.sleep(PLUGIN_FIRST_LOAD_MS + 1_000) })
  const plan = [step(1), step(2)]
  const waiting = runtime.ingest(plan, one())
  await clock.advance(PLUGIN_FIRST_LOAD_MS - 1)
  t.same(world.submitted, [])
  await clock.advance(1)
  await waiting
  const missed = { $plugins_succeeded: ['P2 (2)'], $plugins_failed: ['P1 (1)'] }
  t.match(propertiesSubmitted(world.submitted), [missed])
  t.ok(world.counts.includes('1 processEvent failure 1'))
  t.ok(world.logs.some((line) => /^1 SYSTEM ERROR 1 event not seen/.test(line)))
  t.same(world.failed, [])
  await runtime.ingest(plan, one())
  t.match(propertiesSubmitted(world.submitted)[1], missed, 'nobody waits again')
  await clock.advance(1_000)
  await runtime.ingest(plan, one())
  t.match(propertiesSubmitted(world.submitted)[2], { $plugins_succeeded: ['P1 (1)', 'P2 (2)'] })
})

t.test('a definition that cannot be read is asked for again', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  world.storeAway = true
  const waiting = runtime.ingest([step(1)], one())
  await clock.advance(PLUGIN_DEFINITION_RETRY_MS)
  t.same(world.said, [])
  world.storeAway = false
  await clock.advance(PLUGIN_DEFINITION_RETRY_MS)
  await waiting
  t.match(propertiesSubmitted(world.submitted), [{ $plugins_succeeded: ['P1 (1)'] }])
})

t.test('a config that is gone when it is to be loaded just is not there', async (t) => {
  const { world, runtime } = createRuntimeWorld({})
  await runtime.ingest([step(1)], one())
  t.same(propertiesSubmitted(world.submitted), [{}])
  t.same([world.said, world.logs, world.failed], [[], [], []])
})

t.test('events that still have the plan of a disabled config do not load it again', async (t) => {
  const setup = [pluginError('no'), undefined]
  const { world, runtime } = createRuntimeWorld({ 1: { ...keep, setup } })
  await runtime.ingest([step(1)], one())
  runtime.unload(PROJECT)
  await runtime.ingest([step(1)], one())
  t.same(world.said, ['load 1', 'setup 1', 'teardown 1'])
  t.same(propertiesSubmitted(world.submitted), [{}, {}])
  t.same(world.counts, [])
  world.plugins.set(1, keep)
  world.stamp = 'two'
  await runtime.ingest([step(1, { stamp: 'two' })], one())
  t.match(propertiesSubmitted(world.submitted)[2], { $plugins_succeeded: ['P1 (1)'] })
})

t.test('a config that leaves the plan is unloaded, and all of a project without one', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep, 2: keep })
  await runtime.ingest([step(1), step(2)], one())
  await runtime.ingest([step(2)], one())
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(world.said.includes('teardown 1'))
  t.notOk(world.said.includes('teardown 2'))
  runtime.unload(PROJECT)
  runtime.unload(PROJECT)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(world.said.slice(-2), ['flush 2', 'teardown 2'])
})

t.test('one that is unloaded while it is being loaded does not come to run', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  world.plugins.set(1, { ...keep, load: clock.sleep(PLUGIN_FIRST_LOAD_MS + 1) })
  const waiting = runtime.ingest([step(1)], one())
  await clock.advance(1)
  runtime.unload(PROJECT)
  await clock.advance(PLUGIN_FIRST_LOAD_MS)
  await waiting
  t.equal(world.said.at(-1), 'teardown 1')
  t.notOk(world.said.includes('loaded 1'))
})

t.test('one that nobody uses for long is unloaded, and loaded again when it is', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  await runtime.ingest([step(1)], one())
  await clock.advance(SANDBOX_IDLE_MS - 1)
  await runtime.ingest([step(1)], one())
  await clock.advance(SANDBOX_IDLE_MS - 1)
  t.notOk(world.said.includes('teardown 1'))
  await clock.advance(PLUGIN_IDLE_SWEEP_MS + 1)
  t.equal(world.said.at(-1), 'teardown 1')
  t.equal(clock.timers(), 0)
  await runtime.ingest([step(1)], one())
  t.equal(world.said.filter((said) => said === 'load 1').length, 2)
})

t.test('the plugin that was used longest ago makes room for another', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  const ingest = (project: number) =>
    runtime.ingest([step(1)], { ...one(), projectId: projectId(project) })
  for (let n = 1; n <= PLUGIN_INSTANCES_MAX; n++) await ingest(n)
  await clock.advance(1)
  await ingest(1)
  const loads = () => world.said.filter((said) => said === 'load 1').length
  t.equal(loads(), PLUGIN_INSTANCES_MAX)
  await ingest(PLUGIN_INSTANCES_MAX + 1)
  t.equal(world.said.filter((said) => said === 'teardown 1').length, 1)
  await ingest(1)
  t.equal(loads(), PLUGIN_INSTANCES_MAX + 1, 'the first has been used since')
  await ingest(2)
  t.equal(loads(), PLUGIN_INSTANCES_MAX + 2)
})

t.test('without room for a plugin events go on, which is counted', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: keep })
  world.plugins.set(1, { process: (events) => clock.sleep(1).then(() => events.map(kept)) })
  const kept = (event: unknown) => ({ kind: 'kept' as const, event })
  const ingest = (project: number) =>
    runtime.ingest([step(1)], { ...one(), projectId: projectId(project) })
  const busy = Array.from({ length: PLUGIN_INSTANCES_MAX }, (_, n) => ingest(n + 1))
  await ingest(PLUGIN_INSTANCES_MAX + 1)
  t.same(propertiesSubmitted(world.submitted), [{}])
  t.same(world.counts, ['1 processEvent failure 1'])
  await clock.advance(1)
  await Promise.all(busy)
})
