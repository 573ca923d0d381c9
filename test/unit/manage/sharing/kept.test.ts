import t from 'tap'
import { createKept } from '../../../../src/manage/sharing/kept.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const BOUNDS = { keepMs: 1_000, entriesMax: 3, bytesMax: 100 }

function setUp(bounds = BOUNDS) {
  const clock = createFakeClock()
  const kept = createKept<string>(clock, { ...bounds, bytesOf: (text) => text.length })
  const counts = new Map<string, number>()
  const get = (key: string, value = key) =>
    kept.get(key, async () => {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      await Promise.resolve()
      return value
    })
  return { clock, kept, get, made: (key: string) => counts.get(key) ?? 0 }
}

t.test('all who ask at the same time, and within its time, share one value', async (t) => {
  const { clock, get, made } = setUp()
  const all = await Promise.all(Array.from({ length: 50 }, () => get('a')))
  t.same(new Set(all), new Set(['a']))
  await clock.advance(999)
  await get('a')
  t.equal(made('a'), 1)
  await clock.advance(1)
  await get('a')
  t.equal(made('a'), 2)
})

t.test('a value that was made slowly is not kept for longer', async (t) => {
  const { clock, kept, get, made } = setUp()
  let end: (value: string) => void = () => undefined
  const slow = kept.get('a', () => new Promise((resolve) => (end = resolve)))
  await clock.advance(600)
  end('slow')
  await slow
  await clock.advance(399)
  t.equal(await get('a'), 'slow')
  await clock.advance(1)
  t.equal(await get('a'), 'a')
  t.equal(made('a'), 1)
})

t.test('an error goes to all who asked, and is not kept', async (t) => {
  const { kept, get } = setUp()
  const fail = () => kept.get('a', async () => Promise.reject(new Error('away')))
  const outcomes = await Promise.allSettled([fail(), fail(), get('a')])
  t.ok(outcomes.every(({ status }) => status === 'rejected'))
  t.equal(await get('a'), 'a')
})

t.test('the oldest values go when there are too many, or too many bytes', async (t) => {
  const { kept, get, made } = setUp()
  for (const key of ['a', 'b', 'c', 'd']) await get(key)
  t.equal(kept.size, 3)
  t.notOk(kept.has('a'))
  await get('e', 'x'.repeat(99))
  t.same([kept.has('c'), kept.has('d'), kept.has('e')], [false, true, true])
  await get('f', 'x'.repeat(101))
  t.notOk(kept.has('f'), 'one that is too large by itself is told and not kept')
  await get('f')
  t.equal(made('f'), 2)
})

t.test('nothing is kept of before it was cleared', async (t) => {
  const { kept, get, made } = setUp()
  await get('a')
  const late = get('b')
  kept.clear()
  await late
  t.notOk(kept.has('b'))
  await get('a')
  t.equal(made('a'), 2)
})

t.test('an aged value is told while one next value is made, and not when that lasts', async (t) => {
  const clock = createFakeClock()
  const kept = createKept<string>(clock, { ...BOUNDS, agedMs: 500, bytesOf: () => 1 })
  await kept.get('a', async () => 'first')
  await clock.advance(1_000)
  let ends: (value: string) => void = () => undefined
  let made = 0
  const slow = () => {
    made += 1
    return new Promise<string>((resolve) => {
      ends = resolve
    })
  }
  t.equal(await kept.get('a', slow), 'first')
  t.equal(await kept.get('a', slow), 'first')
  await clock.advance(500)
  const late = kept.get('a', slow)
  ends('second')
  t.equal(await late, 'second')
  t.equal(await kept.get('a', slow), 'second')
  t.equal(made, 1)
})

t.test('an aged value outlives a failure to make the next one', async (t) => {
  const clock = createFakeClock()
  const kept = createKept<string>(clock, { ...BOUNDS, agedMs: 500, bytesOf: () => 1 })
  await kept.get('a', async () => 'first')
  await clock.advance(1_000)
  const fail = async () => Promise.reject(new Error('away'))
  t.equal(await kept.get('a', fail), 'first')
  await clock.advance(0)
  t.equal(await kept.get('a', async () => 'second'), 'first')
  await clock.advance(0)
  t.equal(await kept.get('a', fail), 'second')
})
