import t from 'tap'
import { createDeliveryRoom } from '../../../../src/plugins/delivery/delivery-room.ts'
import { markCaptured } from '../../../../src/plugins/host/captured.ts'
import {
  createDeliveryWorld,
  failing,
  heldCalls,
  loadedPlugin,
  OK,
  RETRY,
  storedEvent,
} from '../../../support/plugins/plugin-delivery.ts'
import { step } from '../../../support/plugins/plugin-runtime.ts'

t.test('a plugin is called for each event, and plugins do not wait for each other', async (t) => {
  const { delivery, counts, told, calls, settle } = createDeliveryWorld()
  const slow = heldCalls()
  const names: string[] = []
  const first = loadedPlugin({ onEvent: slow.call }, {}, calls)
  const second = loadedPlugin(
    {
      onEvent: async ({ event }) => {
        names.push(event)
        return OK
      },
    },
    { step: step(2) },
    calls,
  )
  const events = [storedEvent({ event: 'a' }), storedEvent({ event: 'b' })]
  delivery.stored(first, events)
  delivery.stored(second, events)
  await settle()
  t.same(names, ['a', 'b'])
  t.same(counts, { '2 onEvent success': 2 })
  slow.answer(OK)
  slow.answer(failing('broken'))
  await settle()
  t.same(counts, { '2 onEvent success': 2, '1 onEvent success': 1, '1 onEvent failure': 1 })
  t.same(told, ['onEvent ok', 'onEvent ok', 'onEvent ok', 'onEvent broken'])
})

t.test('a failure is told with the stack, and not tried again', async (t) => {
  const { delivery, entries, clock } = createDeliveryWorld()
  let calls = 0
  const onEvent = async () => {
    calls++
    return failing('broken', { stack: 'Error: broken\n    at onEvent (index.js:3)' })
  }
  delivery.stored(loadedPlugin({ onEvent }), [storedEvent()])
  await clock.advance(600_000)
  t.equal(calls, 1)
  t.same(entries, ['PLUGIN/ERROR Error: broken\n    at onEvent (index.js:3)'])
})

t.test('a RetryError is called again after 5, 10, 20 and 40 s, then it is a failure', async (t) => {
  const { delivery, counts, told, calls, clock } = createDeliveryWorld()
  const start = clock.monotonic()
  const at: number[] = []
  const onEvent = async () => {
    at.push(clock.monotonic() - start)
    return RETRY
  }
  delivery.stored(loadedPlugin({ onEvent }, {}, calls), [storedEvent()])
  await clock.advance(600_000)
  t.same(at, [0, 5_000, 15_000, 35_000, 75_000])
  t.same(counts, { '1 onEvent failure': 1 })
  t.same(told, ['onEvent not now'])
})

t.test('a call that is well after a RetryError counts as success on retry', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const answers = [RETRY, OK]
  const onEvent = async () => answers.shift() ?? failing('too many calls')
  delivery.stored(loadedPlugin({ onEvent }), [storedEvent()])
  await clock.advance(600_000)
  t.same(counts, { '1 onEvent success_on_retry': 1 })
})

t.test('64 calls of a config run at a time, and one that waits to retry holds none', async (t) => {
  const { delivery, settle } = createDeliveryWorld()
  const held = heldCalls()
  delivery.stored(
    loadedPlugin({ onEvent: held.call }),
    Array.from({ length: 100 }, () => storedEvent()),
  )
  await settle()
  t.equal(held.open.length, 64)
  held.answer(OK)
  await settle()
  t.equal(held.open.length, 64)
  held.answer(RETRY)
  await settle()
  t.equal(held.open.length, 64)
  for (let left = 64 + 34; left > 0; left--) {
    held.answer(OK)
    await settle()
  }
  t.equal(held.open.length, 0)
})

t.test('over 10,000 waiting events the next are dropped, counted and logged', async (t) => {
  const { delivery, counts, entries, clock } = createDeliveryWorld()
  const held = heldCalls()
  const plugin = loadedPlugin({ onEvent: held.call })
  delivery.stored(
    plugin,
    Array.from({ length: 10_003 }, () => storedEvent()),
  )
  t.same(counts, { '1 onEvent failure': 3 })
  const first = 'SYSTEM/WARN 1 event was not handed to onEvent: too many wait already'
  t.same(entries, [first])
  await clock.advance(59_999)
  t.same(entries, [first], 'one entry a minute')
  await clock.advance(1)
  t.same(entries.slice(1), [
    'SYSTEM/WARN 2 events were not handed to onEvent: too many wait already',
  ])
  held.answer(OK)
  await clock.advance(0)
  delivery.stored(plugin, [storedEvent()])
  t.equal(counts['1 onEvent failure'], 3, 'there is room for one more')
})

