import t from 'tap'
import { exportSettings } from '../../../../src/plugins/delivery/export-buffer.ts'
import type { CallAnswer, StoredPluginEvent } from '../../../../src/plugins/ports.ts'
import {
  createDeliveryWorld,
  failing,
  heldCalls,
  loadedPlugin,
  OK,
  RETRY,
  storedEvent,
} from '../../../support/plugins/plugin-delivery.ts'

const MIB = 1_048_576

/** Names of the events of each export. */
function recordedExports(answer: () => Promise<CallAnswer> = async () => OK) {
  const batches: string[][] = []
  const exportEvents = (events: readonly StoredPluginEvent[]) => {
    batches.push(events.map(({ event }) => event))
    return answer()
  }
  return { batches, exportEvents }
}

function named(...names: string[]): StoredPluginEvent[] {
  return names.map((event) => storedEvent({ event }))
}

/** An event of so many bytes as JSON. */
function sized(event: string, bytes: number): StoredPluginEvent {
  const empty = JSON.stringify(storedEvent({ event, properties: { text: '' } })).length
  return storedEvent({ event, properties: { text: 'x'.repeat(bytes - empty) } })
}

t.test('events are exported together, 10 s after the first of them', async (t) => {
  const { delivery, counts, told, calls, clock } = createDeliveryWorld()
  const { batches, exportEvents } = recordedExports()
  const plugin = loadedPlugin({ exportEvents }, {}, calls)
  delivery.stored(plugin, named('a', 'b'))
  await clock.advance(9_999)
  delivery.stored(plugin, named('c'))
  t.same(batches, [])
  await clock.advance(1)
  t.same(batches, [['a', 'b', 'c']])
  t.same(counts, { '1 exportEvents success': 3 }, 'each event counts')
  t.same(told, ['exportEvents ok'], 'each call is told')
  delivery.stored(plugin, named('d'))
  await clock.advance(10_000)
  t.same(batches.slice(1), [['d']])
})

t.test('a buffer of 1 MiB is exported at once', async (t) => {
  const { delivery, settle } = createDeliveryWorld()
  const { batches, exportEvents } = recordedExports()
  const plugin = loadedPlugin({ exportEvents })
  const half = 0.4 * MIB
  delivery.stored(plugin, [sized('a', half), sized('b', half), sized('c', half)])
  await settle()
  t.same(batches, [['a', 'b']], 'the one that does not fit begins the next')
  delivery.stored(plugin, [sized('d', MIB + 1)])
  await settle()
  t.same(batches.slice(1), [['c'], ['d']], 'one that never fits goes alone')
})

t.test('settings say when a buffer is exported, and which events are not', async (t) => {
  const { delivery, clock } = createDeliveryWorld()
  const { batches, exportEvents } = recordedExports()
  const settings = {
    exportEventsBufferBytes: '1000',
    exportEventsBufferSeconds: '60',
    exportEventsToIgnore: 'secret, $pageleave',
  }
  const plugin = loadedPlugin({ exportEvents }, { settings })
  delivery.stored(plugin, named('a', 'secret', '$pageleave', 'b'))
  await clock.advance(59_999)
  t.same(batches, [])
  await clock.advance(1)
  t.same(batches, [['a', 'b']])
  delivery.stored(plugin, [sized('c', 1_000)])
  await clock.advance(0)
  t.same(batches.slice(1), [['c']])
})

t.test(
  'settings that are absent or no numbers count as none, others are brought in bounds',
  (t) => {
    const read = (bytes: string | number | boolean, seconds: string | number) => {
      const settings = { exportEventsBufferBytes: bytes, exportEventsBufferSeconds: seconds }
      const { bytesMax, ageMsMax } = exportSettings(settings)
      return [bytesMax, ageMsMax]
    }
    t.match(exportSettings({}), { bytesMax: MIB, ageMsMax: 10_000, ignored: new Set() })
    t.same(read('', ' '), [MIB, 10_000])
    t.same(read('many', 'ten'), [MIB, 10_000])
    t.same(read(true, '20'), [MIB, 20_000])
    t.same(read(0, '-5'), [1, 1_000])
    t.same(read('1e12', 1e9), [100 * MIB, 600_000])
    t.same(exportSettings({ exportEventsToIgnore: 7 }).ignored.size, 0)
    t.end()
  },
)

t.test('one export runs at a time while the next buffers fill, in their order', async (t) => {
  const { delivery, clock } = createDeliveryWorld()
  const held = heldCalls()
  const { batches, exportEvents } = recordedExports(held.call)
  const plugin = loadedPlugin({ exportEvents })
  delivery.stored(plugin, named('a'))
  await clock.advance(10_000)
  delivery.stored(plugin, [...named('b'), sized('c', MIB), ...named('d')])
  await clock.advance(30_000)
  delivery.stored(plugin, named('e'))
  t.same(batches, [['a']])
  for (let count = 0; count < 4; count++) {
    held.answer(OK)
    await clock.advance(0)
  }
  t.same(batches.slice(1), [['b'], ['c'], ['d', 'e']], 'an old buffer goes on filling')
})

