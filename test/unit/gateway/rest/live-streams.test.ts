import t from 'tap'
import type { HttpReply } from '../../../../gateway/http/http-server.ts'
import {
  createLiveStreams,
  LIVE_COMMENT_MS,
  LIVE_GATEWAY_STREAMS_MAX,
  type LiveStreams,
} from '../../../../gateway/rest/live/live-streams.ts'
import { openMessage } from '../../../../src/events/live/live-message.ts'
import { createLiveQueue, readLive } from '../../../../src/events/live/live-queue.ts'
import { type ContractMethod, methodByPath } from '../../../../src/wire/proto/proto.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { requestOf } from '../../../support/http/rest.ts'

const PATH = '/sluice.v1.LiveService/WatchEvents'
const BOUNDS = { perSecond: 10, ringMax: 10 }

function methodOf(path: string): ContractMethod {
  const method = methodByPath(path)
  if (method === undefined) throw new Error(`no method ${path}`)
  return method
}

function setUp() {
  const clock = createFakeClock()
  const streams = createLiveStreams({ clock, random: () => 0 })
  return { clock, streams }
}

/** One reader: what the worker tells goes into `queue`. */
function createReader(
  streams: LiveStreams,
  opens: () => Promise<void> = async () => {},
  organization = '',
) {
  const left = new AbortController()
  const ends: string[] = []
  const queue = createLiveQueue(createFakeClock(), BOUNDS)
  queue.tell(openMessage(organization))
  const request = { ...requestOf('GET', '/', {}), signal: left.signal }
  const unused = async () => ({})
  const reply = streams.render({
    ...{ method: methodOf(PATH), request, query: new URLSearchParams(), message: {} },
    ...{ call: unused, callMethod: unused },
    stream: async (signal) => {
      await opens()
      signal.addEventListener('abort', () => ends.push('asked to end'))
      return readLive(queue, () => ends.push('ended'))
    },
  })
  return { queue, reply, ends, leave: () => left.abort() }
}

function chunksOf({ body }: HttpReply) {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('no stream')
  const chunks = body[Symbol.asyncIterator]()
  return async () => {
    const { done, value } = await chunks.next()
    return done === true ? 'end' : Buffer.from(value).toString()
  }
}

t.test('a gateway has so many streams, and a place is free once its reader leaves', async (t) => {
  const { streams } = setUp()
  const readers = Array.from({ length: LIVE_GATEWAY_STREAMS_MAX }, (_, at) =>
    createReader(streams, undefined, `${at}`),
  )
  for (const { reply } of readers) t.equal((await reply).status, 200)
  t.equal(streams.open(), LIVE_GATEWAY_STREAMS_MAX)
  await t.rejects(createReader(streams).reply, { code: 'resource_exhausted' })
  const [first] = readers
  first?.leave()
  t.strictSame(first?.ends, ['asked to end'])
  t.equal((await createReader(streams).reply).status, 200)
  await t.rejects(createReader(streams).reply, { code: 'resource_exhausted' })
})

t.test('an organization takes at most half of what the others have left', async (t) => {
  const { streams } = setUp()
  const open = async (organization: string) =>
    (await createReader(streams, undefined, organization).reply).status
  const half = LIVE_GATEWAY_STREAMS_MAX / 2
  for (let count = 0; count < half; count++) t.equal(await open('a'), 200)
  const refused = createReader(streams, undefined, 'a')
  await t.rejects(refused.reply, { code: 'resource_exhausted' })
  t.strictSame(refused.ends, ['asked to end'], 'its worker is not kept')
  for (let count = 0; count < half / 2; count++) t.equal(await open('b'), 200)
  await t.rejects(createReader(streams, undefined, 'b').reply, { code: 'resource_exhausted' })
  t.equal(await open('c'), 200)
})

t.test('streams whose worker has not answered count, and those it refuses do not', async (t) => {
  const { streams } = setUp()
  const never = () => new Promise<void>(() => {})
  for (let left = LIVE_GATEWAY_STREAMS_MAX; left > 1; left--) createReader(streams, never)
  const refused = createReader(streams, () => Promise.reject(new Error('refused')))
  await t.rejects(createReader(streams).reply, { code: 'resource_exhausted' })
  await t.rejects(refused.reply, { message: 'refused' })
  t.equal((await createReader(streams).reply).status, 200)
})

t.test('a quiet stream has comments, and the end of its worker is told', async (t) => {
  const { clock, streams } = setUp()
  const { queue, reply, ends } = createReader(streams)
  const next = chunksOf(await reply)
  t.equal(await next(), 'retry: 2000\n\n')
  t.equal(await next(), ':\n\n')
  const quiet = next()
  await clock.advance(LIVE_COMMENT_MS)
  t.equal(await quiet, ':\n\n')
  queue.close()
  t.equal(await next(), 'event: bye\ndata: {"reason":"lost"}\n\n')
  t.equal(await next(), 'end')
  t.strictSame(ends, ['ended', 'asked to end'])
  t.equal(clock.timers(), 0)
  t.equal(streams.open(), 0)
})

t.test('a gateway that ends says bye, also to who comes then', async (t) => {
  const { clock, streams } = setUp()
  const before = chunksOf(await createReader(streams).reply)
  t.strictSame([await before(), await before()], ['retry: 2000\n\n', ':\n\n'])
  const waiting = before()
  streams.close()
  const bye = 'event: bye\ndata: {"reason":"drain"}\n\n'
  t.equal(await waiting, bye)
  t.equal(await before(), 'end')
  const after = chunksOf(await createReader(streams).reply)
  t.strictSame([await after(), await after(), await after()], ['retry: 2000\n\n', bye, 'end'])
  t.equal(clock.timers(), 0)
})
