import t from 'tap'
import type { JsonObject } from '../../../../src/core/json.ts'
import type { EventBatch, IngestOutcome } from '../../../../src/events/event-batch.ts'
import { createPluginCapture } from '../../../../src/plugins/host/capture.ts'
import { isCapturedBy } from '../../../../src/plugins/host/captured.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { definition, recorded } from '../../../support/plugins/plugin-delivery.ts'
import { PROJECT, step } from '../../../support/plugins/plugin-runtime.ts'

const UUID = '018f0000-0000-7000-8000-000000000007'
const STORED: IngestOutcome = { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 0 }
const FULL: IngestOutcome = { kind: 'overloaded', retryAfterS: 1 }

type Submit = (batch: EventBatch) => Promise<IngestOutcome>

function createWorld({
  submit = async () => STORED,
  anonymizeIps = false,
}: {
  submit?: Submit
  anonymizeIps?: boolean
} = {}) {
  const clock = createFakeClock()
  const batches: EventBatch[] = []
  const { entries, records } = recorded()
  const lost: object[] = []
  const captures = createPluginCapture({
    clock,
    newUuid: () => UUID,
    anonymizesIps: async () => anonymizeIps,
    submit(batch) {
      batches.push(batch)
      return submit(batch)
    },
    records,
    onLost: (projectId, losses) => lost.push(...losses.map((loss) => ({ projectId, ...loss }))),
  })
  const capture = captures.of(definition())
  const captured = async (name: string, properties: JsonObject) => {
    await capture({ name, properties })
    const event = batches.at(-1)?.events[0]
    if (event === undefined) throw new Error('nothing was submitted')
    return { ...event, properties: JSON.parse(event.properties) as JsonObject }
  }
  return { clock, batches, entries, lost, captures, capture, captured }
}

t.test('a captured event enters ingestion of the same project by the rules of all', async (t) => {
  const { clock, batches, captured } = createWorld()
  const event = await captured('invoice paid', { amount: 7, $set: { plan: 'pro' } })
  t.match(event, {
    uuid: UUID,
    event: 'invoice paid',
    distinctId: 'P1',
    timestamp: new Date(clock.now()).toISOString().replace('Z', '000Z'),
    properties: { amount: 7, $lib: 'posthog-plugin-server' },
    person: { set: '{"plan":"pro"}' },
  })
  t.equal(batches[0]?.projectId, PROJECT)
  t.ok((batches[0]?.bytes ?? 0) > 100)
})

t.test('its time and distinct id may be given in the properties, and are taken out', async (t) => {
  const { captured } = createWorld()
  const event = await captured('e', {
    distinct_id: 'u7',
    timestamp: '2023-01-02T03:04:05.678Z',
    a: 1,
  })
  t.match(event, { distinctId: 'u7', timestamp: '2023-01-02T03:04:05.678000Z' })
  t.notOk('distinct_id' in event.properties || 'timestamp' in event.properties)
  t.equal((await captured('e', { distinct_id: null })).distinctId, 'P1')
  t.equal((await captured('e', { distinct_id: 42 })).distinctId, '42')
})

t.test('a plugin without a name captures under its id', async (t) => {
  const { captures, batches } = createWorld()
  const nameless = definition({ step: step(1, { pluginName: '' }) })
  await captures.of(nameless)({ name: 'e', properties: {} })
  t.equal(batches[0]?.events[0]?.distinctId, 'plugin-id-101')
})

t.test('a captured event is marked, so that the config does not process its own', async (t) => {
  const { captured } = createWorld()
  const { properties } = await captured('e', {
    $lib: 'web',
    $plugins_succeeded: ['P9 (9)', 'P1 (1)'],
  })
  t.same(properties['$plugins_succeeded'], ['P1 (1)', 'P9 (9)'])
  t.equal(isCapturedBy(properties, step(1)), true)
  t.equal(isCapturedBy(properties, step(9)), false)
  t.equal(isCapturedBy({ ...properties, $lib: 'web' }, step(1)), false)
  t.same((await captured('e', { $plugins_succeeded: 'x' })).properties['$plugins_succeeded'], [
    'P1 (1)',
  ])
})

t.test('addresses stay out of a project that wants none', async (t) => {
  const properties = { $ip: '8.8.8.8' }
  t.equal((await createWorld().captured('e', properties)).properties['$ip'], '8.8.8.8')
  const { captured } = createWorld({ anonymizeIps: true })
  t.notOk('$ip' in (await captured('e', properties)).properties)
})

