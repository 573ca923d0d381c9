import fc from 'fast-check'
import t from 'tap'
import {
  decodeAnswer,
  decodeCall,
  encodeAnswer,
  encodeCall,
  encodeFailure,
  encodeGoodbye,
  STREAMED_METHODS,
} from '../../../../src/wire/proto/micro-batch-frames.ts'
import { messageType, methodByPath } from '../../../../src/wire/proto/proto.ts'

const CALL = messageType('sluice.v1.MicroBatch')
const ANSWER = messageType('sluice.v1.MicroBatchAnswer')
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })

t.test('every method of the stream has its field in both messages of the contract', (t) => {
  for (const [path, field] of STREAMED_METHODS) {
    const method = methodByPath(path)
    const request = CALL.fieldsById[field]?.resolve().resolvedType
    const response = ANSWER.fieldsById[field]?.resolve().resolvedType
    t.equal(request?.fullName, method?.request.fullName, `${path} there`)
    t.equal(response?.fullName, method?.response.fullName, `${path} and back`)
  }
  t.equal(STREAMED_METHODS.size, CALL.oneofs['call']?.fieldsArray.length)
  t.end()
})

t.test('a call is what the contract reads and what the worker reads', (t) => {
  const message = Buffer.from(
    messageType('sluice.v1.ResolveKeysRequest')
      .encode({ questions: [{ token: 'phc_a', project_id: 7 }] })
      .finish(),
  )
  fc.assert(
    fc.property(uint32, uint32, (id, timeoutMs) => {
      const bytes = encodeCall({ id, timeoutMs, field: 5, message })
      const read = CALL.toObject(CALL.decode(bytes), { longs: Number })
      t.match(read, { id, timeout_ms: timeoutMs, keys: { questions: [{ token: 'phc_a' }] } })
      t.match(decodeCall(bytes), { id, timeoutMs, field: 5, message })
    }),
    { numRuns: 20 },
  )
  t.end()
})

t.test('an answer, a failure and a goodbye are what the contract reads and writes', (t) => {
  const keys = { answers: [{ kind: 2 }] }
  const message = messageType('sluice.v1.ResolveKeysResponse').encode(keys).finish()
  const status = messageType('google.rpc.Status').encode({ code: 5, message: 'gone' }).finish()
  const read = (bytes: Uint8Array) => ANSWER.toObject(ANSWER.decode(bytes), { enums: Number })
  t.strictSame(read(encodeAnswer(9, 5, message)), { id: 9, keys })
  t.match(read(encodeFailure(9, status)), { id: 9, failure: { code: 5, message: 'gone' } })
  t.match(read(encodeGoodbye()), { goodbye: true })

  const written = (value: object) => decodeAnswer(ANSWER.encode(ANSWER.fromObject(value)).finish())
  t.match(written({ id: 9, keys }), { kind: 'answer', id: 9 })
  t.match(written({ id: 9, failure: { code: 5 } }), { kind: 'failure', id: 9 })
  t.strictSame(written({ goodbye: true }), { kind: 'goodbye' })
  t.end()
})

t.test('fields of a later release are skipped, and a call that is unknown has no field', (t) => {
  const later = Buffer.from([8, 3, (9 << 3) | 2, 2, 1, 2, (15 << 3) | 0, 1])
  t.match(decodeCall(later), { id: 3, timeoutMs: 0, field: 0 })
  t.match(decodeAnswer(later), { kind: 'answer', id: 3 })
  t.end()
})

t.test('bytes that are no message are refused', (t) => {
  const cut = encodeCall({ id: 1, timeoutMs: 2, field: 3, message: Buffer.alloc(50) })
  t.throws(() => decodeCall(cut.subarray(0, 20)))
  t.throws(() => decodeAnswer(Buffer.from([0xff])))
  t.end()
})
