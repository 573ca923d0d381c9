/** Bounds of the spill: frozen, full, wiped, and with large events. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { setUp } from '../../support/ingest/spilling-worker.ts'
import { until } from '../../support/until.ts'

t.test('a frozen spill is given up, and clients are refused until it answers again', async (t) => {
  const { server, sink, submit, spill, goDown, comeBack } = await setUp(t)
  await goDown()
  await spill(makeEvent())
  server.freeze()
  t.equal((await submit(makeEvent())).kind, 'unavailable')
  t.equal(sink.spill()?.breaker.kind, 'open')
  t.equal((await submit(makeEvent())).kind, 'unavailable', 'at once')
  server.thaw()
  await until('the spill to answer', () => sink.spill()?.breaker.kind === 'closed')
  await spill(makeEvent())
  await comeBack()
})

t.test('a full spill refuses what is new and loses nothing old', async (t) => {
  const { sink, submit, spill, drain, emptied, copies, goDown, comeBack } = await setUp(t, {
    bytesMax: 300_000,
  })
  await goDown()
  const kept: string[] = []
  let refused = 0
  for (let n = 0; n < 20; n++) {
    const event = makeEvent({ properties: JSON.stringify({ text: 'x'.repeat(30_000) }) })
    const outcome = await submit(event)
    if (outcome.kind === 'spilled') kept.push(event.uuid)
    else {
      refused += 1
      t.match(outcome, { kind: 'unavailable' })
    }
  }
  t.ok(refused >= 5 && kept.length >= 5)
  t.equal(sink.spill()?.isFull, true)
  await comeBack()
  drain()
  await emptied()
  const stored = await copies()
  t.ok(kept.every((uuid) => stored.get(uuid) === 1))
  await goDown()
  await spill(makeEvent())
  t.equal(sink.spill()?.isFull, false)
  await comeBack()
})

t.test('a spill that is wiped tells what it held and continues', async (t) => {
  const { server, nats, messages, spill, drain, emptied, copies, goDown, comeBack } = await setUp(t)
  await goDown()
  await spill(makeEvent())
  await messages.status()
  await server.kill()
  server.wipe()
  await server.start()
  await until('a connection', () => nats.connected())
  const event = makeEvent()
  await spill(event)
  t.ok(messages.lostMessages() >= 1)
  await comeBack()
  drain()
  await emptied()
  t.equal((await copies()).get(event.uuid), 1)
})

t.test('large events travel alone, one that no message holds is refused', async (t) => {
  const { submit, spill, drain, emptied, copies, goDown, comeBack } = await setUp(t)
  const eventOf = (text: string) => makeEvent({ properties: JSON.stringify({ text }) })
  const large = (chars: number) => eventOf('x'.repeat(chars))
  await goDown()
  // Nothing makes noise shorter.
  const noise = randomBytes(1_200_000).toString('base64')
  t.equal((await submit(makeEvent(), eventOf(noise))).kind, 'unavailable')
  const events = [makeEvent(), large(1_000_000), large(400_000), large(400_000), makeEvent()]
  await spill(...events)
  await comeBack()
  drain()
  await emptied()
  const stored = await copies()
  t.ok(events.every(({ uuid }) => stored.get(uuid) === 1))
})
