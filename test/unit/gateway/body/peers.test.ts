import t from 'tap'
import {
  type BodyThreads,
  createBodyThreads,
  type LargeBody,
} from '../../../../gateway/body/body-thread.ts'
import { PeerTurns } from '../../../../gateway/body/peer-turns.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import {
  BODY_BYTES_MAX,
  BODY_PEER_HANDLES_MAX,
  BODY_PEER_SHARE_MAX,
  BODY_THREADS_BYTES_MAX,
} from '../../../../src/core/limits/limits.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { moduleUrl } from '../../../support/module-url.ts'

const META = {
  method: 'POST',
  contentType: 'application/json',
  contentEncoding: '',
  query: '',
  authorization: '',
  isThirdParty: false,
}

function start(t: { teardown(run: () => Promise<void>): void }): BodyThreads {
  const encoderModule = moduleUrl('../../../support/ingest/json-batch-encoder.ts', import.meta.url)
  const deps = { clock: systemClock, log: silentLog }
  const threads = createBodyThreads(deps, { encoderModule, threadsMax: 1 })
  t.teardown(() => threads.close())
  return threads
}

async function opened(threads: BodyThreads, peer: string): Promise<LargeBody> {
  const result = await threads.open(Buffer.from('{"event":"e"}'), META, peer)
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

t.test('a peer that holds all it may keeps nobody else waiting', async (t) => {
  const threads = start(t)
  const held: LargeBody[] = []
  for (let at = 0; at < BODY_PEER_HANDLES_MAX; at++) held.push(await opened(threads, 'greedy'))
  const waiting = opened(threads, 'greedy')
  const other = await opened(threads, 'other')
  other.discard()
  for (const body of held) body.discard()
  const last = await waiting
  last.discard()
})

t.test('peers that wait take turns', async (t) => {
  const threads = start(t)
  const held = [await opened(threads, 'a'), await opened(threads, 'a'), await opened(threads, 'b')]
  const order: string[] = []
  const wait = async (peer: string, name: string) => {
    const body = await opened(threads, peer)
    order.push(name)
    body.discard()
  }
  const waiting = [
    wait('a', 'a1'),
    wait('a', 'a2'),
    wait('a', 'a3'),
    wait('b', 'b1'),
    wait('c', 'c1'),
  ]
  held[0]?.discard()
  await Promise.all(waiting)
  t.same(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
  for (const body of held) body.discard()
})

t.test('a peer with large bodies leaves bytes to others', async (t) => {
  const threads = start(t)
  const large = () => Buffer.alloc(BODY_BYTES_MAX, 32)
  const count = Math.floor((BODY_THREADS_BYTES_MAX * BODY_PEER_SHARE_MAX) / BODY_BYTES_MAX)
  const taken = Array.from({ length: count }, () => threads.open(large(), META, 'greedy'))
  t.match(await threads.open(large(), META, 'greedy'), { error: { status: 503 } })
  t.match(await threads.open(large(), META, 'other'), { error: { code: 'no_data' } })
  for (const result of await Promise.all(taken)) t.match(result, { error: { code: 'no_data' } })
})

t.test('a peer that has nothing more is forgotten', async (t) => {
  const turns = new PeerTurns<string>()
  turns.enter('a', 5)
  turns.wait('a', 'first')
  t.equal(turns.next(0), undefined, 'no place at all')
  t.equal(turns.next(1), 'first')
  t.equal(turns.bytesOf('a'), 5)
  turns.release('a')
  turns.leave('a', 5)
  t.equal(turns.bytesOf('a'), 0)
  t.equal(turns.size, 0)
})
