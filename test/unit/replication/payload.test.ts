import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { InvariantError } from '../../../src/core/code.ts'
import {
  type PackedEvent,
  packEvents,
  unpackEvents,
} from '../../../src/event-store/outbox/payload.ts'

const text = fc.string({ unit: 'binary' })
const event = fc.record<PackedEvent>(
  {
    projectId: fc.integer({ min: 1, max: 2_147_483_647 }),
    ...{ uuid: fc.uuid(), event: text, distinctId: text, timestamp: text },
    ...{ properties: text, elementsChain: text, createdAt: text },
  },
  {
    requiredKeys: [
      ...(['projectId', 'uuid', 'event', 'distinctId'] as const),
      ...(['timestamp', 'properties', 'elementsChain'] as const),
    ],
  },
)

async function outAndIn(events: readonly PackedEvent[]) {
  const unpacked = await unpackEvents(await packEvents(events))
  return unpacked.map((each) => ({ ...each, properties: Buffer.from(each.properties).toString() }))
}

t.test('any events come out of a payload as they went in', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (events) => {
      t.same(await outAndIn(events), events)
    }),
    { numRuns: 200 },
  )
})

t.test('so do those that are compressed beside the event loop', async (t) => {
  const large = { projectId: 1, uuid: 'u', event: 'e', distinctId: 'd', timestamp: 't' }
  const events = Array.from({ length: 300 }, (_, index) => {
    return { ...large, properties: `{"n":"${'x'.repeat(index)}"}`.repeat(10), elementsChain: '' }
  })
  t.same(await outAndIn(events), events)
})

t.test('payloads of older workers are read too', async (t) => {
  const list = [1, 'u', 'e', 'd', 't', '{"a":"ü"}', '', 'c']
  const text = Buffer.from(JSON.stringify([list, list.slice(0, 7)]))
  const bytes = Buffer.concat([Buffer.of(1), deflateRawSync(text)])
  const event = { projectId: 1, uuid: 'u', event: 'e', distinctId: 'd', timestamp: 't' }
  const properties = Buffer.from('{"a":"ü"}')
  const both = [{ ...event, properties, elementsChain: '', createdAt: 'c' }]
  t.same(await unpackEvents({ bytes, textBytes: text.length }), [
    ...both,
    { ...event, properties, elementsChain: '' },
  ])
})

t.test('a payload of another form, or larger than it says, is not read', async (t) => {
  const { bytes, textBytes } = await packEvents([])
  const other = Buffer.concat([Buffer.of(9), bytes.subarray(1)])
  await t.rejects(unpackEvents({ bytes: other, textBytes }), InvariantError)
  await t.rejects(unpackEvents({ bytes, textBytes: textBytes - 1 }))
})