t.test('over 16 MiB of waiting events the next are dropped', async (t) => {
  const { delivery, counts, settle } = createDeliveryWorld()
  const held = heldCalls()
  const plugin = loadedPlugin({ onEvent: held.call })
  const large = storedEvent({ properties: { text: 'x'.repeat(1_048_576) } })
  delivery.stored(
    plugin,
    Array.from({ length: 20 }, () => large),
  )
  t.same(counts, { '1 onEvent failure': 5 })
  for (let left = 15; left > 0; left--) held.answer(OK)
  await settle()
  delivery.stored(plugin, [large])
  t.equal(counts['1 onEvent failure'], 5, 'what was called makes room')
})

t.test('a plugin is not told of events that it captured itself, others are', async (t) => {
  const { delivery, counts, settle } = createDeliveryWorld()
  const onEvent = async () => OK
  const own = storedEvent({ properties: { ...markCaptured({}, step(1)) } })
  // As the event is once another plugin has processed it.
  const labels = ['P1 (1)', 'P2 (2)']
  const passed = storedEvent({ properties: { ...own.properties, $plugins_succeeded: labels } })
  for (const id of [1, 2]) {
    delivery.stored(loadedPlugin({ onEvent }, { step: step(id) }), [own, passed])
  }
  await settle()
  t.same(counts, { '2 onEvent success': 2 })
})

t.test('a plugin without such calls is left alone', async (t) => {
  const { delivery, counts } = createDeliveryWorld()
  delivery.stored(loadedPlugin({}), [storedEvent()])
  await delivery.flush(1)
  t.same(counts, {})
})

t.test(
  'a call that rejects against its contract is a failure, and nothing is unhandled',
  async (t) => {
    const { delivery, counts, entries, settle } = createDeliveryWorld()
    delivery.stored(loadedPlugin({ onEvent: () => Promise.reject(new Error('secret')) }), [
      storedEvent(),
    ])
    await settle()
    t.same(counts, { '1 onEvent failure': 1 })
    t.same(entries, ['PLUGIN/ERROR Error: The plugin could not be called'])
  },
)

t.test('a flush waits for calls and their retries', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const held = heldCalls()
  delivery.stored(loadedPlugin({ onEvent: held.call }), [storedEvent(), storedEvent()])
  let isFlushed = false
  const flushed = delivery.flush(1).then(() => {
    isFlushed = true
  })
  held.answer(OK)
  held.answer(RETRY)
  await clock.advance(4_999)
  t.notOk(isFlushed)
  await clock.advance(1)
  held.answer(OK)
  await flushed
  t.same(counts, { '1 onEvent success': 1, '1 onEvent success_on_retry': 1 })
})

t.test('a flush gives up what is not done within 30 s, which counts once', async (t) => {
  const { delivery, counts, entries, clock } = createDeliveryWorld()
  const held = heldCalls()
  delivery.stored(loadedPlugin({ onEvent: held.call }), [storedEvent(), storedEvent()])
  const flushed = delivery.flush(1)
  await clock.advance(30_000)
  await flushed
  t.same(counts, { '1 onEvent failure': 2 })
  t.same(entries, [
    'SYSTEM/WARN 2 events were not handed to onEvent: the plugin was unloaded before',
  ])
  held.answer(OK)
  held.answer(failing('late'))
  await clock.advance(0)
  t.same(counts, { '1 onEvent failure': 2 })
})

t.test('a flush of one instance leaves the newer one of the config alone', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const held = heldCalls()
  const older = loadedPlugin({ onEvent: async () => OK })
  const newer = loadedPlugin({ onEvent: held.call })
  delivery.stored(older, [storedEvent()])
  delivery.stored(newer, [storedEvent()])
  await delivery.flush(1, older.instance)
  t.same(counts, { '1 onEvent success': 1 })
  await clock.advance(40_000)
  held.answer(OK)
  await delivery.flush(1)
  t.same(counts, { '1 onEvent success': 2 })
})

t.test('a close ends all within its time, even what a flush would wait longer for', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const held = heldCalls()
  for (const id of [1, 2]) {
    delivery.stored(loadedPlugin({ onEvent: held.call }, { step: step(id) }), [storedEvent()])
  }
  const flushed = delivery.flush(1)
  const closed = delivery.close(1_000)
  await clock.advance(1_000)
  await Promise.all([flushed, closed])
  t.same(counts, { '1 onEvent failure': 1, '2 onEvent failure': 1 })
  delivery.stored(loadedPlugin({ onEvent: held.call }), [storedEvent()])
  t.equal(counts['1 onEvent failure'], 2, 'later events are dropped and counted')
})

t.test('the second half of the room is for configs that hold little', (t) => {
  const mib = 1_048_576
  const room = createDeliveryRoom()
  t.ok(room.take(100 * mib, 0, 200 * mib))
  t.notOk(room.take(100 * mib, 100 * mib, 200 * mib), 'over half, a config holds up to 16 MiB')
  for (let count = 0; count < 9; count++) t.ok(room.take(16 * mib, 0, 16 * mib))
  t.notOk(room.take(16 * mib, 0, 16 * mib), 'the room is full')
  room.give(16 * mib)
  t.ok(room.take(16 * mib, 0, 16 * mib))
  t.notOk(room.take(mib, 16 * mib, 16 * mib), 'a config keeps to its own bound')
  t.end()
})
