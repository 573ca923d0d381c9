import fc from 'fast-check'
import t from 'tap'
import {
  encodeIngestBatch,
  encodeIngestGroup,
  groupOfEvents,
  toWireGroup,
} from '../../../gateway/workers/ingest-codec.ts'
import { projectId } from '../../../src/core/ids.ts'
import { messageType } from '../../../src/core/proto.ts'
import type { IngestEvent } from '../../../src/ingest/event.ts'

const DECODED = { longs: Number, enums: String, defaults: true, oneofs: false } as const

function decode(typeName: string, bytes: Uint8Array): object {
  const type = messageType(typeName)
  return type.toObject(type.decode(bytes), DECODED)
}

const PLAIN = { noNullPrototype: true } as const
const text = fc.string({ unit: 'grapheme', maxLength: 60 })
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

t.test('the static encoder writes what the contract reads', (t) => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const decoded = decode('sluice.v1.IngestGroup', encodeIngestGroup(7, events))
      t.strictSame(decoded, toWireGroup(7, events))
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('groups encoded before and groups encoded now stand side by side', (t) => {
  const [one, two] = fc.sample(event, { numRuns: 2, seed: 1 })
  t.ok(one !== undefined && two !== undefined)
  if (one === undefined || two === undefined) return t.end()
  const batch = encodeIngestBatch('batch', [
    groupOfEvents(projectId(1), [one]),
    {
      projectId: projectId(2),
      count: 1,
      bytes: 1,
      hasPlugins: false,
      content: { kind: 'encoded', group: encodeIngestGroup(2, [two]) },
    },
  ])
  t.strictSame(decode('sluice.v1.IngestBatchRequest', batch), {
    batch_id: 'batch',
    groups: [toWireGroup(1, [one]), toWireGroup(2, [two])],
  })
  return t.end()
})
