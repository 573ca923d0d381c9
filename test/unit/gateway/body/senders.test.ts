import { gzipSync } from 'node:zlib'
import t from 'tap'
import {
  type BodyThreads,
  createBodyThreads,
  type LargeBody,
} from '../../../../gateway/body/body-thread.ts'
import { FairQueue, type Sender } from '../../../../gateway/body/fair-queue.ts'
import { peekToken } from '../../../../gateway/body/peek-token.ts'
import {
  BODY_PEER_HANDLES_MAX,
  BODY_REFUSED_BURST_BYTES,
  BODY_REFUSED_BYTES_PER_MS,
} from '../../../../gateway/body/thread-places.ts'
import { type Clock, systemClock } from '../../../../src/core/clock.ts'
import {
  BODY_BYTES_MAX,
  BODY_PEER_SHARE_MAX,
  BODY_THREADS_BYTES_MAX,
} from '../../../../src/core/limits/limits.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { CONTEXT, META } from '../../../support/ingest/open-body.ts'
import { moduleUrl } from '../../../support/module-url.ts'

function start(
  t: { teardown(run: () => Promise<void>): void },
  clock: Clock = systemClock,
): BodyThreads {
  const encoderModule = moduleUrl('../../../support/ingest/json-batch-encoder.ts', import.meta.url)
  const deps = { clock, log: silentLog }
  const threads = createBodyThreads(deps, { encoderModule, threadsMax: 1 })
  t.teardown(() => threads.close())
  return threads
}

/** A peer of a project of its own, unless told. */
function from(peer: string, group = peer): Sender {
  return { peer, group }
}

async function opened(threads: BodyThreads, peer: string, group = peer): Promise<LargeBody> {
  const result = await threads.open(Buffer.from('{"event":"e"}'), META, from(peer, group))
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
  const large = () => Buffer.alloc(BODY_BYTES_MAX, 120)
  const count = Math.floor((BODY_THREADS_BYTES_MAX * BODY_PEER_SHARE_MAX) / BODY_BYTES_MAX)
  const taken = Array.from({ length: count }, () => threads.open(large(), META, from('greedy')))
  t.match(await threads.open(large(), META, from('greedy')), { error: { status: 503 } })
  t.match(await threads.open(large(), META, from('other')), { error: { code: 'invalid_payload' } })
  for (const result of await Promise.all(taken))
    t.match(result, { error: { code: 'invalid_payload' } })
})

t.test(
  'a project that holds all it may, by many addresses, keeps nobody else waiting',
  async (t) => {
    const threads = start(t)
    const held: LargeBody[] = []
    for (let at = 0; at < BODY_PEER_HANDLES_MAX; at++) {
      held.push(await opened(threads, `address ${at}`, 'greedy'))
    }
    const waiting = opened(threads, 'one more address', 'greedy')
    const other = await opened(threads, 'elsewhere', 'other')
    other.discard()
    for (const body of held) body.discard()
    const last = await waiting
    last.discard()
  },
)

t.test('projects that wait take turns, and within each of them its addresses', async (t) => {
  const threads = start(t)
  const held = [
    await opened(threads, 'a1', 'a'),
    await opened(threads, 'a2', 'a'),
    await opened(threads, 'b1', 'b'),
  ]
  const order: string[] = []
  const wait = async (peer: string, group: string) => {
    const body = await opened(threads, peer, group)
    order.push(peer)
    body.discard()
  }
  const waiting = [
    wait('a3', 'a'),
    wait('a3', 'a'),
    wait('a4', 'a'),
    wait('b2', 'b'),
    wait('c1', 'c'),
  ]
  held[0]?.discard()
  await Promise.all(waiting)
  t.same(order, ['a3', 'b2', 'c1', 'a4', 'a3'])
  for (const body of held) body.discard()
})

t.test('a project with large bodies leaves bytes to others', async (t) => {
  const threads = start(t)
  const large = () => Buffer.alloc(BODY_BYTES_MAX, 120)
  const count = Math.floor((BODY_THREADS_BYTES_MAX * BODY_PEER_SHARE_MAX) / BODY_BYTES_MAX)
  const taken = Array.from({ length: count }, (_, at) =>
    threads.open(large(), META, from(`address ${at}`, 'greedy')),
  )
  const refused = await threads.open(large(), META, from('one more address', 'greedy'))
  t.match(refused, { error: { status: 503 } })
  t.match(await threads.open(large(), META, from('other')), { error: { code: 'invalid_payload' } })
  for (const result of await Promise.all(taken))
    t.match(result, { error: { code: 'invalid_payload' } })
})

