import fc from 'fast-check'
import t from 'tap'
import {
  commandComplete,
  createFrameReader,
  errorOf,
  errorResponse,
  framesOf,
  isFatal,
  readyForQuery,
  statusOf,
  textAt,
} from '../../../src/store/wire-frames.ts'

const message = fc.tuple(fc.constantFrom('D', 'Z', 'E', 'C'), fc.uint8Array({ maxLength: 300 }))

function encode(messages: readonly (readonly [string, Uint8Array])[]): Buffer {
  return Buffer.concat(
    messages.map(([type, body]) => {
      const header = Buffer.alloc(5)
      header.write(type, 'latin1')
      header.writeUInt32BE(body.length + 4, 1)
      return Buffer.concat([header, body])
    }),
  )
}

t.test('however a stream is cut, only whole messages pass, all of them and in order', async () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(message), pieces, (messages, sizes) => {
      const stream = encode(messages)
      const reader = createFrameReader()
      const runs: Buffer[] = []
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        const run = reader.read(stream.subarray(at, at + size))
        if (run !== undefined) {
          if (Buffer.concat([...framesOf(run)].map((frame) => frame.bytes)).length !== run.length) {
            return false
          }
          runs.push(run)
        }
        at += size
      }
      return Buffer.concat(runs).equals(stream)
    }),
  )
})

t.test('nonsense never hangs the reader', async (t) => {
  const zeros = Buffer.alloc(64) // Lengths of zero would not advance.
  t.equal([...framesOf(zeros)].length, 12)
  t.equal(createFrameReader().read(zeros)?.length, 60)
})

t.test('what is made can be read', async (t) => {
  for (const status of ['I', 'T', 'E'] as const) t.equal(statusOf(readyForQuery(status)), status)
  t.ok(isFatal(errorResponse('08006', 'gone')))
  t.match(errorOf(errorResponse('08006', 'Can not: Much')), {
    code: '08006',
    message: 'Can not: Much',
  })
  t.notOk(isFatal(Buffer.from('E0000SERROR\0VERROR\0C22012\0\0')))
  t.equal(textAt(commandComplete('ROLLBACK'), 5), 'ROLLBACK')
  t.equal(textAt(Buffer.from('x'.repeat(100)), 0, 10), 'x'.repeat(10))
})
