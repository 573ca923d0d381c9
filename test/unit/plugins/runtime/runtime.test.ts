import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import {
  PLUGIN_BATCH_EVENTS_MAX,
  PLUGIN_FAILURES_MAX,
  PLUGIN_WAITING_BYTES_MAX,
} from '../../../../src/core/limits/limits-plugins.ts'
import type { EventBatch, IngestOutcome } from '../../../../src/events/event-batch.ts'
import { PLUGIN_WAITING_TOTAL_BYTES_MAX } from '../../../../src/plugins/runtime/project-queues.ts'
import { PLUGIN_ERROR_WRITE_MS } from '../../../../src/plugins/runtime/step-reports.ts'
import {
  batch,
  createRuntimeWorld,
  type FakePlugin,
  ingestEvent,
  pluginError,
  step,
} from '../../../support/plugins/plugin-runtime.ts'

const keep: FakePlugin = { processEvent: (event) => event }
const telling: FakePlugin = { onEvent: true }

/** A plugin that holds events until it is let go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const plugin: FakePlugin = {
    async process(events) {
      await opened
      return events.map((event) => ({ kind: 'kept', event }))
    },
  }
  return { plugin, open }
}

const named = (event: string, more: Partial<EventBatch> = {}) =>
  batch([ingestEvent({ event })], more)
const namesOf = (batches: readonly EventBatch[]) =>
  batches.map(({ events }) => events.map(({ event }) => event).join(' '))

t.test('batches are stored one by one, in the order in which they came', async (t) => {
  const { plugin, open } = gate()
  const { world, runtime } = createRuntimeWorld({ 1: plugin })
  const plan = [step(1)]
  const outcomes = ['a', 'b', 'c', 'd'].map((name) => runtime.ingest(plan, named(name)))
  open()
  await Promise.all(outcomes)
  t.same(namesOf(world.submitted), ['a', 'b', 'c', 'd'])
  const calls = world.said.filter((said) => said.startsWith('process'))
  t.same(calls, ['process 1 1', 'process 1 3'], 'those that waited went through together')
})

t.test('batches that wait go through together only under one plan', async (t) => {
  const seen: string[] = []
  const noting = (name: string): FakePlugin => ({
    processEvent(event) {
      seen.push(`${name}${event.event}`)
      return event
    },
  })
  const { plugin, open } = gate()
  const { runtime } = createRuntimeWorld({ 1: plugin, 2: noting('x') })
  const outcomes = [
    runtime.ingest([step(1)], named('a')),
    runtime.ingest([step(1)], named('b')),
    runtime.ingest([step(1), step(2)], named('c')),
    runtime.ingest([step(1)], named('d')),
  ]
  open()
  await Promise.all(outcomes)
  t.same(seen, ['xc'])
})

t.test('a batch of waiting batches has its bound in events', async (t) => {
  const { plugin, open } = gate()
  const { world, runtime } = createRuntimeWorld({ 1: plugin })
  const half = Array.from({ length: PLUGIN_BATCH_EVENTS_MAX / 2 }, () => ingestEvent())
  const sizes: number[] = []
  world.outcome = ({ events }) => {
    sizes.push(events.length)
    return { kind: 'spilled' }
  }
  const outcomes = [1, 2, 3, 4, 5, 6].map(() => runtime.ingest([step(1)], batch(half)))
  open()
  await Promise.all(outcomes)
  t.same(
    sizes,
    outcomes.map(() => half.length),
  )
  const calls = world.said.filter((said) => said.startsWith('process'))
  t.ok(calls.every((said) => Number(said.split(' ')[2]) <= PLUGIN_BATCH_EVENTS_MAX))
})

t.test('each batch has its own answer, and what is durable is told to plugins', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: telling, 2: keep })
  const answers: Record<string, IngestOutcome> = {
    stored: { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 },
    spilled: { kind: 'spilled' },
    overloaded: { kind: 'overloaded', retryAfterS: 7 },
    unavailable: { kind: 'unavailable', retryAfterS: 7, cause: undefined },
    gone: { kind: 'no_project' },
  }
  world.outcome = ({ events: [event] }) => answers[event?.event ?? ''] ?? { kind: 'spilled' }
  const names = Object.keys(answers)
  const plan = [step(1), step(2)]
  const outcomes = names.map((name) => runtime.ingest(plan, named(name)))
  t.same(await Promise.all(outcomes), Object.values(answers))
  t.same(
    world.stored.map(({ config, events }) => `${config} ${events.map(({ event }) => event)}`),
    ['1 stored', '1 spilled'],
  )
})

t.test('too many bytes of one project are refused, and find room again', async (t) => {
  const { plugin, open } = gate()
  const { world, runtime } = createRuntimeWorld({ 1: plugin })
  const plan = [step(1)]
  const large = (bytes: number, project = 1) =>
    runtime.ingest(plan, named('a', { bytes, projectId: projectId(project) }))
  const taken = [large(PLUGIN_WAITING_BYTES_MAX - 1), large(1)]
  const refused = { kind: 'overloaded', retryAfterS: 1 }
  t.same(await large(1), refused)
  const other = large(2 * PLUGIN_WAITING_BYTES_MAX, 2)
  t.same(await large(1, 2), refused, 'one that is too large is taken when it is alone')
  open()
  t.match(await Promise.all([...taken, other]), [
    { kind: 'stored' },
    { kind: 'stored' },
    { kind: 'stored' },
  ])
  t.match(await large(PLUGIN_WAITING_BYTES_MAX), { kind: 'stored' })
  t.equal(world.submitted.length, 4)
})

t.test('too many bytes of all projects are refused', async (t) => {
  const { plugin, open } = gate()
  const { runtime } = createRuntimeWorld({ 1: plugin })
  const full = PLUGIN_WAITING_TOTAL_BYTES_MAX / PLUGIN_WAITING_BYTES_MAX
  const ingest = (project: number, bytes: number) =>
    runtime.ingest([step(1)], named('a', { bytes, projectId: projectId(project) }))
  const taken = Array.from({ length: full }, (_, n) => ingest(n + 1, PLUGIN_WAITING_BYTES_MAX))
  t.same(await ingest(full + 1, 1), { kind: 'overloaded', retryAfterS: 1 })
  open()
  await Promise.all(taken)
  t.match(await ingest(full + 1, 1), { kind: 'stored' })
})

t.test('a project whose plugins hang holds up no other', async (t) => {
  const { plugin, open } = gate()
  const { runtime } = createRuntimeWorld({ 1: plugin, 2: keep })
  const hanging = runtime.ingest([step(1)], named('a'))
  const other = named('b', { projectId: projectId(2) })
  t.match(await runtime.ingest([step(2)], other), { kind: 'stored' })
  open()
  await hanging
})

t.test('a batch that plugins have changed has another size', async (t) => {
  const growing: FakePlugin = {
    processEvent: (event) => ({ ...event, properties: { a: 'x'.repeat(10_000) } }),
  }
  const { world, runtime } = createRuntimeWorld({ 1: growing })
  await runtime.ingest([step(1)], named('a', { bytes: 1 }))
  t.ok((world.submitted[0]?.bytes ?? 0) > 10_000)
})

t.test('a config in force can be used, and stays loaded meanwhile', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep })
  world.plan = [step(1)]
  const used = runtime.use(projectId(1), 1, async ({ instance, definition }) => {
    runtime.unload(projectId(1))
    await instance.runJob('any', {})
    return `${definition.step.configId} ${world.said.includes('teardown 1')}`
  })
  t.equal(await used, '1 false')
  await runtime.close(1_000)
  t.ok(world.said.includes('teardown 1'))
})

t.test('a config that is not in force, or cannot be loaded, cannot be used', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep, 2: { setup: [pluginError('no')] } })
  const work = async () => t.fail('nothing is to be used')
  t.equal(await runtime.use(projectId(1), 1, work), undefined, 'there is no plan')
  world.plan = [step(3)]
  t.equal(await runtime.use(projectId(1), 1, work), undefined, 'it is not in the plan')
  t.equal(await runtime.use(projectId(1), 3, work), undefined, 'it has gone meanwhile')
  t.same(world.failed, [])
  world.plan = [step(2)]
  t.equal(await runtime.use(projectId(1), 2, work), undefined, 'it cannot be set up')
  world.storeAway = true
  await t.rejects(runtime.use(projectId(1), 1, work), /away/)
})

t.test('a failure of what is done with it goes to whoever does it', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep })
  world.plan = [step(1)]
  const failing = runtime.use(projectId(1), 1, () => Promise.reject(new Error('mine')))
  await t.rejects(failing, /mine/)
})

t.test('closing finishes what waits, tells what is stored, and unloads', async (t) => {
  const { plugin, open } = gate()
  const { world, runtime } = createRuntimeWorld({ 1: { ...plugin, onEvent: true } })
  let store = (_outcome: IngestOutcome) => {}
  world.outcome = () =>
    new Promise((resolve) => {
      store = resolve
    })
  const waiting = runtime.ingest([step(1)], named('a'))
  const closed = runtime.close(1_000)
  t.match(await runtime.ingest([step(1)], named('b')), { kind: 'overloaded' })
  await t.rejects(runtime.dryRun(projectId(1), 1, {}), { code: 'unavailable' })
  open()
  await new Promise((resolve) => setImmediate(resolve))
  t.notOk(world.said.includes('close delivery'))
  store({ kind: 'spilled' })
  await closed
  t.same(await waiting, { kind: 'spilled' })
  t.equal(world.stored.length, 1)
  t.same(world.said.slice(-5), [
    'close delivery',
    'flush 1',
    'teardown 1',
    'close loader',
    'close loader',
  ])
  t.equal(runtime.close(1), closed, 'once')
})

t.test('closing does not wait for ever', async (t) => {
  const { plugin } = gate()
  const { world, runtime, clock } = createRuntimeWorld({ 1: plugin })
  void runtime.ingest([step(1)], named('a'))
  const closed = runtime.close(1_000)
  await clock.advance(1_000)
  await closed
  t.ok(world.said.includes('close loader'))
})

t.test('failures after storage are kept, and in a row they disable the config', async (t) => {
  const { world, runtime, clock } = createRuntimeWorld({ 1: { ...keep, onEvent: true } })
  world.plan = [step(1)]
  const call = async (calls: number) => {
    await runtime.use(projectId(1), 1, async (loaded) => {
      for (let n = 0; n < calls; n++) loaded.calls.failed('onEvent', pluginError(`no ${n}`))
    })
    await clock.advance(PLUGIN_ERROR_WRITE_MS)
  }
  await call(PLUGIN_FAILURES_MAX - 1)
  const last = `no ${PLUGIN_FAILURES_MAX - 2}`
  t.match(world.failed, [
    { message: 'no 0', disable: false },
    { message: last, disable: false },
  ])
  await runtime.ingest([step(1)], named('between'))
  await call(1)
  t.match(world.failed.at(-1), { message: 'no 0', disable: true })
  await runtime.ingest([step(1)], named('after'))
  t.same(world.submitted.at(-1)?.events[0]?.properties, '{}', 'it is passed over')
})

t.test('the first failure is not cleared by the set-up before it', async (t) => {
  const broken: FakePlugin = {
    processEvent() {
      throw new Error('no')
    },
  }
  const { world, runtime, clock } = createRuntimeWorld({ 1: broken })
  let letGo = () => {}
  world.loadedHeld = new Promise((resolve) => {
    letGo = resolve
  })
  await runtime.ingest([step(1)], named('a'))
  await clock.advance(0)
  t.same(world.failed, [], 'nothing is written before the state is')
  letGo()
  await clock.advance(0)
  t.match(world.failed, [{ message: 'no', disable: false }])
})
