import { once } from 'node:events'
import t from 'tap'
import { AppError } from '../../../../src/core/code.ts'
import { STREAM_CALLS_MAX } from '../../../../src/rpc/hot/micro-batch-handler.ts'
import { NoAnswerError } from '../../../../src/wire/no-answer.ts'
import { createGate } from '../../../support/workers/gate.ts'
import {
  ask,
  startExchange,
  startMicroBatchWorker,
  startRawStream,
} from '../../../support/workers/micro-batch-worker.ts'

function tokenOf(request: object): string {
  const { questions } = request as { questions: { token: string }[] }
  return questions[0]?.token ?? ''
}

/** An answer that names the project of its question's token. */
function answerTo(token: string): object {
  return { answers: [{ kind: 'KEY_KIND_PROJECT', project: { id: Number(token) } }] }
}

t.test('calls share a stream and each has its own answer, whatever the order', async (t) => {
  const gates = new Map(['1', '2', '3'].map((token) => [token, createGate()]))
  const worker = await startMicroBatchWorker(t, async (request) => {
    const token = tokenOf(request)
    await gates.get(token)?.opened
    return answerTo(token)
  })
  const link = worker.link()
  const asked = ['1', '2', '3'].map((token) => ask(link, token))
  for (const token of ['3', '1', '2']) gates.get(token)?.open()
  t.match(await Promise.all(asked), ['1', '2', '3'].map(answerTo))
})

t.test('a failure comes with its code and detail, and the stream continues', async (t) => {
  const detail = { type: 'server_error', code: 'server_error', detail: 'busy', attr: null }
  const worker = await startMicroBatchWorker(t, async (request) => {
    if (tokenOf(request) !== '1') throw new AppError('resource_exhausted', 'x', { detail })
    return answerTo('1')
  })
  const link = worker.link()
  const error = await ask(link, 'no').then(() => undefined, String)
  t.match(error, /busy/)
  await t.rejects(ask(link, 'no'), { code: 'resource_exhausted', detail: { detail: 'busy' } })
  t.match(await ask(link, '1'), answerTo('1'))
})

t.test(
  'a call that is late fails, its signal aborts, and its answer is nobody else’s',
  async (t) => {
    const aborted = createGate()
    const left = createGate()
    const worker = await startMicroBatchWorker(t, async (request, { signal }) => {
      if (tokenOf(request) === '2') return answerTo('2')
      signal.addEventListener('abort', () => aborted.open())
      await left.opened
      return answerTo('1')
    })
    const link = worker.link()
    const error = await ask(link, '1', { timeoutMs: 50 }).then(
      () => undefined,
      (e: unknown) => e,
    )
    t.ok(error instanceof NoAnswerError)
    t.match(error, { code: 'deadline_exceeded', sent: true })
    await aborted.opened
    left.open()
    t.match(await ask(link, '2'), answerTo('2'))
  },
)

t.test('a caller that leaves aborts the signals of its calls', async (t) => {
  const started = createGate()
  const aborted = createGate()
  const worker = await startMicroBatchWorker(t, async (_request, { signal }) => {
    signal.addEventListener('abort', () => aborted.open())
    started.open()
    await aborted.opened
    return {}
  })
  const outcome = ask(worker.link(), '1')
  await started.opened
  await Promise.all([worker.server.close(0), t.rejects(outcome, { code: 'unavailable' })])
  await aborted.opened
  t.pass('the handler was told')
})

t.test('a call under way on a broken stream has an unknown outcome', async (t) => {
  const started = createGate()
  const { server, link } = await startRawStream(t, (call) => call.on('data', () => started.open()))
  const outcome = ask(link, '1').then(
    () => undefined,
    (e: unknown) => e,
  )
  await started.opened
  server.forceShutdown()
  const error = await outcome
  t.ok(error instanceof NoAnswerError)
  t.match(error, { code: 'unavailable', sent: true })
  const next = await ask(link, '2').then(
    () => undefined,
    (e: unknown) => e,
  )
  t.match(next, { code: 'unavailable', sent: false }, 'the next call finds nobody')
})

