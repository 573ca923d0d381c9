import fc from 'fast-check'
import t from 'tap'
import {
  encodeIngestBatch,
  encodeIngestGroup,
  groupOfEvents,
} from '../../../../gateway/workers/ingest-codec.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  decodeIngestBatch,
  decodeIngestGroup,
  groupOf,
} from '../../../../src/events/batch-decoder.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { messageType } from '../../../../src/wire/proto/proto.ts'
import { toWireGroup } from '../../../support/ingest/wire-batch.ts'

const DECODED = { longs: Number, enums: String, defaults: true, oneofs: false } as const

function decode(typeName: string, bytes: Uint8Array): object {
  const type = messageType(typeName)
  return type.toObject(type.decode(bytes), DECODED)
}

const PLAIN = { noNullPrototype: true } as const
const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const merge = fc.record(
  {
    kind: fc.constantFrom('identify' as const, 'alias' as const, 'dangerously' as const),
    otherDistinctId: text,
  },
  PLAIN,
)
const person = fc.record(
  {
    profile: fc.boolean(),
    setOnce: text,
    set: text,
    unset: fc.array(text, { maxLength: 3 }),
    merge: fc.option(merge, { nil: undefined }),
  },
  PLAIN,
)
const event: fc.Arbitrary<IngestEvent> = fc.record(
  {
    uuid: fc.uuid(),
    event: text,
    distinctId: text,
    timestamp: fc.constant('2026-01-02T03:04:05.678901Z'),
    properties: fc.json(),
    elementsChain: text,
    person,
    groups: fc.array(fc.record({ type: text, key: text }, PLAIN), { maxLength: 5 }),
    groupChange: fc.option(fc.record({ type: text, key: text, set: fc.json() }, PLAIN), {
      nil: undefined,
    }),
  },
  PLAIN,
)

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

t.test('the static decoder reads what both encoders write', (t) => {
  const type = messageType('sluice.v1.IngestGroup')
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const expected = groupOf(7, events)
      t.strictSame(decodeIngestGroup(encodeIngestGroup(7, events)), expected)
      const reflected = type.encode(type.fromObject(toWireGroup(7, events))).finish()
      t.strictSame(decodeIngestGroup(reflected), expected)
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('fields that a later release may send are skipped', (t) => {
  const events = fc.sample(event, { numRuns: 2, seed: 2 })
  const group = encodeIngestGroup(7, events)
  // Field 100 as a varint, a text, and eight and four bytes.
  const tag = (wire: number) => [...[(((100 << 3) | wire) & 0x7f) | 0x80, (100 << 3) >> 7]]
  const unknown = [
    ...[...tag(0), 0x96, 0x01],
    ...[...tag(2), 2, 0x68, 0x69],
    ...[...tag(1), 1, 2, 3, 4, 5, 6, 7, 8],
    ...[...tag(5), 1, 2, 3, 4],
  ]
  t.strictSame(decodeIngestGroup(Buffer.concat([Buffer.from(unknown), group])), groupOf(7, events))
  t.strictSame(decodeIngestGroup(Buffer.concat([group, Buffer.from(unknown)])), groupOf(7, events))
  t.end()
})

t.test('bytes that are cut short are refused, and any bytes are answered', (t) => {
  const [one] = fc.sample(event, { numRuns: 1, seed: 3 })
  if (one === undefined) throw new Error('no event')
  const batch = encodeIngestBatch('b', [groupOfEvents(projectId(1), [one])])
  t.equal(decodeIngestBatch(batch).groups.length, 1)
  for (let end = 4; end < batch.length; end++) {
    t.throws(() => decodeIngestBatch(batch.subarray(0, end)), Error, `${end} bytes`)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        return Array.isArray(decodeIngestBatch(bytes).groups)
      } catch (error) {
        return error instanceof Error
      }
    }),
    { numRuns: 2_000 },
  )
  t.end()
})
