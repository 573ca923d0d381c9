import fc from 'fast-check'
import protobuf from 'protobufjs'
import t from 'tap'
import { createFieldCheck, TooManyFieldsError } from '../../../../src/wire/proto/count-fields.ts'
import { messageType } from '../../../../src/wire/proto/proto.ts'
import { toStruct } from '../../../../src/wire/proto/value.ts'

const BATCH = 'sluice.v1.CaptureBatchRequest'
const NO_BOUND = Number.MAX_SAFE_INTEGER

function check(type: string, bytes: Uint8Array, fieldsMax: number, elementsMax = NO_BOUND) {
  createFieldCheck(messageType(type), { fieldsMax, elementsMax })(bytes)
}

function isTooMany(run: () => void): boolean {
  try {
    run()
    return false
  } catch (error) {
    if (error instanceof TooManyFieldsError) return true
    throw error
  }
}

function encode(type: string, message: object): Uint8Array {
  const made = messageType(type)
  return made.encode(made.fromObject(message)).finish()
}

t.test('empty elements are counted, at the top and within', async (t) => {
  const elements = encode(BATCH, { batch: Array.from({ length: 10 }, () => ({})) })
  t.equal(elements.length, 20)
  check(BATCH, elements, 10)
  t.ok(isTooMany(() => check(BATCH, elements, 9)))
  const values = { l: { listValue: { values: Array.from({ length: 10 }, () => ({})) } } }
  const nested = encode(BATCH, { batch: [{ properties: { fields: values } }] })
  // The event, its properties, an entry with key and value, the list, and ten values.
  check(BATCH, nested, 16)
  t.ok(isTooMany(() => check(BATCH, nested, 15)))
})

t.test('elements of the message itself have a bound of their own', async (t) => {
  const events = encode(BATCH, { batch: Array.from({ length: 3 }, () => ({ event: 'x' })) })
  check(BATCH, events, 6, 3)
  t.ok(isTooMany(() => check(BATCH, events, 6, 2)))
})

t.test('values of a packed field are counted', async (t) => {
  const type = 'sluice.v1.ReleaseShardsRequest'
  const packed = encode(type, { shards: Array.from({ length: 50 }, (_, shard) => shard) })
  check(type, packed, 51)
  t.ok(isTooMany(() => check(type, packed, 50)))
})

t.test('messages that hold themselves end at the depth that is decoded', async (t) => {
  let bytes: Uint8Array = new Uint8Array()
  for (let depth = 0; depth < 1_000; depth++) {
    // A Value whose list has one Value.
    const field = depth % 2 === 0 ? 1 : 6
    bytes = protobuf.Writer.create()
      .uint32((field << 3) | 2)
      .bytes(bytes)
      .finish()
  }
  const value = protobuf.Writer.create()
    .uint32((1 << 3) | 2)
    .bytes(bytes)
    .finish()
  t.throws(() => check('google.protobuf.ListValue', value, 10_000), { message: /too deep/ })
})

t.test('a field that is longer than what holds it is malformed', async (t) => {
  t.throws(() => check(BATCH, Uint8Array.of(0x0a, 5, 0x0a), 10), { message: /longer/ })
  t.throws(() => check(BATCH, Uint8Array.of(0x0a, 2, 0x0a, 1, 0x61), 10), { message: /longer/ })
})

t.test('bytes written by the contract are counted without error', async () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }))
  fc.assert(
    fc.property(fc.array(json, { maxLength: 5 }), (all) => {
      const batch = all.map((each) => {
        const plain = JSON.parse(JSON.stringify(each)) as Parameters<typeof toStruct>[0]
        return { event: 'x', properties: toStruct(plain) }
      })
      check(BATCH, encode(BATCH, { batch }), 1_000_000)
    }),
  )
})
