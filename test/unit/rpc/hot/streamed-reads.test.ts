import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { STREAM_CALLS_MAX } from '../../../../src/rpc/hot/micro-batch-handler.ts'
import type { CallContext } from '../../../../src/wire/call.ts'
import { createGate } from '../../../support/workers/gate.ts'
import {
  ask,
  readProject,
  startMicroBatchWorker,
} from '../../../support/workers/micro-batch-worker.ts'

/** Answers a project, whose name tells who asked for it and how. */
async function answer(request: object, { metadata }: CallContext): Promise<object> {
  if ('questions' in request) return { answers: [] }
  const { id } = request as { id: string }
  const key = metadata.get('authorization') ?? ''
  if (key === 'Bearer wrong') throw new AppError('unauthenticated', 'no such key')
  const way = metadata.get('user-agent') === undefined ? 'stream' : 'call'
  return { id: Number(id), name: `${key}, ${way}, ${metadata.get('x-sluice-member')}` }
}

t.test('a read on the stream is made for whose key it has, and for nobody else', async (t) => {
  const link = (await startMicroBatchWorker(t, answer)).link()
  const read = await Promise.all(['a', 'b'].map((key) => readProject(link, '7', key)))
  t.match(read, [
    { id: 7, name: 'Bearer a, stream, undefined' },
    { id: 7, name: 'Bearer b, stream, undefined' },
  ])
})

t.test('a key that is refused leaves the stream to the others', async (t) => {
  const opened = createGate()
  const worker = await startMicroBatchWorker(t, async (request, context) => {
    const key = context.metadata.get('authorization')
    if (key === 'Bearer slow') await opened.opened
    return answer(request, context)
  })
  const link = worker.link()
  const slow = readProject(link, '7', 'slow')
  await t.rejects(readProject(link, '7', 'wrong'), { code: 'unauthenticated' })
  t.match(await readProject(link, '7', 'a'), { name: /stream/ })
  opened.open()
  t.match(await slow, { name: /slow, stream/ })
  t.equal(worker.streams(), 1)
})

t.test('a worker that serves no reads on its stream is called as ever', async (t) => {
  for (const without of [{ hasReads: false }, { hasStream: false }]) {
    const link = (await startMicroBatchWorker(t, answer, without)).link()
    const read = await Promise.all(['a', 'b'].map((key) => readProject(link, '7', key)))
    t.match(read, [{ name: /^Bearer a, call/ }, { name: /^Bearer b, call/ }])
  }
})

t.test('reads that hang do not hold up micro-batches', async (t) => {
  const opened = createGate()
  const link = (
    await startMicroBatchWorker(t, async (request, context) => {
      if (!('questions' in request)) await opened.opened
      return answer(request, context)
    })
  ).link()
  const reads = Array.from({ length: 2 * STREAM_CALLS_MAX }, () => readProject(link, '7', 'a'))
  t.match(await ask(link, '1'), { answers: [] })
  opened.open()
  t.equal((await Promise.all(reads)).length, 2 * STREAM_CALLS_MAX)
})
