import fc from 'fast-check'
import t from 'tap'
import {
  decodeAnswer,
  decodeCall,
  decodeRead,
  encodeAnswer,
  encodeCall,
  encodeFailure,
  encodeGoAway,
  encodeRead,
  READ,
  STREAMED_METHODS,
  STREAMED_READS,
} from '../../../../src/wire/proto/micro-batch-frames.ts'
import { isPaged } from '../../../../src/wire/proto/page-pieces.ts'
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
  t.equal(STREAMED_METHODS.size + 1, CALL.oneofs['call']?.fieldsArray.length, 'and reads')
  t.end()
})

t.test('a read is what the contract reads and writes', (t) => {
  const method = '/sluice.v1.ProjectService/GetProject'
  const request = Buffer.from('abc')
  const bytes = encodeRead(method, { authorization: 'Bearer é', more: '' }, request)
  const read = messageType('sluice.v1.ReadCall')
  const metadata = { authorization: 'Bearer é', more: '' }
  t.match(read.toObject(read.decode(bytes)), { method, metadata, request })
  for (const made of [bytes, read.encode({ method, metadata, request }).finish()]) {
    const decoded = decodeRead(made)
    t.strictSame(Object.fromEntries(decoded.metadata), metadata)
    t.match({ ...decoded, metadata: {} }, { method, request })
  }
  t.throws(() => decodeRead(bytes.subarray(0, -1)))
  const inFrame = encodeCall({ id: 1, timeoutMs: 2, field: READ, message: bytes })
  t.match(CALL.toObject(CALL.decode(inFrame)), { read: { method } })
  t.match(decodeCall(inFrame), { field: READ, message: bytes })
  const answer = encodeAnswer(9, READ, request)
  t.match(ANSWER.toObject(ANSWER.decode(answer)), { id: 9, read: request })
  t.match(decodeAnswer(answer), { kind: 'answer', id: 9, message: request })
  t.end()
})

t.test('a call that travels as a read has no effect, and one whole answer', (t) => {
  for (const path of STREAMED_READS) {
    const method = methodByPath(path)
    t.ok(method !== undefined && !isPaged(method), path)
    t.ok(
      method?.bindings.every(({ verb }) => verb === 'GET'),
      path,
    )
  }
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

t.test('an answer, a failure and a GOAWAY are what the contract reads and writes', (t) => {
  const keys = { answers: [{ kind: 2 }] }
  const message = messageType('sluice.v1.ResolveKeysResponse').encode(keys).finish()
  const status = messageType('google.rpc.Status').encode({ code: 5, message: 'gone' }).finish()
  const read = (bytes: Uint8Array) => ANSWER.toObject(ANSWER.decode(bytes), { enums: Number })
  t.strictSame(read(encodeAnswer(9, 5, message)), { id: 9, keys })
  t.match(read(encodeFailure(9, status)), { id: 9, failure: { code: 5, message: 'gone' } })
  t.match(read(encodeGoAway()), { goodbye: true })

  const written = (value: object) => decodeAnswer(ANSWER.encode(ANSWER.fromObject(value)).finish())
  t.match(written({ id: 9, keys }), { kind: 'answer', id: 9 })
  t.match(written({ id: 9, failure: { code: 5 } }), { kind: 'failure', id: 9 })
  t.strictSame(written({ goodbye: true }), { kind: 'go_away' })
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
