import fc from 'fast-check'
import protobuf from 'protobufjs'
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { messageType } from '../../../../src/wire/proto/proto.ts'
import { toValue } from '../../../../src/wire/proto/value.ts'

const REQUEST = 'sluice.v1.RunQueryRequest'

/** As protobufjs by itself writes it, from the descriptor that comes along with it. */
function referenceBytes(json: Json): Buffer {
  const root = protobuf.Root.fromJSON(protobuf.common.get('google/protobuf/struct.proto') ?? {})
  const type = root.lookupType('google.protobuf.Value')
  return Buffer.from(type.encode(type.fromObject(toValue(json))).finish())
}

function bytesOf(json: Json): Buffer {
  const type = messageType('google.protobuf.Value')
  return Buffer.from(type.encode(type.fromObject(toValue(json))).finish())
}

t.test('values have the bytes that protobufjs gives them', async (t) => {
  const longs = ['', 'x'.repeat(127), 'x'.repeat(128), 'é😀'.repeat(40), 'x'.repeat(20_000)]
  const list: Json = [null, true, false, 0, -0.5, 1e300, {}, [], [[]], ...longs]
  for (const json of [...list, list, { a: list, '': {}, __proto__: 1, é: { b: list } }]) {
    t.ok(bytesOf(json).equals(referenceBytes(json)), JSON.stringify(json).slice(0, 30))
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/\\ud[89a-f]/i.test(text)) // No UTF-8 has them.
      const json: Json = JSON.parse(text)
      t.ok(bytesOf(json).equals(referenceBytes(json)), text)
    }),
    { numRuns: 300 },
  )
})

t.test('half a character is written as UTF-8 can', async (t) => {
  const type = messageType('google.protobuf.Value')
  const halves = bytesOf(['\ud800', { '\udc00': 'a\ud800'.repeat(30) }])
  t.same(type.toObject(type.decode(halves), { defaults: false }), {
    listValue: {
      values: [
        { stringValue: '\ufffd' },
        { structValue: { fields: { '\ufffd': { stringValue: 'a\ufffd'.repeat(30) } } } },
      ],
    },
  })
})

t.test('a question of many values is no operation for each of them', async (t) => {
  const filter = { type: 'cohort', key: 'id', value: 1 }
  const query = Array.from({ length: 3_600 }, () => filter)
  const type = messageType(REQUEST)
  const { prototype } = protobuf.BufferWriter
  const { uint32 } = prototype
  let operations = 0
  prototype.uint32 = function (value) {
    operations += 1
    return uint32.call(this, value)
  }
  t.teardown(() => {
    prototype.uint32 = uint32
  })
  type.encode(type.fromObject({ project_id: '7', query: toValue(query) })).finish()
  t.ok(operations > 0 && operations < 20, `${operations} operations`)
})