t.test('a RetryError is exported again after 6, 12 and 24 s, then dropped', async (t) => {
  const { delivery, counts, entries, told, calls, clock } = createDeliveryWorld()
  const start = clock.monotonic()
  const at: number[] = []
  const { batches, exportEvents } = recordedExports(async () => {
    at.push(clock.monotonic() - start - 10_000)
    return RETRY
  })
  delivery.stored(loadedPlugin({ exportEvents }, {}, calls), named('a', 'b'))
  await clock.advance(600_000)
  t.same(at, [0, 6_000, 18_000, 42_000])
  t.same(batches, Array(4).fill(['a', 'b']))
  t.same(counts, { '1 exportEvents failure': 2 })
  t.same(entries, ['PLUGIN/ERROR RetryError: not now'])
  t.same(told, ['exportEvents not now'])
})

t.test('an export that is well after a RetryError counts as success on retry', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const answers = [RETRY, RETRY, OK]
  const { exportEvents } = recordedExports(async () => answers.shift() ?? failing('one too many'))
  delivery.stored(loadedPlugin({ exportEvents }), named('a', 'b'))
  await clock.advance(600_000)
  t.same(counts, { '1 exportEvents success_on_retry': 2 })
})

t.test('an export that fails otherwise is dropped, and the next one continues', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const answers = [failing('broken'), OK]
  const { batches, exportEvents } = recordedExports(async () => answers.shift() ?? failing('no'))
  const plugin = loadedPlugin({ exportEvents })
  delivery.stored(plugin, named('a', 'b'))
  await clock.advance(10_000)
  delivery.stored(plugin, named('c'))
  await clock.advance(10_000)
  t.same(batches, [['a', 'b'], ['c']])
  t.same(counts, { '1 exportEvents failure': 2, '1 exportEvents success': 1 })
})

t.test('the events behind a slow export are bounded', async (t) => {
  const { delivery, counts, entries, clock } = createDeliveryWorld()
  const held = heldCalls()
  const { exportEvents } = recordedExports(held.call)
  const plugin = loadedPlugin({ exportEvents })
  const large = sized('a', MIB)
  delivery.stored(
    plugin,
    Array.from({ length: 20 }, () => large),
  )
  t.same(counts, { '1 exportEvents failure': 5 })
  t.match(entries, [/^SYSTEM\/WARN 1 event was not handed to exportEvents: too many wait/])
  held.answer(OK)
  await clock.advance(0)
  delivery.stored(plugin, [large])
  t.same(counts, { '1 exportEvents failure': 5, '1 exportEvents success': 1 })
})

t.test('a flush exports what is buffered at once, and waits for it', async (t) => {
  const { delivery, counts } = createDeliveryWorld()
  const { batches, exportEvents } = recordedExports()
  delivery.stored(loadedPlugin({ exportEvents }), named('a', 'b'))
  await delivery.flush(1)
  t.same(batches, [['a', 'b']])
  t.same(counts, { '1 exportEvents success': 2 })
})

t.test('at the end of its time a close counts and logs all that was not exported', async (t) => {
  const { delivery, counts, entries, clock } = createDeliveryWorld()
  const held = heldCalls()
  const { batches, exportEvents } = recordedExports(held.call)
  const plugin = loadedPlugin({ exportEvents })
  delivery.stored(plugin, [...named('a'), sized('b', MIB), ...named('c')])
  const closed = delivery.close(5_000)
  await clock.advance(5_000)
  await closed
  t.same(batches, [['a']])
  t.same(counts, { '1 exportEvents failure': 3 })
  t.same(entries, [
    'SYSTEM/WARN 3 events were not handed to exportEvents: the plugin was unloaded before',
  ])
  held.answer(OK)
  await clock.advance(600_000)
  t.same(counts, { '1 exportEvents failure': 3 }, 'an answer that comes late changes nothing')
  t.same(batches, [['a']])
})

t.test('a close does not wait for a retry that comes after its time', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const { batches, exportEvents } = recordedExports(async () => RETRY)
  delivery.stored(loadedPlugin({ exportEvents }), named('a'))
  const closed = delivery.close(5_000)
  await clock.advance(5_000)
  await closed
  await clock.advance(600_000)
  t.same(batches, [['a']])
  t.same(counts, { '1 exportEvents failure': 1 })
})

t.test('a plugin with both calls gets each event both ways', async (t) => {
  const { delivery, counts, clock } = createDeliveryWorld()
  const { exportEvents } = recordedExports()
  delivery.stored(loadedPlugin({ exportEvents, onEvent: async () => OK }), named('a', 'b'))
  await clock.advance(10_000)
  t.same(counts, { '1 onEvent success': 2, '1 exportEvents success': 2 })
})
