import fc from 'fast-check'
import t from 'tap'
import { InvariantError } from '../../../../src/core/code.ts'
import {
  type PackedEvent,
  packEvents,
  unpackEvents,
} from '../../../../src/store/event-copy/payload.ts'

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

t.test('any events come out of a payload as they went in', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (events) => {
      t.same(await unpackEvents(await packEvents(events)), events)
    }),
    { numRuns: 200 },
  )
})

t.test('so do those that are compressed beside the event loop', async (t) => {
  const large = { projectId: 1, uuid: 'u', event: 'e', distinctId: 'd', timestamp: 't' }
  const events = Array.from({ length: 300 }, (_, index) => {
    return { ...large, properties: `{"n":"${'x'.repeat(index)}"}`.repeat(10), elementsChain: '' }
  })
  t.same(await unpackEvents(await packEvents(events)), events)
})

t.test('a payload of another form, or larger than it says, is not read', async (t) => {
  const { bytes, textBytes } = await packEvents([])
  const other = Buffer.concat([Buffer.of(9), bytes.subarray(1)])
  await t.rejects(unpackEvents({ bytes: other, textBytes }), InvariantError)
  await t.rejects(unpackEvents({ bytes, textBytes: textBytes - 1 }))
})
