import { deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { DECODED_BYTES_MAX } from '../../../../gateway/body/body-bounds.ts'
import { type BodyThreads, createBodyThreads } from '../../../../gateway/body/body-thread.ts'
import { DecodedRoom, expectedBytes } from '../../../../gateway/body/decoded-room.ts'
import { FairQueue, type Sender } from '../../../../gateway/body/fair-queue.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { BODY_BYTES_MAX } from '../../../../src/core/limits/limits.ts'
import { silentLog } from '../../../../src/core/log.ts'
import type { IngestContext } from '../../../../src/events/parse-event.ts'
import { CONTEXT, META } from '../../../support/ingest/open-body.ts'
import { moduleUrl } from '../../../support/module-url.ts'

const BOUNDS = { decodedBytesMax: DECODED_BYTES_MAX, bodyBytesMax: BODY_BYTES_MAX }
const GREEDY: Sender = { peer: 'greedy', group: 'its project' }
const OTHER: Sender = { peer: 'other', group: 'another project' }

t.test('senders who have some leave room for a whole body of another', (t) => {
  const room = new DecodedRoom(BOUNDS, () => {})
  const half = (DECODED_BYTES_MAX - BODY_BYTES_MAX) / 2
  const held = [room.enter(half, GREEDY), room.enter(half, GREEDY)]
  for (const its of [GREEDY, { ...OTHER, peer: 'greedy' }, { ...OTHER, group: 'its project' }]) {
    t.equal(room.judge(1, its), 'share')
  }
  t.equal(room.judge(BODY_BYTES_MAX, OTHER), 'fits')
  const other = room.enter(BODY_BYTES_MAX, OTHER)
  t.equal(room.judge(1, { peer: 'third', group: 'third' }), 'full')
  other.leave()
  other.leave()
  for (const each of held) each.leave()
  t.equal(room.bytes, 0)
  t.equal(room.judge(DECODED_BYTES_MAX + 1, GREEDY), 'fits', 'one alone always')
  t.end()
})

t.test('the known length of a body is counted, and corrected when it is less', (t) => {
  let told = 0
  const room = new DecodedRoom(BOUNDS, () => {
    told += 1
  })
  const ticket = room.enter(BODY_BYTES_MAX, GREEDY)
  ticket.move('another project')
  t.equal(told, 0)
  t.equal(room.judge(DECODED_BYTES_MAX - BODY_BYTES_MAX, OTHER), 'share', 'its group now')
  t.equal(room.judge(1, { peer: 'x', group: GREEDY.group }), 'fits')
  ticket.resize(5)
  t.equal(room.bytes, 5)
  ticket.leave()
  t.equal(told, 2)
  t.end()
})

t.test('nobody passes by a body that waits for room', (t) => {
  const turns = new FairQueue<string>()
  turns.wait(GREEDY, 'greedy')
  turns.wait(OTHER, 'other')
  const judge = (verdict: 'share' | 'full') => (name: string) =>
    name === 'greedy' ? verdict : ('fits' as const)
  t.equal(turns.next(9, judge('full')), undefined)
  t.notOk(turns.hasNext(9, judge('full')))
  t.equal(turns.next(9, judge('share')), 'other')
  t.end()
})

t.test('gzip says how large it becomes, and no body counts for more than it may have', (t) => {
  const text = JSON.stringify({ x: 'x'.repeat(3_000_000) })
  t.equal(expectedBytes(Buffer.from(text), BODY_BYTES_MAX), text.length)
  t.equal(expectedBytes(gzipSync(text), BODY_BYTES_MAX), text.length)
  t.equal(expectedBytes(gzipSync(text), 1_000_000), 1_000_000)
  const deflated = deflateSync(text)
  t.ok(expectedBytes(deflated, BODY_BYTES_MAX) > 5 * deflated.length)
  t.equal(expectedBytes(deflated, deflated.length), deflated.length)
  t.equal(expectedBytes(Buffer.from([0x1f, 0x8b]), BODY_BYTES_MAX), 2, 'broken')
  t.end()
})

t.test('a body whose sender fills its share waits until some of it is stored', async (t) => {
  const threads = start(t)
  const greedy = async () => opened(threads, GREEDY, CONTEXT)
  const first = await greedy()
  const order: string[] = []
  const second = greedy().then((body) => {
    order.push('second')
    return body
  })
  const other = await opened(threads, OTHER, { ...CONTEXT, projectId: 8 })
  order.push('other')
  other.release()
  first.release()
  const { release } = await second
  t.strictSame(order, ['other', 'second'])
  release()
})

function start(t: { teardown(run: () => Promise<void>): void }): BodyThreads {
  const encoderModule = moduleUrl('../../../support/ingest/json-batch-encoder.ts', import.meta.url)
  const bounds = {
    bodyBytesMax: 1_000_000,
    threadsBytesMax: 10_000_000,
    decodedBytesMax: 2_200_000,
  }
  const deps = { clock: systemClock, log: silentLog }
  const threads = createBodyThreads(deps, { encoderModule, bounds, threadsMax: 2 })
  t.teardown(() => threads.close())
  return threads
}

/** A kilobyte that becomes 0.9 MB of an event, which waits to be stored. */
async function opened(threads: BodyThreads, sender: Sender, context: IngestContext) {
  const event = { event: 'e', distinct_id: 'd', properties: { x: 'x'.repeat(900_000) } }
  const result = await threads.open(gzipSync(JSON.stringify(event)), META, sender)
  if (!result.ok) throw new Error(result.error.code)
  const normalised = await result.value.normalise(context, sender.group)
  if (!normalised.ok) throw new Error(normalised.error.code)
  return normalised.value
}
