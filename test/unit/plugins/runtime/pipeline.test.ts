import t from 'tap'
import {
  PLUGIN_BATCH_EVENTS_MAX,
  PLUGIN_FAILURES_MAX,
  PLUGIN_TIMEOUTS_MAX,
} from '../../../../src/core/limits/limits-plugins.ts'
import {
  PLUGIN_ERROR_EVENT_CHARS_MAX,
  PLUGIN_ERROR_WRITE_MS,
} from '../../../../src/plugins/runtime/step-reports.ts'
import {
  batch,
  createRuntimeWorld,
  type FakePlugin,
  ingestEvent,
  pluginError,
  propertiesSubmitted,
  step,
} from '../../../support/plugins/plugin-runtime.ts'

const keep: FakePlugin = { processEvent: (event) => event }
const failing: FakePlugin = {
  processEvent: (event) => {
    event.properties['half'] = true
    throw new TypeError('no')
  },
}
const adding = (name: string): FakePlugin => ({
  processEvent: (event) => ({ ...event, properties: { ...event.properties, [name]: true } }),
})

t.test(
  'events go through the steps in their order, each step sees what the last one left',
  async (t) => {
    const seen: string[] = []
    const noting = (name: string): FakePlugin => ({
      processEvent(event) {
        seen.push(`${name} ${event.event}`)
        return { ...event, event: `${event.event}${name}` }
      },
    })
    const { world, runtime } = createRuntimeWorld({ 1: noting('a'), 2: noting('b') })
    const events = ['x', 'y'].map((event) => ingestEvent({ event }))
    const outcome = await runtime.ingest([step(2), step(1)], batch(events))
    t.same(outcome, { kind: 'stored', stored: 2, duplicates: 0, deadLetters: 0 })
    t.same(seen, ['b x', 'b y', 'a xb', 'a yb'])
    t.same(
      world.submitted.flatMap(({ events }) => events.map(({ event }) => event)),
      ['xba', 'yba'],
    )
  },
)

t.test(
  'a dropped event is not stored, and a batch of such is answered without the store',
  async (t) => {
    const odd: FakePlugin = {
      processEvent: (event) => (event.event === 'odd' ? undefined : event),
    }
    const { world, runtime } = createRuntimeWorld({ 1: odd, 2: keep })
    const plan = [step(1), step(2)]
    const dropped = batch([ingestEvent({ event: 'odd' })])
    t.same(await runtime.ingest(plan, dropped), {
      kind: 'stored',
      stored: 0,
      duplicates: 0,
      deadLetters: 0,
    })
    t.same(world.submitted, [])
    t.notOk(world.said.some((said) => said.startsWith('process 2')))
    await runtime.ingest(plan, batch([ingestEvent({ event: 'odd' }), ingestEvent()]))
    t.match(world.submitted, [{ events: [{ event: 'paid' }] }])
    t.same(
      world.counts.filter((count) => count.startsWith('1')),
      ['1 processEvent success 1', '1 processEvent success 2'],
    )
  },
)

t.test('a failed event continues as it was, and everything says so', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: adding('a'), 2: failing, 3: adding('c') })
  await runtime.ingest([step(1), step(2), step(3)], batch([ingestEvent()]))
  t.same(propertiesSubmitted(world.submitted), [
    {
      a: true,
      c: true,
      $plugins_succeeded: ['P1 (1)', 'P3 (3)'],
      $plugins_failed: ['P2 (2)'],
      $plugins_deferred: [],
    },
  ])
  t.match(world.failed, [
    { config: 2, message: 'no', disable: false, event: { properties: { a: true } } },
  ])
  t.notOk(JSON.stringify(world.failed).includes('half'), 'the event is the one before the step')
  t.ok(world.logs.includes('2 PLUGIN ERROR TypeError: no'))
  t.ok(world.counts.includes('2 processEvent failure 1'))
})

t.test('a wrong return value of a plugin, or none, fails it', async (t) => {
  const wrong: FakePlugin[] = [
    { processEvent: (event) => ({ ...event, team_id: 2 }) },
    { processEvent: () => 'text' },
    { process: async () => [] },
    { process: async () => Promise.reject(new Error('broken instance')) },
  ]
  for (const plugin of wrong) {
    const { world, runtime } = createRuntimeWorld({ 1: plugin })
    await runtime.ingest([step(1)], batch([ingestEvent(), ingestEvent()]))
    t.match(propertiesSubmitted(world.submitted), [
      { $plugins_failed: ['P1 (1)'] },
      { $plugins_failed: ['P1 (1)'] },
    ])
  }
})

t.test('an event that a plugin has had is not given to it again', async (t) => {
  const { world, runtime } = createRuntimeWorld({
    1: { ...adding('a'), onEvent: true },
    2: adding('b'),
    3: { onEvent: true },
  })
  const properties = JSON.stringify({
    $plugins_succeeded: ['P1 (1)', 7],
    $plugins_failed: ['gone (9)'],
    $plugins_deferred: ['P3 (3)'],
  })
  await runtime.ingest([step(1), step(2), step(3)], batch([ingestEvent({ properties })]))
  t.same(propertiesSubmitted(world.submitted), [
    {
      b: true,
      $plugins_succeeded: ['P1 (1)', 'P2 (2)'],
      $plugins_failed: ['gone (9)'],
      $plugins_deferred: ['P3 (3)'],
    },
  ])
})

