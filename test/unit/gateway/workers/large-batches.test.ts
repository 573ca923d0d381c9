import { connect, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { createGrpcWorkerLink } from '../../../../gateway/workers/grpc-worker-link.ts'
import type { EncodedBatch } from '../../../../gateway/workers/ingest-codec.ts'
import { encodableBatch } from '../../../../gateway/workers/ingest-codec.ts'
import { LARGE_FULL_CALL_SLOTS_MAX } from '../../../../gateway/workers/project-lanes.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { LARGE_EVENT_BYTES, MICRO_BATCH_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import { ingestEvent } from '../../../support/plugins/plugin-runtime.ts'
import { batch, type FakeCall, fakePool } from '../../../support/workers/fake-workers.ts'
import { startMicroBatchWorker } from '../../../support/workers/micro-batch-worker.ts'

/** A piece of a large body, as a thread hands it over. */
function piece(project: number, bytes = MICRO_BATCH_BYTES_MAX): EncodedBatch {
  const content = { kind: 'encoded', batch: new Uint8Array(bytes) } as const
  return { projectId: projectId(project), count: 1, bytes, hasPlugins: false, content }
}

/** One small request whose event the worker flushes apart. */
function largeEvent(project: number): EncodedBatch {
  const properties = JSON.stringify({ text: 'x'.repeat(LARGE_EVENT_BYTES) })
  return encodableBatch(projectId(project), [ingestEvent({ properties })])
}

const projectsOf = ({ request }: FakeCall): readonly number[] => {
  const { batches } = request as { readonly batches: readonly EncodedBatch[] }
  return batches.map(({ projectId }) => projectId)
}

t.test('a capture does not wait for large batches of another project', async (t) => {
  for (const large of [piece, largeEvent]) {
    const { pool, calls, settle } = fakePool(['w1'])
    const waiting = Array.from({ length: 40 }, () => pool.ingest(large(1)))
    await settle()
    const before = calls.length
    const small = pool.ingest(batch(2))
    await settle()
    t.equal(calls.length, before + 1, 'sent at once')
    const call = calls[before]
    t.strictSame(call && projectsOf(call), [2], 'in a call without large ones')
    call?.answer()
    t.equal((await small).code, '')
    while (calls.length > 0) {
      for (const each of calls.splice(0)) each.answer()
      await settle()
    }
    await Promise.all(waiting)
  }
})

t.test('a project has a bounded number of large calls in flight, others have theirs', async (t) => {
  const { pool, calls, settle } = fakePool(['w1'])
  const first = Array.from({ length: 40 }, () => pool.ingest(piece(1)))
  await settle()
  t.equal(calls.length, LARGE_FULL_CALL_SLOTS_MAX)
  const second = pool.ingest(piece(2))
  await settle()
  t.equal(calls.length, LARGE_FULL_CALL_SLOTS_MAX + 1)
  while (calls.length > 0) {
    for (const each of calls.splice(0)) each.answer()
    await settle()
  }
  await Promise.all([...first, second])
})

t.test('large batches take a connection of their own', async (t) => {
  const { port } = await startMicroBatchWorker(t, () =>
    Promise.resolve({ outcomes: [], cache_generation: '' }),
  )
  const proxy = await startCounted(t, port)
  const link = createGrpcWorkerLink(`127.0.0.1:${proxy.port}`, systemClock)
  t.teardown(() => link.close())
  const options = { metadata: { authorization: 'Bearer right' }, timeoutMs: 20_000 }
  await link.ingestBatch('small', [], options)
  await link.ingestBatch('small again', [], options)
  t.equal(proxy.bytes.length, 1)
  const [common = 0] = proxy.bytes
  await link.ingestBatch('large', [piece(1)], { ...options, apart: true })
  await link.ingestBatch('large again', [piece(1)], { ...options, apart: true })
  t.equal(proxy.bytes.length, 2)
  t.ok((proxy.bytes[1] ?? 0) > 2 * MICRO_BATCH_BYTES_MAX, 'both went there')
  t.ok((proxy.bytes[0] ?? 0) - common < LARGE_EVENT_BYTES, 'and nowhere else')
})

/** Passes connections on, and counts the bytes that each has brought. */
async function startCounted(t: Test, target: number): Promise<{ port: number; bytes: number[] }> {
  const bytes: number[] = []
  const server = createServer((socket) => {
    const index = bytes.push(0) - 1
    const onward = connect(target, '127.0.0.1')
    socket.on('data', ({ length }) => {
      bytes[index] = (bytes[index] ?? 0) + length
    })
    socket.pipe(onward).pipe(socket)
    for (const end of [socket, onward]) end.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    t.teardown(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, bytes }
}