t.test('the properties of the plugin are not changed', async (t) => {
  const { capture } = createWorld({ anonymizeIps: true })
  const properties = { $ip: '8.8.8.8', $set: { a: 1 }, distinct_id: 'u' }
  await capture({ name: 'e', properties })
  t.same(properties, { $ip: '8.8.8.8', $set: { a: 1 }, distinct_id: 'u' })
})

t.test('a value that is no event to be stored is refused', async (t) => {
  const { capture, batches } = createWorld()
  const refused = { message: /needs a name and a distinct id/ }
  await t.rejects(capture({ name: '', properties: {} }), refused)
  await t.rejects(capture({ name: '$snapshot', properties: {} }), refused)
  await t.rejects(capture({ name: 'e', properties: { distinct_id: ' ' } }), refused)
  const large = { text: 'x'.repeat(1_048_576) }
  await t.rejects(capture({ name: 'e', properties: large }), { message: /larger than/ })
  t.same(batches, [])
})

t.test('a config captures 100 events a second', async (t) => {
  const { capture, captures, clock, batches } = createWorld()
  const events = Array.from({ length: 100 }, () => capture({ name: 'e', properties: {} }))
  await Promise.all(events)
  const over = { message: 'capture: more than 100 events a second' }
  await t.rejects(capture({ name: 'e', properties: {} }), over)
  await captures.of(definition({ step: step(2) }))({ name: 'e', properties: {} })
  await clock.advance(1_000)
  await capture({ name: 'e', properties: {} })
  t.equal(batches.length, 102)
})

t.test('it resolves before the event is stored, within 8 MiB that are not', async (t) => {
  const open: ((outcome: IngestOutcome) => void)[] = []
  const submit = () => new Promise<IngestOutcome>((resolve) => open.push(resolve))
  const { capture, clock } = createWorld({ submit })
  const large = { name: 'e', properties: { text: 'x'.repeat(1_000_000) } }
  for (let count = 0; count < 8; count++) await capture(large)
  await t.rejects(capture(large), { message: /not stored yet/ })
  open[0]?.(STORED)
  await clock.advance(0)
  await t.resolves(capture(large))
})

t.test('an event that is refused for now is sent again with the same uuid', async (t) => {
  const answers: IngestOutcome[] = [FULL, { ...FULL, retryAfterS: 9 }, STORED]
  const { capture, clock, batches, entries } = createWorld({
    submit: async () => answers.shift() ?? FULL,
  })
  await capture({ name: 'e', properties: {} })
  await clock.advance(1_000)
  t.equal(batches.length, 2)
  await clock.advance(8_999)
  t.equal(batches.length, 2, 'not before the time it was told')
  await clock.advance(1)
  t.equal(batches.length, 3)
  t.equal(new Set(batches).size, 1)
  await clock.advance(600_000)
  t.equal(batches.length, 3)
  t.same(entries, [])
})

t.test('after five refusals or failures it is lost, which is logged', async (t) => {
  for (const submit of [async () => FULL, () => Promise.reject(new Error('broken'))]) {
    const { capture, clock, batches, entries, lost } = createWorld({ submit })
    await capture({ name: 'e', properties: {} })
    await clock.advance(600_000)
    t.equal(batches.length, 5)
    t.match(lost, [{ projectId: PROJECT, reason: 'plugin_capture_lost', event: 'e', uuid: UUID }])
    t.match(entries, [/^SYSTEM\/WARN A captured event was lost/])
  }
})

t.test('a close waits for what was accepted, within its time', async (t) => {
  let answer: (outcome: IngestOutcome) => void = () => undefined
  const { capture, captures } = createWorld({
    submit: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  })
  await capture({ name: 'e', properties: {} })
  let isClosed = false
  const closed = captures.close(1_000).then(() => {
    isClosed = true
  })
  await t.rejects(capture({ name: 'e', properties: {} }), { message: /is stopping/ })
  t.notOk(isClosed)
  answer(STORED)
  await closed
})

t.test('a close ends at its time, whatever the store does', async (t) => {
  const { capture, captures, clock } = createWorld({ submit: () => new Promise(() => undefined) })
  await capture({ name: 'e', properties: {} })
  const closed = captures.close(1_000)
  await clock.advance(1_000)
  await t.resolves(closed)
})
