import fc from 'fast-check'
import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import type { EventBatch } from '../../../../src/events/event-batch.ts'
import {
  decodeSpillMessage,
  encodeSpillMessage,
} from '../../../../src/ingest/spill/spill-message.ts'
import { isTooLarge, SpillQueue } from '../../../../src/ingest/spill/spill-queue.ts'
import { makeEvent } from '../../../support/ingest/ingest-store.ts'

const PLAIN = { noNullPrototype: true } as const
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const event: fc.Arbitrary<IngestEvent> = fc.record({
  uuid: fc.uuid(),
  event: text,
  distinctId: text,
  timestamp: fc.constant('2026-01-02T03:04:05.678901Z'),
  properties: fc.json(),
  elementsChain: text,
  person: fc.record({
    profile: fc.boolean(),
    setOnce: text,
    volatile: text,
    set: text,
    unset: fc.array(text, { maxLength: 3 }),
    merge: fc.option(
      fc.record({
        kind: fc.constantFrom('identify' as const, 'alias' as const, 'dangerously' as const),
        otherDistinctId: text,
      }),
      { nil: undefined },
    ),
  }),
  groups: fc.array(fc.record({ type: text, key: text }, PLAIN), { maxLength: 5 }),
  groupChange: fc.option(fc.record({ type: text, key: text, set: fc.json() }, PLAIN), {
    nil: undefined,
  }),
})
const batch: fc.Arbitrary<EventBatch> = fc.record({
  projectId: fc.integer({ min: 1, max: 2_147_483_647 }).map(projectId),
  events: fc.array(event, { minLength: 1, maxLength: 6 }),
  bytes: fc.constant(1_000),
})

t.test('bytes that are no message are refused, and so is a project that cannot be', async (t) => {
  t.throws(() => decodeSpillMessage(new TextEncoder().encode('not a message')))
  const none = { projectId: projectId(1), events: [makeEvent()] }
  const bytes = encodeSpillMessage('id', [none])
  t.throws(() => decodeSpillMessage(bytes.subarray(0, bytes.length - 3)))
  // A batch whose number is missing is read as project 0.
  t.throws(() => decodeSpillMessage(Uint8Array.of((2 << 3) | 2, 0)), RangeError)
})

t.test('batches come out of messages as they went in, in order, each message in bounds', (t) => {
  fc.assert(
    fc.property(
      fc.array(batch, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 8_000 }),
      (batches, bytesMax) => {
        const queue = new SpillQueue()
        const entries = batches.map((each) => ({ batch: each, answer: () => {} }))
        for (const entry of entries) queue.add(entry)
        const read: { projectId: number; event: IngestEvent }[] = []
        const complete: unknown[] = []
        while (!queue.isEmpty) {
          const batch = queue.take(bytesMax)
          const bytes = encodeSpillMessage('018f2d5c-0000-7000-8000-000000000000', batch.pieces)
          t.ok(bytes.length <= bytesMax || batch.events === 1, `${bytes.length} of ${bytesMax}`)
          if (bytes.length > bytesMax) {
            const [alone] = batch.pieces[0]?.events ?? []
            t.ok(alone !== undefined && isTooLarge(alone, bytesMax))
          }
          const decoded = decodeSpillMessage(bytes)
          for (const { projectId, events } of decoded) {
            read.push(...events.map((each) => ({ projectId, event: each })))
          }
          complete.push(...batch.complete)
          for (const entry of batch.complete) queue.drop(entry)
        }
        const written = batches.flatMap(({ projectId, events }) =>
          events.map((each) => ({ projectId, event: each })),
        )
        t.same(read, written)
        t.same(complete, entries)
        t.equal(queue.bytes, 0)
      },
    ),
    { numRuns: 200 },
  )
  t.end()
})