t.test('plugins that are told once an event is stored are named in it', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: { ...keep, onEvent: true }, 2: {} })
  await runtime.ingest([step(1), step(2)], batch([ingestEvent()]))
  t.match(propertiesSubmitted(world.submitted), [
    { $plugins_succeeded: ['P1 (1)'], $plugins_deferred: ['P1 (1)'] },
  ])
  t.match(world.stored, [{ config: 1, events: [{ event: 'paid', elements: [] }] }])
  t.equal(world.stored.length, 1)
})

t.test('an event that nobody had stays as it came', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: {} })
  const given = batch([ingestEvent({ properties: '{ "a" : 1.0 }' })])
  await runtime.ingest([step(1)], given)
  t.equal(world.submitted[0], given)
})

t.test('a large batch goes through in batches that begin small', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: keep, 2: keep })
  const events = Array.from({ length: 2 * PLUGIN_BATCH_EVENTS_MAX }, (_, n) =>
    ingestEvent({ event: `e${n}` }),
  )
  await runtime.ingest([step(1), step(2)], batch(events))
  const sizes = world.said.flatMap((said) => /^process (\d) (\d+)/.exec(said)?.slice(1, 3) ?? [])
  t.same(sizes.slice(0, 4), ['1', '1', '1', '4'])
  t.ok(sizes.every((size) => Number(size) <= PLUGIN_BATCH_EVENTS_MAX))
  const first = world.said.indexOf('process 2 1')
  const before = world.said.slice(0, first).filter((said) => said.startsWith('process 1'))
  const had = before.reduce((sum, said) => sum + Number(said.split(' ')[2]), 0)
  t.equal(had, PLUGIN_BATCH_EVENTS_MAX, 'a batch has been through one step, then the next begins')
  t.same(
    world.submitted.flatMap(({ events }) => events.map(({ event }) => event)),
    events.map(({ event }) => event),
  )
})

t.test('failures in a row disable a config, which is passed over from then on', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: failing })
  const events = Array.from({ length: PLUGIN_FAILURES_MAX + 100 }, () => ingestEvent())
  await runtime.ingest([step(1)], batch(events))
  t.match(world.failed.at(-1), { config: 1, disable: true, message: 'no' })
  t.equal(world.failed.filter(({ disable }) => disable).length, 1)
  t.equal(world.logs.filter((line) => line.startsWith('1 SYSTEM ERROR Plugin disabled')).length, 1)
  const calls = world.said.length
  await runtime.ingest([step(1)], batch([ingestEvent()]))
  t.equal(world.said.length, calls, 'the plugin is not called any more')
  t.same(propertiesSubmitted(world.submitted.slice(1)), [{}])
  world.plugins.set(1, keep)
  world.stamp = 'two'
  await runtime.ingest([step(1, { stamp: 'two' })], batch([ingestEvent()]))
  t.match(propertiesSubmitted(world.submitted.slice(2)), [{ $plugins_succeeded: ['P1 (1)'] }])
})

t.test('a plugin that hangs has only so many calls before it is disabled', async (t) => {
  const late = pluginError('took too long', { isTimeout: true })
  const hanging: FakePlugin = {
    process: async (events) => events.map(() => ({ kind: 'failed', error: late })),
  }
  const { world, runtime } = createRuntimeWorld({ 1: hanging })
  const events = Array.from({ length: PLUGIN_BATCH_EVENTS_MAX }, () => ingestEvent())
  await runtime.ingest([step(1)], batch(events))
  t.same(
    world.said.filter((said) => said.startsWith('process')),
    Array.from({ length: PLUGIN_TIMEOUTS_MAX }, () => 'process 1 1'),
  )
  t.match(world.failed.at(-1), { disable: true })
  t.equal(world.submitted[0]?.events.length, events.length)
})

t.test('an instance may answer some events only, and is asked for the others again', async (t) => {
  const some: FakePlugin = {
    process: async (events) => events.slice(0, 3).map((event) => ({ kind: 'kept', event })),
  }
  const { world, runtime } = createRuntimeWorld({ 1: some })
  const events = Array.from({ length: 10 }, (_, n) => ingestEvent({ event: `e${n}` }))
  await runtime.ingest([step(1)], batch(events))
  t.ok(
    propertiesSubmitted(world.submitted).every(
      ({ $plugins_succeeded: [label, ...more] }) => label === 'P1 (1)' && more.length === 0,
    ),
  )
  t.equal(world.submitted[0]?.events.length, 10)
})

t.test('the error of a config is written once in a while, the newest one last', async (t) => {
  let n = 0
  const counting: FakePlugin = {
    processEvent() {
      throw new Error(`no ${++n}`)
    },
  }
  const { world, runtime, clock } = createRuntimeWorld({ 1: counting })
  await runtime.ingest([step(1)], batch([ingestEvent(), ingestEvent(), ingestEvent()]))
  t.match(world.failed, [{ message: 'no 1' }])
  t.equal(world.failed.length, 1)
  await clock.advance(PLUGIN_ERROR_WRITE_MS)
  t.match(world.failed[1], { message: 'no 3' })
  await clock.advance(10 * PLUGIN_ERROR_WRITE_MS)
  t.equal(world.failed.length, 2)
})

t.test('a long event is named in the error, not shown', async (t) => {
  const { world, runtime } = createRuntimeWorld({ 1: failing })
  const properties = JSON.stringify({ secret: 'x'.repeat(PLUGIN_ERROR_EVENT_CHARS_MAX) })
  await runtime.ingest([step(1)], batch([ingestEvent({ properties })]))
  const { uuid, event, distinctId, timestamp } = ingestEvent()
  t.same(world.failed[0]?.event, { uuid, event, distinct_id: distinctId, timestamp })
})
