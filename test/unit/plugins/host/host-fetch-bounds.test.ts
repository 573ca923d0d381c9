import type { LookupFunction } from 'node:net'
import t from 'tap'
import { createLimitedLookup } from '../../../../src/plugins/host/limited-lookup.ts'
import { createRequestSlots } from '../../../../src/plugins/host/request-slots.ts'

const never = () => new AbortController().signal
const FULL = { message: 'fetch failed: too many requests are under way' }

/** Lets promises that are settled go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

t.test('a worker has 128 slots, of which a config takes 16', async (t) => {
  const slots = createRequestSlots()
  const taken: number[] = []
  const take = (configId: number) =>
    slots.take(configId, 0, never()).then((release) => {
      taken.push(configId)
      return release
    })
  const first = Array.from({ length: 16 }, () => take(1))
  void take(1)
  for (let config = 2; config <= 8; config++) {
    for (let count = 0; count < 16; count++) void take(config)
  }
  void take(9)
  await settle()
  t.equal(taken.length, 128)
  ;(await first[0])?.()
  await settle()
  t.equal(taken.at(-1), 1, 'first come, first served')
  ;(await first[1])?.()
  await settle()
  t.equal(taken.at(-1), 9)
})

t.test('a config whose slots are taken holds up nobody behind it', async (t) => {
  const slots = createRequestSlots()
  const held = await Promise.all(
    Array.from({ length: 128 }, (_, index) => slots.take(Math.floor(index / 16), 0, never())),
  )
  const started: number[] = []
  for (const config of [0, 99]) void slots.take(config, 0, never()).then(() => started.push(config))
  held.at(-1)?.()
  await settle()
  t.same(started, [99], 'config 0 has 16 still')
})

t.test('64 requests of a config wait, and 512 of a worker', async (t) => {
  const slots = createRequestSlots()
  const waiting: Promise<unknown>[] = []
  for (let config = 1; config <= 8; config++) {
    for (let count = 0; count < 80; count++) waiting.push(slots.take(config, 0, never()))
    await t.rejects(slots.take(config, 0, never()), FULL)
  }
  t.equal(waiting.length, 128 + 512)
  await t.rejects(slots.take(99, 0, never()), FULL)
})

t.test('bodies under way have 64 MiB, which come back', async (t) => {
  const slots = createRequestSlots()
  const release = await slots.take(1, 60_000_000, never())
  await t.rejects(slots.take(2, 60_000_000, never()), FULL)
  release()
  await t.resolves(slots.take(2, 60_000_000, never()))
})

t.test('one that is given up while it waits gives back what it held', async (t) => {
  const slots = createRequestSlots()
  const held = await Promise.all(Array.from({ length: 16 }, () => slots.take(1, 0, never())))
  const caller = new AbortController()
  const waiting = slots.take(1, 60_000_000, caller.signal)
  const behind = slots.take(1, 0, never())
  caller.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  held[0]?.()
  await t.resolves(behind)
  held[1]?.()
  await t.resolves(slots.take(1, 60_000_000, never()))
  await t.rejects(slots.take(1, 0, caller.signal), { message: 'gone' })
})

t.test('look-ups run so many at a time, and those given up are never asked', (t) => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const lookup: LookupFunction = (host, _options, callback) => {
    asked.push(host)
    answers.push(() => callback(null, '127.0.0.1', 4))
  }
  const lookupOf = createLimitedLookup(lookup, 2)
  const answered: string[] = []
  const ask = (host: string, signal: AbortSignal = never()) =>
    lookupOf(signal)(host, {}, () => answered.push(host))
  const caller = new AbortController()
  ask('a')
  ask('b')
  ask('c', caller.signal)
  ask('d')
  t.same(asked, ['a', 'b'])
  caller.abort()
  answers[0]?.()
  t.same(asked, ['a', 'b', 'd'])
  answers[1]?.()
  answers[2]?.()
  t.same(answered, ['a', 'b', 'd'])
  t.end()
})