t.test('so it has on a stream that the worker just ends', async (t) => {
  const { link } = await startRawStream(t, (call) => call.on('data', () => call.end()))
  await t.rejects(ask(link, '1'), { code: 'unavailable', sent: true })
})

t.test('bytes that are no answer fail the calls under way', async (t) => {
  const { link } = await startRawStream(t, (call) =>
    call.on('data', () => call.write(Buffer.from([0xff]))),
  )
  await t.rejects(ask(link, '1'), { code: 'internal' })
})

t.test('a worker that closes answers all that was sent, and takes no more', async (t) => {
  const gate = createGate()
  const started = createGate()
  const worker = await startMicroBatchWorker(t, async (request) => {
    started.open()
    await gate.opened
    return answerTo(tokenOf(request))
  })
  const link = worker.link()
  const first = ask(link, '1')
  await started.opened
  const closed = worker.server.close(20_000)
  // On its way before the GOAWAY.
  const second = ask(link, '2')
  gate.open()
  t.match(await Promise.all([first, second]), [answerTo('1'), answerTo('2')])
  await closed
  await t.rejects(ask(link, '3'), { code: 'unavailable', sent: false })
})

t.test('a worker of a release without the stream is called as ever', async (t) => {
  const answer = async (request: object) => answerTo(tokenOf(request))
  const worker = await startMicroBatchWorker(t, answer, { hasStream: false })
  const link = worker.link()
  t.match(await Promise.all([ask(link, '1'), ask(link, '2')]), [answerTo('1'), answerTo('2')])
  t.match(await ask(link, '3'), answerTo('3'))
})

t.test('a stream needs the token of a member', async (t) => {
  const worker = await startMicroBatchWorker(t, async () => answerTo('1'))
  const link = worker.link()
  await t.rejects(ask(link, '1', { key: 'wrong' }), { code: 'unauthenticated' })
  t.match(await ask(link, '1'), answerTo('1'), 'the next call opens another')
})

t.test('after a call whose token is not taken any more another stream is opened', async (t) => {
  let token = 'old'
  const worker = await startMicroBatchWorker(
    t,
    async (_request, { metadata }) => {
      if (metadata.get('authorization') === `Bearer ${token}`) return answerTo('1')
      throw new AppError('unauthenticated', 'not the token of now')
    },
    { token: () => token },
  )
  const link = worker.link()
  t.match(await ask(link, '1', { key: 'old' }), answerTo('1'))
  token = 'new'
  await t.rejects(ask(link, '1', { key: 'new' }), { code: 'unauthenticated' })
  t.match(await ask(link, '1', { key: 'new' }), answerTo('1'))
})

t.test('a worker takes a bounded number of calls at a time', async (t) => {
  const gate = createGate()
  const full = createGate()
  let running = 0
  let most = 0
  const worker = await startMicroBatchWorker(t, async (request) => {
    running++
    most = Math.max(most, running)
    if (running === STREAM_CALLS_MAX) full.open()
    await gate.opened
    running--
    return answerTo(tokenOf(request))
  })
  const link = worker.link()
  const tokens = Array.from({ length: 5 * STREAM_CALLS_MAX }, (_, index) => String(index + 1))
  const asked = Promise.all(tokens.map((token) => ask(link, token)))
  await full.opened
  gate.open()
  t.match(await asked, tokens.map(answerTo))
  // The few that the stream had handed on before it paused come along.
  t.ok(most >= STREAM_CALLS_MAX && most < 2 * STREAM_CALLS_MAX, `${most} at a time`)
})

t.test('bytes that are no call end the stream with a reason', async (t) => {
  const worker = await startMicroBatchWorker(t, async () => answerTo('1'))
  const call = startExchange(t, worker.port, 'right')
  call.write(Buffer.from([0xff]))
  const [error] = await once(call, 'error')
  t.match(error, { code: 3 })
})