t.test('a body counts for its project once that is known', async (t) => {
  const threads = start(t)
  const held: LargeBody[] = []
  for (let at = 0; at < BODY_PEER_HANDLES_MAX; at++) {
    held.push(await opened(threads, `address ${at}`, 'greedy'))
  }
  const hidden = await opened(threads, 'address that hides its key', 'unknown')
  const other = opened(threads, 'elsewhere', 'other')
  t.match(await hidden.normalise(CONTEXT, 'greedy'), { error: { code: 'overloaded' } })
  const served = await other
  served.discard()
  const alone = await opened(threads, 'address that hides its key', 'unknown')
  t.match(await alone.normalise(CONTEXT, 'greedy'), { ok: true }, 'where nobody else waits')
  for (const body of held) body.discard()
})

t.test('a sender that has nothing more is forgotten', async (t) => {
  const turns = new FairQueue<string>()
  const sender = { peer: 'a', group: 'p' }
  turns.enter(sender, 5)
  turns.wait(sender, 'first')
  t.equal(turns.next(0), undefined, 'no place at all')
  t.equal(turns.next(1), 'first')
  t.ok(turns.holdsBytes({ peer: 'a', group: 'elsewhere' }))
  t.ok(turns.holdsBytes({ peer: 'another', group: 'p' }))
  t.ok(turns.move(sender, 'q', 5, 1))
  t.notOk(turns.holdsBytes({ peer: 'another', group: 'p' }))
  turns.release({ peer: 'a', group: 'q' })
  turns.leave({ peer: 'a', group: 'q' }, 5)
  turns.enter(sender, 7)
  turns.wait(sender, 'gives up')
  turns.giveUp(sender, 'gives up')
  turns.leave(sender, 7)
  t.equal(turns.size, 0)
})

t.test('a sender of large bodies that are refused waits, and nobody else does', async (t) => {
  const clock = createFakeClock()
  const threads = start(t, clock)
  const broken = () => gzipSync(Buffer.alloc(BODY_BYTES_MAX / 1_000 + 1, '{'), { level: 0 })
  const send = async (sender: Sender) => threads.open(broken(), META, sender)
  const atOnce = Math.ceil(BODY_REFUSED_BURST_BYTES / BODY_BYTES_MAX)
  for (let at = 0; at < atOnce; at++) t.match(await send(from('a', 'p')), { ok: false })
  const order: string[] = []
  const waiting = send(from('a', 'p')).then((answer) => {
    order.push('waiting')
    return answer
  })
  for (const sender of [from('b', 'p'), from('a', 'q')]) {
    const other = await threads.open(Buffer.from('{"event":"e"}'), META, sender)
    t.ok(other.ok)
    if (other.ok) other.value.discard()
  }
  t.strictSame(order, [])
  await clock.advance((atOnce * BODY_BYTES_MAX) / BODY_REFUSED_BYTES_PER_MS)
  t.match(await waiting, { ok: false, error: { status: 400 } })
})

t.test('a sender without a key for a large body pays for it too', async (t) => {
  const clock = createFakeClock()
  const threads = start(t, clock)
  const text = JSON.stringify({ event: 'e', x: 'x'.repeat(BODY_BYTES_MAX - 100) })
  const send = async () => threads.open(Buffer.from(text), META, from('a', 'p'))
  for (let sent = 0; sent < BODY_REFUSED_BURST_BYTES; sent += text.length) {
    const body = await send()
    t.ok(body.ok)
    if (body.ok) body.value.discard('refused')
  }
  let isOpen = false
  const waiting = send().then((body) => {
    isOpen = true
    return body
  })
  const other = await opened(threads, 'b', 'p')
  other.discard()
  t.notOk(isOpen)
  await clock.advance(BODY_BYTES_MAX / BODY_REFUSED_BYTES_PER_MS)
  const last = await waiting
  t.ok(last.ok)
  if (last.ok) last.value.discard()
})

t.test('the key of a body is looked for where libraries write it', async (t) => {
  const events = `[${'{"event":"e","properties":{"a":1}},'.repeat(9_000)}{}]`
  const first = `{"api_key": "phc_1","batch":${events}}`
  const last = `{"batch":${events},"api_key":"phc_1"}`
  const inEvent = `[{"event":"e","properties":{"$os":"x","token":"phc_1"}}${',{}'.repeat(9_000)}]`
  for (const text of [first, last, inEvent]) t.equal(peekToken(Buffer.from(text)), 'phc_1')
  for (const text of [first, inEvent]) t.equal(peekToken(gzipSync(text)), 'phc_1')
  t.equal(peekToken(gzipSync(last)), undefined)
  t.equal(peekToken(gzipSync(Buffer.alloc(20_000_000, 32))), undefined, 'a bomb')
  t.equal(peekToken(Buffer.from([0x1f, 0x8b, 1])), undefined)
})
