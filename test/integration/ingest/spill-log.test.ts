import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanos, RetentionPolicy } from 'nats'
import t, { type Test } from 'tap'
import { type JetStreamLogOptions, openJetStreamLog } from '../../../cluster/nats/jetstream-log.ts'
import { connectNats } from '../../../cluster/nats/nats-connection.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { createLog, silentLog as log } from '../../../src/core/log.ts'
import { startNats } from '../../support/servers/nats-server.ts'
import { until } from '../../support/until.ts'

const OPTIONS: JetStreamLogOptions = {
  stream: 'spill',
  subject: 'test.spill',
  consumer: 'drainer',
  bytesMax: 1_000_000,
  replicas: 1,
}
const never = new AbortController().signal
const KILOBYTES = new Uint8Array(100_000)

async function setUp(t: Test) {
  const server = await startNats(t)
  const nats = await connectNats({ urls: server.url, name: 'test', clock, log })
  t.teardown(() => nats.close())
  const manager = await nats.connection.jetstreamManager()
  const lines: { level: string; message: string; messages?: number }[] = []
  const told = createLog({}, { write: (line) => lines.push(JSON.parse(line)) })
  const open = (options: Partial<JetStreamLogOptions> = {}) =>
    openJetStreamLog({ nats, clock, log: told }, { ...OPTIONS, ...options })
  const reconnected = () => until('a connection', () => nats.connected())
  return { server, nats, manager, lines, open, reconnected }
}

/** As in the file: last acknowledged, by its numbers in consumer and stream; last delivered, by both. */
const TWO_ACKED = Buffer.from([2, 2, 3, 3])

/** The server's record of its consumer, behind a head of two bytes. */
function consumerState(store: string): Buffer {
  const folder = join(store, 'jetstream', '$G', 'streams', OPTIONS.stream, 'obs')
  return readFileSync(join(folder, OPTIONS.consumer, 'o.dat')).subarray(2, 6)
}

t.test('a stream under which events could be lost is refused, by name', async (t) => {
  const { manager, open } = await setUp(t)
  const { stream: name, subject } = OPTIONS
  const wrong = { name, subjects: [subject], max_age: nanos(60_000), max_bytes: 1_000_000 }
  await manager.streams.add({ ...wrong, retention: RetentionPolicy.Limits })
  await t.rejects(open(), {
    code: 'failed_precondition',
    message: /stream spill has retention limits instead of workqueue, discard old instead of new/,
  })
  await manager.streams.delete(name)
  await manager.streams.add({ name: 'other', subjects: [subject] })
  await t.rejects(open(), { code: 'failed_precondition', message: /subjects overlap/ })
  await manager.streams.delete('other')
  await t.rejects(open({ replicas: 3 }), { code: 'failed_precondition', message: /replicas/ })
  await t.rejects(open({ bytesMax: 1e15 }), { code: 'failed_precondition', message: /storage/ })
  await open()
  await t.rejects(open({ replicas: 3 }), {
    code: 'failed_precondition',
    message: 'num_replicas 1 instead of 3',
  })
})

t.test('the size follows its setting, and never at the cost of a message', async (t) => {
  const { manager, lines, open } = await setUp(t)
  const bytesMax = async () => (await manager.streams.info('spill')).config.max_bytes
  const first = await open({ bytesMax: 512_000 })
  await open({ bytesMax: 1_024_000 })
  t.equal(await bytesMax(), 1_024_000)
  for (let n = 0; n < 4; n++) await first.put(`m${n}`, KILOBYTES)
  await open({ bytesMax: 307_200 })
  t.equal(await bytesMax(), 1_024_000, 'too full for it')
  t.match(await first.status(), { messages: 4, bytesMax: 1_024_000 })
  t.match(lines, [{ level: 'warn', message: 'spill holds too much to be made smaller now' }])
  await open({ bytesMax: 921_700 })
  t.equal(await bytesMax(), 921_600, 'whole records fill it')
  t.equal((await first.status()).messages, 4)
})

t.test('a stream that is full refuses, and drops nothing to make room', async (t) => {
  const { manager, open } = await setUp(t)
  const messages = await open({ bytesMax: 8_192 })
  const put = async (id: string, bytes: number) => {
    try {
      await messages.put(id, new Uint8Array(bytes))
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'resource_exhausted') return false
      throw error
    }
  }
  // Whatever a server counts as the size of a message, two of some size are just too large.
  const counts = new Set<number>()
  for (let size = 3_600; size < 4_200; size += 4) {
    await manager.streams.purge('spill')
    const taken = [await put(`${size} a`, size), await put(`${size} b`, size)]
    const { state } = await manager.streams.info('spill')
    const acked = taken.filter(Boolean).length
    if (state.messages !== acked) t.fail(`${state.messages} of ${acked} are left at ${size} bytes`)
    if (state.bytes % 256 !== 0) t.fail(`${state.bytes} bytes are no whole records`)
    counts.add(acked)
  }
  t.strictSame(counts, new Set([2, 1]))
})

