import fc from 'fast-check'
import protobuf from 'protobufjs/minimal.js'
import t from 'tap'
import {
  encodableBatch,
  encodeEventBatch,
  encodeIngestRequest,
} from '../../../../gateway/workers/ingest-codec.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  decodeEventBatch,
  decodeIngestRequest,
  INGEST_ELEMENTS_MAX,
} from '../../../../src/events/batch-decoder.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { batchOf } from '../../../../src/events/event-batch.ts'
import { messageType } from '../../../../src/wire/proto/proto.ts'
import { toWireBatch } from '../../../support/ingest/wire-batch.ts'

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
    volatile: text,
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
      const decoded = decode('sluice.v1.IngestGroup', encodeEventBatch(7, events))
      t.strictSame(decoded, toWireBatch(7, events))
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('batches encoded before and batches encoded now stand side by side', (t) => {
  const [one, two] = fc.sample(event, { numRuns: 2, seed: 1 })
  t.ok(one !== undefined && two !== undefined)
  if (one === undefined || two === undefined) return t.end()
  const batch = encodeIngestRequest('batch', [
    encodableBatch(projectId(1), [one]),
    {
      projectId: projectId(2),
      count: 1,
      bytes: 1,
      hasPlugins: false,
      content: { kind: 'encoded', batch: encodeEventBatch(2, [two]) },
    },
  ])
  t.strictSame(decode('sluice.v1.IngestBatchRequest', batch), {
    batch_id: 'batch',
    groups: [toWireBatch(1, [one]), toWireBatch(2, [two])],
  })
  return t.end()
})

t.test('the static decoder reads what both encoders write', (t) => {
  const type = messageType('sluice.v1.IngestGroup')
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const expected = batchOf(7, events)
      t.strictSame(decodeEventBatch(encodeEventBatch(7, events)), expected)
      const reflected = type.encode(type.fromObject(toWireBatch(7, events))).finish()
      t.strictSame(decodeEventBatch(reflected), expected)
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('fields that a later release may send are skipped', (t) => {
  const events = fc.sample(event, { numRuns: 2, seed: 2 })
  const batch = encodeEventBatch(7, events)
  // Field 100 as a varint, a text, and eight and four bytes.
  const tag = (wire: number) => [...[(((100 << 3) | wire) & 0x7f) | 0x80, (100 << 3) >> 7]]
  const unknown = [
    ...[...tag(0), 0x96, 0x01],
    ...[...tag(2), 2, 0x68, 0x69],
    ...[...tag(1), 1, 2, 3, 4, 5, 6, 7, 8],
    ...[...tag(5), 1, 2, 3, 4],
  ]
  t.strictSame(decodeEventBatch(Buffer.concat([Buffer.from(unknown), batch])), batchOf(7, events))
  t.strictSame(decodeEventBatch(Buffer.concat([batch, Buffer.from(unknown)])), batchOf(7, events))
  t.end()
})

t.test('bytes that are cut short are refused, and any bytes are answered', (t) => {
  const [one] = fc.sample(event, { numRuns: 1, seed: 3 })
  if (one === undefined) throw new Error('no event')
  const batch = encodeIngestRequest('b', [encodableBatch(projectId(1), [one])])
  t.equal(decodeIngestRequest(batch).batches.length, 1)
  for (let end = 4; end < batch.length; end++) {
    t.throws(() => decodeIngestRequest(batch.subarray(0, end)), Error, `${end} bytes`)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        return Array.isArray(decodeIngestRequest(bytes).batches)
      } catch (error) {
        return error instanceof Error
      }
    }),
    { numRuns: 2_000 },
  )
  t.end()
})

t.test('events, and what is in them, are counted as they are read', async (t) => {
  /** A field of so many empty elements of field `within`, of two bytes each. */
  const filled = (field: number, within: number, elements: number) => {
    const bytes = Buffer.alloc(2 * elements)
    for (let at = 0; at < bytes.length; at += 2) bytes[at] = (within << 3) | 2
    return protobuf.Writer.create()
      .uint32((field << 3) | 2)
      .bytes(bytes)
      .finish()
  }
  const group = (bytes: Uint8Array) =>
    protobuf.Writer.create()
      .uint32((2 << 3) | 2)
      .bytes(bytes)
      .finish()
  const tooMany = { name: 'RangeError', message: /too many/ }
  const events = filled(2, 2, INGEST_ELEMENTS_MAX)
  t.throws(() => decodeIngestRequest(events), tooMany)
  for (const field of [10, 13]) {
    const event = filled(2, field, INGEST_ELEMENTS_MAX)
    t.throws(() => decodeIngestRequest(group(event)), tooMany, `elements of field ${field}`)
  }
  t.equal(decodeIngestRequest(filled(2, 2, 1_000)).batches[0]?.events.length, 1_000)
})
