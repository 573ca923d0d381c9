import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openJetStreamLog } from '../../cluster/nats/jetstream-log.ts'
import { connectNats } from '../../cluster/nats/nats-connection.ts'
import { systemClock as clock } from '../../src/core/clock.ts'
import { silentLog as log } from '../../src/core/log.ts'
import type { LoggedMessage, MessageLog } from '../../src/core/message-log.ts'
import { createMemoryMessageLog } from '../support/ingest/memory-message-log.ts'
import { startNats } from '../support/servers/nats-server.ts'

/** Every implementation of the port runs the same suite. */
type Open = (options?: { bytesMax?: number; ackWaitMs?: number }) => Promise<MessageLog>
type Implementation = (t: Test) => Promise<Open>

const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  memory: async () => async (options) =>
    createMemoryMessageLog(clock, { bytesMax: 1_024_000, ackWaitMs: 30_000, ...options }),
  JetStream: async (t) => {
    const server = await startNats(t)
    const nats = await connectNats({ urls: server.url, name: 'test', clock, log })
    t.teardown(() => nats.close())
    let opened = 0
    return (options) => {
      opened += 1
      const name = `log${opened}`
      const names = { stream: name, subject: `test.${name}`, consumer: 'drainer' }
      const defaults = { bytesMax: 1_024_000, replicas: 1 }
      return openJetStreamLog({ nats, clock, log }, { ...names, ...defaults, ...options })
    }
  },
}

const never = new AbortController().signal
const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (message: LoggedMessage | undefined) =>
  message === undefined ? undefined : new TextDecoder().decode(message.bytes)

for (const [name, create] of Object.entries(IMPLEMENTATIONS)) {
  t.test(name, async (t) => {
    const open = await create(t)

    t.test('a full log refuses what is new and keeps what is old', async (t) => {
      const messages = await open({ bytesMax: 10_000 })
      const large = new Uint8Array(4_000).fill(1)
      await messages.put('a', large)
      await messages.put('b', large)
      await t.rejects(messages.put('c', large), { code: 'resource_exhausted' })
      t.equal((await messages.status()).messages, 2)
      t.equal((await messages.next(1_000, never))?.sequence, 1)
      await messages.close()
    })

    t.test('an empty log hands nothing out, and an abort ends the wait', async (t) => {
      const messages = await open()
      t.equal(await messages.next(50, never), undefined)
      t.match(await messages.status(), { messages: 0, bytes: 0, oldestAgeMs: 0 })
      const abort = new AbortController()
      const waiting = messages.next(20_000, abort.signal)
      abort.abort(new Error('over'))
      await t.rejects(waiting, { message: 'over' })
      await t.rejects(messages.next(50, abort.signal), { message: 'over' })
      await messages.close()
    })

    t.test('a message that an aborted reader would have got goes to the next one', async (t) => {
      const messages = await open({ ackWaitMs: 30_000 })
      const abort = new AbortController()
      const waiting = messages.next(2_000, abort.signal)
      abort.abort(new Error('over'))
      await t.rejects(waiting, { message: 'over' })
      await messages.put('a', bytesOf('one'))
      t.equal(
        textOf(await messages.next(10_000, never)),
        'one',
        'long before it is handed out again',
      )
      await messages.close()
    })

    t.test('the same id keeps nothing new', async (t) => {
      const messages = await open()
      await messages.put('a', bytesOf('one'))
      await messages.put('a', bytesOf('again'))
      t.equal((await messages.status()).messages, 1)
      const message = await messages.next(1_000, never)
      await message?.ack()
      await messages.put('a', bytesOf('once more'))
      t.equal((await messages.status()).messages, 0, 'not even when the first is gone')
      await messages.close()
    })

    t.test('messages come in order, to one reader each', async (t) => {
      const messages = await open()
      for (const text of ['one', 'two', 'three']) await messages.put(text, bytesOf(text))
      const first = await messages.next(1_000, never)
      const second = await messages.next(1_000, never)
      t.same([textOf(first), textOf(second)], ['one', 'two'])
      t.match(first, { sequence: 1, deliveries: 1 })
      await second?.ack()
      await first?.ack()
      const third = await messages.next(1_000, never)
      t.equal(textOf(third), 'three')
      await third?.ack()
      t.match(await messages.status(), { messages: 0, bytes: 0 })
      t.equal(await messages.next(50, never), undefined)
      await messages.close()
    })

    t.test('a message that is not acknowledged comes again, one at work does not', async (t) => {
      const messages = await open({ ackWaitMs: 2_000 })
      await messages.put('a', bytesOf('forgotten'))
      await messages.put('b', bytesOf('worked on'))
      await messages.next(1_000, never)
      const worked = await messages.next(1_000, never)
      const seen: (string | undefined)[] = []
      for (let round = 0; round < 12; round++) {
        worked?.extend()
        const again = await messages.next(250, never)
        if (again !== undefined) seen.push(textOf(again))
        if (again !== undefined) t.equal(again.deliveries, 2)
        await again?.ack()
      }
      t.same(seen, ['forgotten'])
      await worked?.ack()
      t.equal((await messages.status()).messages, 0)
      await messages.close()
    })

    t.test('a message that is to be tried again comes after its delay', async (t) => {
      const messages = await open({ ackWaitMs: 30_000 })
      await messages.put('a', bytesOf('later'))
      const message = await messages.next(1_000, never)
      const from = clock.monotonic()
      message?.retry(500)
      await sleep(1)
      const again = await messages.next(10_000, never)
      t.match(again, { deliveries: 2, sequence: 1 })
      t.ok(clock.monotonic() - from >= 490)
      await messages.close()
    })

    t.test('status tells what it holds and since when', async (t) => {
      const messages = await open()
      await messages.put('a', new Uint8Array(1_000))
      await sleep(20)
      const status = await messages.status()
      t.match(status, { messages: 1, bytesMax: 1_024_000 })
      t.ok(status.bytes >= 1_000)
      t.ok(status.oldestAgeMs >= 15, `${status.oldestAgeMs}`)
      t.ok(messages.messageBytesMax() > 600_000)
      await messages.close()
    })

    t.test('a closed log fails at once', async (t) => {
      const messages = await open()
      await messages.put('a', bytesOf('one'))
      const message = await messages.next(1_000, never)
      await messages.close()
      t.equal(messages.connected(), false)
      const unavailable = { code: 'unavailable' }
      await t.rejects(messages.put('b', bytesOf('two')), unavailable)
      await t.rejects(messages.next(20_000, never), unavailable)
      await t.rejects(messages.status(), unavailable)
      await t.rejects(message?.ack() ?? Promise.resolve(), unavailable)
      message?.retry(1)
      message?.extend()
    })
  })
}