t.test('the largest message passes, one more byte fails and breaks nothing', async (t) => {
  const { open } = await setUp(t)
  const messages = await open({ bytesMax: 10_000_000 })
  const bytesMax = messages.messageBytesMax()
  t.ok(bytesMax > 1_040_000)
  await messages.put('largest', new Uint8Array(bytesMax))
  await t.rejects(messages.put('larger', new Uint8Array(1_048_577)), { code: 'unavailable' })
  const message = await messages.next(1_000, never)
  t.equal(message?.bytes.length, bytesMax)
  await message?.ack()
  t.equal((await messages.status()).messages, 0)
})

t.test('a killed server keeps what it has acknowledged, and leaves nothing behind', async (t) => {
  const { server, open, reconnected } = await setUp(t)
  const messages = await open({ ackWaitMs: 1_000 })
  for (let n = 1; n <= 5; n++) await messages.put(`m${n}`, KILOBYTES)
  for (let n = 1; n <= 2; n++) await (await messages.next(1_000, never))?.ack()
  await messages.next(1_000, never)
  // The state of the consumer is on the disk then, the stream's is not: the removals are undone.
  await until('the acks to be on the disk', () => consumerState(server.store).equals(TWO_ACKED))
  await server.kill()
  await until('the loss to be known', () => !messages.connected())
  const unavailable = { code: 'unavailable' }
  await t.rejects(messages.put('m6', KILOBYTES), unavailable)
  await t.rejects(messages.next(20_000, never), unavailable)
  await t.rejects(messages.status(), unavailable)
  await server.start()
  await reconnected()
  await messages.put('m1', KILOBYTES)
  t.ok((await messages.status()).messages <= 5, 'it knows the ids still')
  const seen = new Set<number>()
  await until('the spill to be empty', async () => {
    const message = await messages.next(100, never)
    if (message === undefined) return (await messages.status()).messages === 0
    seen.add(message.sequence)
    await message.ack()
    return false
  })
  t.ok(
    [3, 4, 5].every((sequence) => seen.has(sequence)),
    'none is lost',
  )
  t.equal(messages.lostMessages(), 0)
})

t.test('a frozen server holds a message for its deadline only', async (t) => {
  const { server, open } = await setUp(t)
  const messages = await open()
  server.freeze()
  await t.rejects(messages.put('a', KILOBYTES), { code: 'unavailable' })
  server.thaw()
  await until('an answer', () =>
    messages.put('a', KILOBYTES).then(
      () => true,
      () => false,
    ),
  )
  t.equal((await messages.status()).messages, 1, 'kept once, whenever it was kept')
})

t.test('a stream that vanished is made again, and what it held is told as lost', async (t) => {
  const { server, nats, manager, lines, open, reconnected } = await setUp(t)
  const writing = await open()
  const reading = await openJetStreamLog({ nats, clock, log }, OPTIONS)
  for (let n = 0; n < 3; n++) await writing.put(`m${n}`, KILOBYTES)
  const message = await writing.next(1_000, never)
  await message?.ack()
  await server.kill()
  server.wipe()
  await server.start()
  await reconnected()
  await writing.put('m4', KILOBYTES)
  t.equal(writing.lostMessages(), 2)
  const vanished = 'the spill has vanished from NATS with the events in it'
  t.match(lines, [{ level: 'error', message: vanished, messages: 2 }])
  t.equal((await writing.status()).messages, 1)
  const found = await reading.next(5_000, never)
  t.equal(found?.bytes.length, KILOBYTES.length, 'the consumer is there again')
  await found?.ack()
  t.equal(reading.lostMessages(), 0, 'it knew of none')

  await manager.streams.delete('spill')
  t.match(await writing.status(), { messages: 0 })
  t.equal(writing.lostMessages(), 3, 'as far as it knew')
  await manager.consumers.delete('spill', 'drainer')
  await writing.put('m5', KILOBYTES)
  t.equal(await reading.next(100, never), undefined)
  t.equal((await reading.next(5_000, never))?.sequence, 1, 'made again by who reads')
})

t.test('a waiting reader is told when its consumer goes', async (t) => {
  const { manager, open } = await setUp(t)
  const messages = await open()
  const waiting = messages.next(20_000, never)
  await until('the request', async () => {
    const { num_waiting: waiting } = await manager.consumers.info('spill', 'drainer')
    return waiting > 0
  })
  await manager.consumers.delete('spill', 'drainer')
  await t.rejects(waiting, { code: 'unavailable', message: /Consumer Deleted/ })
  await messages.put('a', KILOBYTES)
  t.equal((await messages.next(1_000, never))?.sequence, 1)
})

t.test('with NATS away it opens all the same, and is made with the first use', async (t) => {
  const { server, open, reconnected, nats } = await setUp(t)
  await server.kill()
  await until('the loss to be known', () => !nats.connected())
  const messages = await open()
  t.equal(messages.connected(), false)
  await server.start()
  await reconnected()
  await messages.put('a', KILOBYTES)
  t.equal((await messages.next(1_000, never))?.sequence, 1)
})
